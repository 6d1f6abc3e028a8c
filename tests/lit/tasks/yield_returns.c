/* yield_returns.c - a taskyield returns soon though it has begun an untied task that waits */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tied task yields many times, and then fulfills the event for which its untied child waits. A
// yield that has begun the child must not sleep with it: neither until the event, which would never
// come, nor for a moment each time.
// RUN: %omp_test
// RUN: env NTH_TEST_BERTHS=1 %omp_run %t
#include "Inputs/untied_ways.h"

enum { YIELDS = 20000 };

static void yield_in_team_of(int members) {
  waiting = 0;
#pragma omp parallel num_threads(members)
#pragma omp single
  {
#pragma omp task untied
    wait_in(TASKWAIT_DEPEND);
    double begin = check_seconds();
    for (int i = 0; i < YIELDS; i++) {
#pragma omp taskyield
    }
    CHECK(check_seconds() - begin < YIELDS / 2000.0);
    end_wait(TASKWAIT_DEPEND); /* on libgomp the other member begins it */
  }
}

int main(void) {
  omp_set_dynamic(0);
  yield_in_team_of(2);
  return 0;
}
