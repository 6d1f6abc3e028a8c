/* suspend_wakes.c - nth_suspend_poll() wakes members that sleep, so that they poll */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A poll has nothing to look after, and lets members sleep as long as they like. Then there is
// something: its maker calls nth_suspend_poll() again, and waits in no construct of OpenMP. A
// member that slept at a barrier polls, fulfils an event, and runs the task that depends on it.
// nanogomp-only: libgomp has no such functions.
// REQUIRES: nanogomp
// RUN: %omp_build %library %s -o %t -I%S/../../../abi/include
// RUN: %omp_run %t
// RUN: env OMP_WAIT_POLICY=passive %omp_run %t
#include "check.h"

#include <nanogomp/suspend.h>
#include <stdatomic.h>

static omp_event_handle_t event;
static atomic_bool due, ended;
static char object;

static uint64_t poll(int sleeps) {
  if (atomic_exchange(&due, false))
    omp_fulfill_event(event);
  return sleeps && due ? 100000 : 0;
}

int main(void) {
  omp_set_dynamic(0);
  nth_suspend_poll(poll);
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    omp_event_handle_t mine;
#pragma omp task detach(mine) depend(out : object)
    event = mine;
#pragma omp task depend(in : object)
    ended = true;
    check_sleep_ms(100); /* the other member has run the task's body, and sleeps */
    due = true;
    nth_suspend_poll(poll);
    for (int ms = 0; !ended && ms < 5000; ms++)
      check_sleep_ms(1);
    CHECK(ended);
  }
  return 0;
}
