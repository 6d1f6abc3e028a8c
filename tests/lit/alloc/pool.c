/* pool.c - the trait pool_size: what fits, what does not, by one thread and by all */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that blocks fit up to the pool's size and not beyond it, that what is given back can be
// taken again to the last byte, that omp_realloc counts the difference, and that threads together
// never have more than the pool.
// RUN: %omp_test
#include "check.h"

#define POOL 6000 /* one thread alone fills it now and then */

static omp_allocator_handle_t pool(omp_uintptr_t size, omp_uintptr_t alignment) {
  omp_alloctrait_t traits[] = {{omp_atk_pool_size, (omp_alloctrait_value_t)size},
                               {omp_atk_fallback, omp_atv_null_fb},
                               {omp_atk_alignment, (omp_alloctrait_value_t)alignment}};
  return omp_init_allocator(omp_default_mem_space, 3, traits);
}

/* The largest block that an empty pool gives. */
static size_t largest(omp_allocator_handle_t a, size_t most) {
  for (size_t size = most; size > 0; size--) {
    void *p = omp_alloc(size, a);
    omp_free(p, a);
    if (p)
      return size;
  }
  return 0;
}

static void alone(void) {
  for (omp_uintptr_t alignment = 1; alignment <= 64; alignment *= 2) {
    omp_allocator_handle_t a = pool(4096, alignment);
    size_t all = largest(a, 4096);
    CHECK(all < 4096 && all >= 4096 - 128);
    for (int turn = 0; turn < 20; turn++) {
      char *p = omp_alloc(all - 1000, a);
      CHECK(p && !omp_alloc(1000, a));
      p = omp_realloc(p, 10, a, a);
      char *q = omp_calloc(1, all - 1000, a);
      CHECK(p && q);
      CHECK(!omp_realloc(p, 2000, a, a));
      omp_free(q, omp_null_allocator);
      if (alignment < 16) { /* libgomp moves aligned blocks, and counts both meanwhile */
        p = omp_realloc(p, all, a, a);
        CHECK(p && !omp_alloc(1, a));
      }
      p = omp_realloc(p, 100, omp_default_mem_alloc, a);
      CHECK(p && largest(a, all) == all);
      omp_free(p, omp_default_mem_alloc);
    }
    CHECK_EQ(largest(a, 4096), all);
    omp_destroy_allocator(a);
  }
}

/* In use as the threads count it: added after a block is had, subtracted before it goes back. */
static long in_use;

static void together(void) {
  omp_allocator_handle_t a = pool(POOL, 1);
  size_t all = largest(a, POOL);
  long refused = 0;
#pragma omp parallel num_threads(16) reduction(+ : refused)
  {
    uint64_t state = (uint64_t)omp_get_thread_num() + 1;
    char *mine[8] = {0};
    size_t size[8];
    for (int turn = 0; turn < CHECK_TIMES(20000); turn++) {
      unsigned i = check_random(&state) % 8;
      if (mine[i]) {
        CHECK_EQ(mine[i][size[i] - 1], (char)i);
#pragma omp atomic
        in_use -= (long)size[i];
        omp_free(mine[i], turn % 2 ? a : omp_null_allocator);
        mine[i] = NULL;
        continue;
      }
      size[i] = check_random(&state) % 2000 + 1;
      mine[i] = omp_alloc(size[i], a);
      refused += !mine[i];
      if (!mine[i])
        continue;
      mine[i][size[i] - 1] = (char)i;
      long now;
#pragma omp atomic capture
      now = in_use += (long)size[i];
      CHECK(now <= POOL);
    }
    for (int i = 0; i < 8; i++) {
#pragma omp atomic
      in_use -= mine[i] ? (long)size[i] : 0;
      omp_free(mine[i], a);
    }
  }
  CHECK(refused > 0);
  CHECK_EQ(largest(a, POOL), all);
  omp_destroy_allocator(a);
}

int main(void) {
  alone();
  together();
  return 0;
}
