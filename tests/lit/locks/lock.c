/* lock.c - simple locks: mutual exclusion, test, many locks */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks set/unset under contention with plain counters, omp_test_lock's results from the owner's
// and another member's side, and thousands of locks used by all members.
// RUN: %omp_test
#include "check.h"

enum { LOCKS = 5000 };

static omp_lock_t many[LOCKS];
static long value[LOCKS];

int main(void) {
  long rounds = CHECK_TIMES(20000), counter = 0, tried = 0, n = omp_get_max_threads();
  omp_lock_t lock;
  omp_init_lock(&lock);
#pragma omp parallel reduction(+ : tried)
  for (long i = 0; i < rounds; i++) {
    if (i % 4 == 3) {
      if (omp_test_lock(&lock)) {
        check_count_alone(&counter, i);
        omp_unset_lock(&lock);
        tried++;
      }
    } else {
      omp_set_lock(&lock);
      check_count_alone(&counter, i + 2);
      omp_unset_lock(&lock);
      tried++;
    }
  }
  CHECK_EQ(counter, tried);
  CHECK(tried >= rounds / 4 * 3 * n);
  CHECK_EQ(omp_test_lock(&lock), 1);
  CHECK_EQ(omp_test_lock(&lock), 0);
#pragma omp parallel num_threads(3)
  CHECK_EQ(omp_test_lock(&lock), 0);
  omp_unset_lock(&lock);
  omp_destroy_lock(&lock);
  for (int l = 0; l < LOCKS; l++)
    omp_init_lock(&many[l]);
#pragma omp parallel
  {
    uint64_t state = (uint64_t)omp_get_thread_num();
    for (long i = 0; i < rounds; i++) {
      /* Half of the visits go to a few locks, the others to all. */
      uint32_t l = check_random(&state) % (i % 2 ? 3 : LOCKS);
      omp_set_lock(&many[l]);
      check_count_alone(&value[l], i);
      omp_unset_lock(&many[l]);
    }
  }
  long sum = 0;
  for (int l = 0; l < LOCKS; l++) {
    sum += value[l];
    omp_destroy_lock(&many[l]);
  }
  CHECK_EQ(sum, rounds * n);
  return 0;
}
