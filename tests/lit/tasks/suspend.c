/* suspend.c - tasks that a library suspends go on when another thread, or the poll, says so */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that far more tasks than threads are suspended at once, by nth_suspend_begin(), and go on
// in their own thread when a task, a thread outside the team or the function that waits poll calls
// nth_suspend_over(); that nothing is suspended in a tied task or outside regions; and that a
// poll that fulfils an event ends a region whose members sleep.
// RUN: %omp_build %library %s -o %t -I%S/../../../abi/include
// RUN: %omp_run %t
// REQUIRES: nanogomp
// nanogomp-only: libgomp has no such functions.
#define _GNU_SOURCE
#include "check.h"

#include <nanogomp/suspend.h>
#include <pthread.h>
#include <unistd.h>

enum { MANY = CHECK_TIMES(400) };

static struct nth_suspension all[MANY];
static _Atomic(int) shown[MANY], suspended, ran, mismatched, at_once;
static int written[MANY];

static int own;
#pragma omp threadprivate(own)

/* One task: waits until somebody has written its number. */
static void wait_for(int i) {
  int *mine = &own;
  CHECK(nth_suspend_here());
  if (nth_suspend_begin(&all[i])) {
    suspended++;
    shown[i] = 1;
    nth_suspend_wait(&all[i]);
    if (written[i] != i + 1 || mine != &own)
      mismatched = 1;
  } else {
    at_once++;
  }
  ran++;
}

static void resume(int i) {
  written[i] = i + 1;
  nth_suspend_over(&all[i]);
}

static void begin(void) {
  suspended = ran = mismatched = at_once = 0;
  for (int i = 0; i < MANY; i++)
    shown[i] = written[i] = 0;
}

static void end(void) {
  CHECK_EQ(ran, MANY);
  CHECK_EQ(mismatched, 0);
  CHECK_EQ(at_once, 0);
}

static void *outside(void *arg) {
  for (int i = MANY - 1; i >= 0; i--) {
    while (!shown[i])
      usleep(100);
    resume(i);
  }
  return arg;
}

static void by_thread(void) {
  pthread_t t;
  begin();
  CHECK_EQ(pthread_create(&t, 0, outside, 0), 0);
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < MANY; i++) {
#pragma omp task untied firstprivate(i)
    wait_for(i);
  }
  CHECK_EQ(pthread_join(t, 0), 0);
  end();
}

static void by_task(void) {
  begin();
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < MANY; i++) {
#pragma omp task untied firstprivate(i)
      wait_for(i);
    }
#pragma omp task untied
    for (int i = 0; i < MANY; i++) {
      while (!shown[i]) {
#pragma omp taskyield
      }
      resume(i);
    }
#pragma omp taskwait
  }
  end();
}

/* --- by the poll --- */

static _Atomic(int) polls, next, busy, event_is_due;
static omp_event_handle_t event;

static uint64_t poll(int sleeps) {
  int none = 0;
  polls++;
  if (!__atomic_compare_exchange_n((int *)&busy, &none, 1, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
    return sleeps ? 100000 : 0;
  int i = next;
  if (i < MANY && shown[i]) {
    next = i + 1;
    resume(i);
  }
  if (event_is_due && polls > 20) {
    event_is_due = 0;
    omp_fulfill_event(event);
  }
  busy = 0;
  return sleeps ? 100000 : 0;
}

static void by_poll(void) {
  begin();
  next = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < MANY; i++) {
#pragma omp task untied firstprivate(i)
    wait_for(i);
  }
  end();
}

static void event_by_poll(void) {
  int seen = 0, x = 0;
  (void)x; /* gcc 12 does not see it in the clauses */
#pragma omp parallel
#pragma omp single
  {
    omp_event_handle_t mine;
#pragma omp task detach(mine) depend(out : x)
    {
      event = mine;
      polls = 0;
      event_is_due = 1;
    }
#pragma omp task depend(in : x) shared(seen)
    seen = 1;
  }
  CHECK_EQ(seen, 1);
}

static void elsewhere(void) {
  struct nth_suspension s;
  CHECK(!nth_suspend_here() && !nth_suspend_begin(&s));
#pragma omp parallel num_threads(1)
  {
    CHECK(!nth_suspend_here());
#pragma omp task
    CHECK(!nth_suspend_begin(&s));
  }
}

int main(void) {
  elsewhere();
  nth_suspend_always();
  by_thread();
  by_task();
  nth_suspend_poll(poll);
  by_poll();
  event_by_poll();
  by_thread();
  nth_suspend_poll(0);
  by_task();
  return 0;
}
