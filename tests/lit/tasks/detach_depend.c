/* detach_depend.c - detached tasks with dependences, undeferred ones */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that successors wait for the event, that an undeferred task (if, final) ends with its
// event, and that a member of a mutexinoutset group that is held up does not hold up the others.
// nanogomp-only: libgomp 12 starts successors when the body has returned; its mutexinoutset is
// inout.
// REQUIRES: nanogomp
// RUN: %omp_test
#include <pthread.h>

#include "check.h"

int x, y; /* for their addresses */

struct late {
  omp_event_handle_t event;
  _Atomic(int) *flag;
};
static void *fulfil_late(void *data) {
  struct late l = *(struct late *)data;
  free(data);
  check_sleep_ms(2);
  *l.flag = 1;
  omp_fulfill_event(l.event);
  return 0;
}
static void hand_over(omp_event_handle_t event, _Atomic(int) *flag) {
  struct late *l = malloc(sizeof *l);
  pthread_t thread;
  *l = (struct late){event, flag};
  CHECK_EQ(pthread_create(&thread, 0, fulfil_late, l), 0);
  pthread_detach(thread);
}

static void successors(void) {
  _Atomic(int) flag = 0, ran = 0;
  omp_event_handle_t event;
#pragma omp task detach(event) depend(out : x) shared(flag)
  hand_over(event, &flag);
  for (int i = 0; i < 5; i++) {
#pragma omp task depend(in : x) depend(out : y) shared(flag, ran)
    {
      CHECK_EQ(flag, 1);
      ran++;
    }
  }
#pragma omp taskwait depend(in : y)
  CHECK_EQ(ran, 5);
  flag = 0;
#pragma omp task detach(event) depend(out : x) shared(flag)
  hand_over(event, &flag);
#pragma omp task if (0) depend(in : x) shared(flag, ran)
  {
    CHECK_EQ(flag, 1);
    ran++;
  }
  CHECK_EQ(ran, 6);
#pragma omp taskwait
}

static void undeferred(void) {
  _Atomic(int) flag = 0, ran = 0;
  omp_event_handle_t event;
#pragma omp task if (0) detach(event) shared(flag)
  hand_over(event, &flag);
  CHECK_EQ(flag, 1);
  flag = 0;
#pragma omp task if (0) detach(event) shared(flag, ran) depend(inout : x)
  {
#pragma omp task shared(ran)
    ran++;
    hand_over(event, &flag);
#pragma omp taskwait
  }
  CHECK_EQ(flag, 1);
  CHECK_EQ(ran, 1);
#pragma omp task if (0) detach(event) shared(ran)
  {
    omp_fulfill_event(event);
    ran++;
  }
  CHECK_EQ(ran, 2);
}

/* `held` waits for y; the two others of its group do not: the second lets y go. */
static void group(void) {
  _Atomic(int) ran = 0, held = 0;
  omp_event_handle_t event, *e = &event;
#pragma omp task detach(event) depend(out : y)
  (void)event;
#pragma omp task depend(mutexinoutset : x) depend(in : y) shared(held, ran)
  {
    CHECK_EQ(ran, 2);
    held = 1;
  }
  for (int i = 0; i < 2; i++) {
#pragma omp task depend(mutexinoutset : x) shared(held, ran) firstprivate(e)
    {
      CHECK_EQ(held, 0);
      if (++ran == 2)
        omp_fulfill_event(*e);
    }
  }
#pragma omp task depend(in : x) shared(held, ran)
  CHECK(held == 1 && ran == 2);
#pragma omp taskwait
  CHECK_EQ(held, 1);
}

int main(void) {
  for (int round = 0; round < 20; round++) {
#pragma omp parallel
#pragma omp single
    {
      successors();
      undeferred();
      group();
    }
    successors();
    undeferred();
    group();
  }
  return 0;
}
