/* docked.c - members that have ended their part run what becomes ready later */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that tasks are run by members that have nothing left to do in the region, while the master
// is busy in its own code: made by a member, by the master, or made ready by an event that a
// member, the master or a thread outside the team fulfils; by as many members as there are.
// RUN: %omp_test
#include <pthread.h>

#include "check.h"

static omp_event_handle_t handle;
static _Atomic(int) have, go, here, left;
static int object;

static void reset(void) { have = go = here = left = 0; }

/* A task that wants `n` threads at once. */
static void meet(int n) {
  here++;
  CHECK_WAIT_UNTIL(here >= n);
  left++;
}

/* Unfinished until the event is fulfilled; `tasks` tasks wait for it, and meet. */
static void make_waiting(int tasks) {
  omp_event_handle_t event;
#pragma omp task detach(event) depend(out : object)
  {
    handle = event;
    have = 1;
  }
  for (int t = 0; t < tasks; t++) {
#pragma omp task depend(in : object)
    meet(tasks);
  }
}

static void *fulfil_later(void *unused) {
  CHECK_WAIT_UNTIL(have);
  check_sleep_ms(30);
  omp_fulfill_event(handle);
  return unused;
}

/* The event of another thread: the master is in its body, or at the region's end with the
 * others. */
static void from_outside(bool busy_master, int tasks) {
  pthread_t thread;
  reset();
  CHECK_EQ(pthread_create(&thread, NULL, fulfil_later, NULL), 0);
#pragma omp parallel num_threads(4)
  {
    if (omp_get_thread_num() == 1)
      make_waiting(tasks);
    if (omp_get_thread_num() == 0 && busy_master)
      CHECK_WAIT_UNTIL(left == tasks);
  }
  CHECK_EQ(left, tasks);
  CHECK_EQ(pthread_join(thread, NULL), 0);
}

/* The event of a member, who stays in its body. */
static void from_member(int who, int tasks) {
  reset();
#pragma omp parallel num_threads(4)
  {
    if (omp_get_thread_num() == 1)
      make_waiting(tasks);
    if (omp_get_thread_num() == who) {
      CHECK_WAIT_UNTIL(have);
      check_sleep_ms(30);
      omp_fulfill_event(handle);
      CHECK_WAIT_UNTIL(left == tasks);
    }
  }
}

/* Tasks made by a member; the master, or member 1 when that is the maker, is busy until they have
 * run. */
static void from_maker(int maker, int tasks) {
  reset();
#pragma omp parallel num_threads(4)
  {
    if (omp_get_thread_num() == 1 - maker)
      CHECK_WAIT_UNTIL(go);
    if (omp_get_thread_num() == maker) {
      check_sleep_ms(30);
      for (int t = 0; t < tasks; t++) {
#pragma omp task
        meet(tasks);
      }
      CHECK_WAIT_UNTIL(left == tasks);
      go = 1;
    }
  }
}

int main(void) {
  for (int tasks = 1; tasks < 4; tasks++) {
    from_outside(true, tasks);
    from_member(0, tasks);
  }
  from_outside(false, 4);
  for (int tasks = 1; tasks < 3; tasks++) {
    from_member(2, tasks);
    from_maker(0, tasks);
    from_maker(1, tasks);
  }
  return 0;
}
