/* nest_lock.c - nestable locks: depth counts and ownership */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks nesting depth through omp_test_nest_lock's result, exclusion of other members while any
// depth is held, and counters under contention with recursion.
// RUN: %omp_test
#include "check.h"

static omp_nest_lock_t lock;
static long counter;

static void recurse(int depth, long turn) {
  omp_set_nest_lock(&lock);
  check_count_alone(&counter, turn);
  if (depth > 1)
    recurse(depth - 1, turn + 10);
  omp_unset_nest_lock(&lock);
}

int main(void) {
  omp_init_nest_lock(&lock);
  for (int depth = 1; depth <= 10; depth++)
    CHECK_EQ(omp_test_nest_lock(&lock), depth);
  omp_set_nest_lock(&lock);
  CHECK_EQ(omp_test_nest_lock(&lock), 12);
#pragma omp parallel num_threads(3)
  if (omp_get_thread_num() != 0)
    CHECK_EQ(omp_test_nest_lock(&lock), 0);
  for (int depth = 12; depth > 1; depth--) {
    omp_unset_nest_lock(&lock);
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1)
      CHECK_EQ(omp_test_nest_lock(&lock), 0);
  }
  omp_unset_nest_lock(&lock);
#pragma omp parallel num_threads(3)
  {
    int depth;
    while ((depth = omp_test_nest_lock(&lock)) == 0)
      check_busy(50);
    CHECK_EQ(depth, 1);
    CHECK_EQ(omp_test_nest_lock(&lock), 2);
    omp_unset_nest_lock(&lock);
    omp_unset_nest_lock(&lock);
  }
  long rounds = CHECK_TIMES(5000) / 4 * 4, n = omp_get_max_threads();
#pragma omp parallel
  for (long i = 0; i < rounds; i++)
    recurse(1 + (int)(i % 4), i);
  CHECK_EQ(counter, n * (rounds / 4 * 10));
  omp_destroy_nest_lock(&lock);
  return 0;
}
