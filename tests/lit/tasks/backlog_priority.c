/* backlog_priority.c - many tasks with priorities: order, and a cost that does not grow */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that, of tasks made ready together, higher priorities run first, and that each of 100000
// runs once, in a time that does not grow with the square of their number.
// nanogomp-only: libgomp keeps no such order among tasks that an event makes ready.
// REQUIRES: nanogomp
// RUN: %omp_build %s -o %t
// RUN: env OMP_MAX_TASK_PRIORITY=1000 %omp_run %t
#include "check.h"

static char x; /* of dependences */

#define TASKS CHECK_TIMES(100000)
#define LEVELS 7

static int last_priority, ran;

/* In a team of one all run in the taskwait. */
static void order(void) {
  omp_event_handle_t event;
  last_priority = LEVELS;
#pragma omp task depend(out : x) detach(event)
  {}
  for (int t = 0; t < TASKS; t++) {
    int p = t * 5 % LEVELS;
#pragma omp task depend(in : x) priority(p) firstprivate(p)
    {
      CHECK(p <= last_priority);
      last_priority = p;
      ran++;
    }
  }
  omp_fulfill_event(event);
#pragma omp taskwait
  CHECK_EQ(ran, TASKS);
}

int main(void) {
#pragma omp parallel num_threads(1)
  order();
  return 0;
}
