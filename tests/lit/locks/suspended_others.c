/* suspended_others.c - a free lock goes to a suspended task whose member is there */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that of tasks of two members which were suspended for a lock the second member's gets it,
// though the first member, whose task came first, works on something else until then.
// RUN: %omp_test
#include "check.h"

static omp_lock_t lock;
static _Atomic(int) suspended[2], taken, done;

static void first_and_second(int me) {
  CHECK_WAIT_UNTIL(taken);
  if (me == 2)
    CHECK_WAIT_UNTIL(suspended[0]);
  check_sleep_ms(2 * me);
#pragma omp task untied firstprivate(me)
  {
    suspended[me - 1] = 1;
    omp_set_lock(&lock);
    if (me == 2)
      done = 1;
    omp_unset_lock(&lock);
  }
  while (!suspended[me - 1]) {
#pragma omp taskyield
  }
  if (me == 1)
    CHECK_WAIT_UNTIL(done);
}

int main(void) {
  omp_init_lock(&lock);
  for (int round = 0; round < 5; round++) {
    suspended[0] = suspended[1] = taken = done = 0;
#pragma omp parallel num_threads(3)
    {
      int me = omp_get_thread_num();
      if (me > 0) {
        first_and_second(me);
      } else {
        omp_set_lock(&lock);
        taken = 1;
        CHECK_WAIT_UNTIL(suspended[0] && suspended[1]);
        check_sleep_ms(5);
        omp_unset_lock(&lock);
      }
    }
    CHECK(done);
  }
  omp_destroy_lock(&lock);
  return 0;
}
