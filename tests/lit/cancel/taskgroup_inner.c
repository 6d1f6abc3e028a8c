/* taskgroup_inner.c - a cancelled taskgroup leaves the taskgroups of its running tasks alone */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a task which was running when its taskgroup was cancelled gets the results of the
// taskgroups that it opens afterwards, and that a cancellation point means the innermost one.
// RUN: %omp_build %s -o %t && env OMP_CANCELLATION=true %omp_run %t
#include "check.h"

static _Atomic(int) begun, cancelled;
static int made, passed;

static void opens_others(void) {
  int first = 0, second = 0;
  begun = 1;
  CHECK_WAIT_UNTIL(cancelled);
  check_sleep_ms(5);
#pragma omp taskgroup
  {
#pragma omp task shared(first)
    first = 1;
  }
  made += first;
#pragma omp taskgroup
  {
#pragma omp task shared(second) if (0)
    {
#pragma omp cancellation point taskgroup
      second = 1;
    }
  }
  passed += second;
}

int main(void) {
  for (int round = 0; round < 20; round++) {
    begun = cancelled = made = passed = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskgroup
    {
#pragma omp task
      opens_others();
#pragma omp task
      {
        CHECK_WAIT_UNTIL(begun);
        cancelled = 1;
#pragma omp cancel taskgroup
      }
    }
    CHECK_EQ(made, begun);
    CHECK_EQ(passed, begun);
  }
  return 0;
}
