/* backlog_event.c - many tasks behind one event that their maker fulfils after them */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a maker that is far ahead does not wait for a dependence that only it can resolve.
// nanogomp-only: libgomp runs the task undeferred and waits for ever.
// REQUIRES: nanogomp
// RUN: %omp_test
#include "check.h"

static char x; /* of dependences */

#define TASKS 5000

int main(void) {
  for (int round = 0; round < 5; round++) {
    int ran = 0;
#pragma omp parallel
#pragma omp single
    {
      omp_event_handle_t event;
#pragma omp task depend(out : x) detach(event)
      {}
      for (int t = 0; t < TASKS; t++) {
#pragma omp task depend(in : x) shared(ran)
        {
#pragma omp atomic
          ran++;
        }
      }
      CHECK_EQ(ran, 0);
      omp_fulfill_event(event);
    }
    CHECK_EQ(ran, TASKS);
  }
  return 0;
}
