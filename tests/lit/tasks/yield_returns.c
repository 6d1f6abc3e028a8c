/* yield_returns.c - a taskyield returns soon though it has begun an untied task that waits */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tied task yields many times, and then fulfills the event for which its untied child waits. A
// yield that has begun the child must not sleep with it: neither until the event, which would never
// come, nor for a moment each time.
// RUN: %omp_test
// RUN: env NTH_TEST_BERTHS=1 %omp_run %t
#include "check.h"

#include <stdatomic.h>
#include <time.h>

enum { YIELDS = 20000 };

static omp_event_handle_t event;
static atomic_bool waits;
static char object;

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void wait_for_event(void) {
  omp_event_handle_t mine;
#pragma omp task detach(mine) depend(out : object)
  {
    event = mine;
    waits = true;
  }
#pragma omp taskwait depend(in : object)
}

static void yield_in_team_of(int members) {
  waits = false;
#pragma omp parallel num_threads(members)
#pragma omp single
  {
#pragma omp task untied
    wait_for_event();
    double begin = seconds();
    for (int i = 0; i < YIELDS; i++) {
#pragma omp taskyield
    }
    CHECK(seconds() - begin < YIELDS / 2000.0);
    while (!waits) /* on libgomp the other member begins it */
      check_sleep_ms(1);
    check_sleep_ms(10);
    omp_fulfill_event(event);
  }
}

int main(void) {
  omp_set_dynamic(0);
  yield_in_team_of(2);
  return 0;
}
