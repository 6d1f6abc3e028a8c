/* lock_siblings.c - a task holds a lock over a taskwait while 1000 siblings want it */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a task that holds a lock while it waits for its children, or those of its taskgroup,
// gets at them among 1000 unrelated tasks that want that lock, made before and after it, with
// priorities or without, and that the thread that waits starts none of these, though for a while it
// has nothing else: one child waits for an event.
// nanogomp-only: libgomp 12 may hang at the end of a region with an event.
// REQUIRES: nanogomp
// RUN: %omp_build %s -o %t
// RUN: env OMP_NUM_THREADS=1 %omp_run %t
// RUN: env OMP_NUM_THREADS=2 %omp_run %t
// RUN: env OMP_NUM_THREADS=5 %omp_run %t
// RUN: env OMP_NUM_THREADS=16 %omp_run %t
// RUN: env OMP_NUM_THREADS=5 OMP_WAIT_POLICY=passive %omp_run %t
// RUN: env OMP_NUM_THREADS=1 OMP_MAX_TASK_PRIORITY=3 %omp_run %t
// RUN: env OMP_NUM_THREADS=2 OMP_MAX_TASK_PRIORITY=3 %omp_run %t
// RUN: env OMP_NUM_THREADS=5 OMP_MAX_TASK_PRIORITY=3 %omp_run %t
#include "check.h"

#include <pthread.h>
#include <stdatomic.h>

enum { SIBLINGS = 1000, CHILDREN = 20 };

static omp_lock_t lock;
static _Atomic(int) ran;
static long visits;
static _Atomic(omp_event_handle_t) pending;
static _Atomic(bool) over;

/* Long after the other children have ended. */
static void *fulfil(void *unused) {
  while (!over) {
    omp_event_handle_t event = atomic_exchange(&pending, 0);
    check_sleep_ms(event ? 3 : 0);
    if (event)
      omp_fulfill_event(event);
  }
  return unused;
}

static void wants(void) {
  omp_set_lock(&lock);
  visits++;
  omp_unset_lock(&lock);
}

static void children(int depth) {
  for (int i = 0; i < CHILDREN; i++) {
#pragma omp task
    {
      check_busy(100);
      ran++;
      if (depth > 0 && i % 10 == 0) {
        children(depth - 1);
#pragma omp taskwait
      }
    }
  }
}

static void last_child(void) {
  omp_event_handle_t event;
#pragma omp task detach(event)
  pending = event;
}

static void holds(bool group) {
  omp_set_lock(&lock);
  long before = visits;
  ran = 0;
  if (group) {
#pragma omp taskgroup
    {
      children(1);
      last_child();
    }
  } else {
    children(1);
    last_child();
#pragma omp taskwait
  }
  CHECK_EQ(ran, 3 * CHILDREN);
  CHECK_EQ(visits, before);
  visits++;
  omp_unset_lock(&lock);
}

/* The holder is the at-th of them. */
static void region(int at, bool group) {
  visits = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i <= SIBLINGS; i++) {
    if (i == at) {
#pragma omp task priority(2)
      holds(group);
    } else {
#pragma omp task priority(1 + i % 3)
      wants();
    }
  }
  CHECK_EQ(visits, SIBLINGS + 1);
}

int main(void) {
  pthread_t thread;
  CHECK_EQ(pthread_create(&thread, NULL, fulfil, NULL), 0);
  omp_init_lock(&lock);
  for (int r = 0; r < 10; r++) {
    region(0, r % 2);
    region(r * 37, r % 2);
    region(SIBLINGS, r % 2);
  }
  over = true;
  pthread_join(thread, NULL);
  omp_destroy_lock(&lock);
  return 0;
}
