/* critical.c - critical: mutual exclusion by name */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that unnamed and named criticals protect plain counters, that different names do not
// exclude each other (two members meet inside two of them), hints, and nesting in functions.
// RUN: %omp_test
#include "check.h"

static long counter[3], inside;

static void inner(long turn) {
#pragma omp critical(two)
  {
    check_count_alone(&counter[2], turn);
    CHECK_EQ(++inside, 1);
    inside--;
  }
}

/* Both must be inside at the same time, each in a critical of its own name. */
static void meet(int *met) {
  if (omp_get_thread_num() == 0) {
#pragma omp critical(left)
    {
      __atomic_add_fetch(met, 1, __ATOMIC_SEQ_CST);
      CHECK_WAIT_UNTIL(__atomic_load_n(met, __ATOMIC_SEQ_CST) == 2);
    }
  } else {
#pragma omp critical(right) hint(omp_sync_hint_contended)
    {
      __atomic_add_fetch(met, 1, __ATOMIC_SEQ_CST);
      CHECK_WAIT_UNTIL(__atomic_load_n(met, __ATOMIC_SEQ_CST) == 2);
    }
  }
}

int main(void) {
  long rounds = CHECK_TIMES(5000), n = omp_get_max_threads();
#pragma omp parallel
  for (long i = 0; i < rounds; i++) {
#pragma omp critical
    check_count_alone(&counter[0], i);
#pragma omp critical(one)
    {
      check_count_alone(&counter[1], i + 20);
      inner(i + 40);
    }
    if (i % 16 == 0)
      inner(i + 7);
  }
  CHECK_EQ(counter[0], n * rounds);
  CHECK_EQ(counter[1], n * rounds);
  CHECK_EQ(counter[2], n * (rounds + (rounds + 15) / 16));
  int met = 0;
#pragma omp parallel num_threads(2)
  meet(&met);
  CHECK_EQ(met, 2);
#pragma omp critical
  counter[0] = 0; /* outside any region */
#pragma omp critical(one) hint(omp_sync_hint_uncontended)
  counter[0]--;
  CHECK_EQ(counter[0], -1);
  return 0;
}
