/* untied_ways.h - ways in which an untied task waits for what no other task tells it
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef UNTIED_WAYS_H
#define UNTIED_WAYS_H

#include <stdatomic.h>

#include "check.h"

enum way { TASKWAIT_DEPEND, UNDEFERRED_DEPEND, UNDEFERRED_EVENT, WAYS };

static omp_event_handle_t event[WAYS]; /* what ends the wait of that way */
static atomic_int waiting;             /* how many have set their event */
static char object;

/* Waits until somebody fulfils event[way]. */
static inline void wait_in(enum way way) {
  omp_event_handle_t mine;
  if (way == UNDEFERRED_EVENT) {
#pragma omp task detach(mine) if (0)
    {
      event[way] = mine;
      waiting++;
    }
    return;
  }
#pragma omp task detach(mine) depend(out : object) firstprivate(way)
  {
    event[way] = mine;
    waiting++;
  }
  if (way == TASKWAIT_DEPEND) {
#pragma omp taskwait depend(in : object)
  } else {
#pragma omp task depend(in : object) if (0)
    {}
  }
}

/* Ends that wait, once it has begun: nothing tells that the waiter sleeps by now. */
static inline void end_wait(enum way way) {
  while (!waiting)
    check_sleep_ms(1);
  check_sleep_ms(10);
  omp_fulfill_event(event[way]);
}

#endif
