/* clause.c - the allocate clause on parallel, for, sections, task and reductions */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks values and the allocator's alignment of private, firstprivate, lastprivate and reduction
// copies, arrays of variable length too, and that all memory goes back to the pool.
// RUN: %omp_test
#include "check.h"

static omp_allocator_handle_t wide; /* aligned to 128, with a pool */

static void is_wide(const void *p) { CHECK_EQ((uintptr_t)p % 128, 0); }

static void regions(int n) {
  int first = 7, priv = 0;
  long sum = 0, array[n];
  for (int i = 0; i < n; i++)
    array[i] = i;
#pragma omp parallel firstprivate(first, array) private(priv) reduction(+ : sum)                   \
    allocate(wide : first, array, priv, sum)
  {
    is_wide(&first);
    is_wide(array);
    is_wide(&priv);
    is_wide(&sum);
    CHECK_EQ(first, 7);
    priv = omp_get_thread_num();
    for (int i = 0; i < n; i++) {
      CHECK_EQ(array[i], i);
      array[i] = priv;
    }
    sum += priv;
  }
  for (int i = 0; i < n; i++)
    CHECK_EQ(array[i], i);
  int threads = omp_get_max_threads();
  CHECK_EQ(sum, (long)threads * (threads - 1) / 2);
}

static void loops(int n) {
  int last = -1, first = 3;
  long sum = 0;
#pragma omp parallel
  {
#pragma omp for lastprivate(last) firstprivate(first) reduction(+ : sum)                           \
    allocate(wide : last, first, sum)
    for (int i = 0; i < n; i++) {
      is_wide(&last);
      is_wide(&first);
      is_wide(&sum);
      CHECK_EQ(first, 3);
      last = i;
      sum += i;
    }
#pragma omp sections firstprivate(first) allocate(wide : first)
    {
      is_wide(&first);
#pragma omp section
      CHECK_EQ(first, 3);
    }
  }
  CHECK_EQ(last, n - 1);
  CHECK_EQ(sum, (long)n * (n - 1) / 2);
}

static void tasks(int n) {
  long sum = 0;
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < n; i++) {
      int square = i * i;
#pragma omp task firstprivate(square, i) shared(sum) allocate(wide : square)
      {
        is_wide(&square);
        CHECK_EQ(square, i * i);
#pragma omp atomic
        sum += square;
      }
    }
#pragma omp taskwait
  }
  CHECK_EQ(sum, (long)(n - 1) * n * (2 * n - 1) / 6);
}

int main(void) {
  omp_alloctrait_t traits[] = {{omp_atk_alignment, (omp_alloctrait_value_t)128},
                               {omp_atk_pool_size, (omp_alloctrait_value_t)(1 << 22)},
                               {omp_atk_fallback, omp_atv_null_fb}};
  wide = omp_init_allocator(omp_default_mem_space, 3, traits);
  void *before = omp_alloc((1 << 22) - 300, wide);
  CHECK(before != NULL);
  omp_free(before, wide);
  for (int n = 1; n < 100; n += 33) {
    regions(n);
    loops(n);
    tasks(n);
  }
  void *after = omp_alloc((1 << 22) - 300, wide);
  CHECK(after != NULL);
  omp_free(after, wide);
  omp_destroy_allocator(wide);
  return 0;
}
