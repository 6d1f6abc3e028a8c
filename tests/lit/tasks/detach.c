/* detach.c - tasks with detach: who fulfils the event, and when */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks events that are fulfilled in the task, before its body ends, by another task, by a pthread
// outside the team; in a team of one and outside any region; taskwait, taskgroup and the end of a
// region wait for them. Argument 1: at the end of a region, too (libgomp 12 may hang there).
// RUN: %omp_build %s -o %t && %omp_run %t %own
#include <pthread.h>

#include "check.h"

struct late {
  omp_event_handle_t event;
  _Atomic(int) *flag; /* set before the event is fulfilled */
  long ms;
};

static void *fulfil_late(void *data) {
  struct late *l = data;
  check_sleep_ms(l->ms);
  if (l->flag)
    *l->flag = 1;
  omp_fulfill_event(l->event);
  free(l);
  return 0;
}

static pthread_t hand_over(omp_event_handle_t event, _Atomic(int) *flag, long ms) {
  struct late *l = malloc(sizeof *l);
  pthread_t thread;
  *l = (struct late){event, flag, ms};
  CHECK_EQ(pthread_create(&thread, 0, fulfil_late, l), 0);
  return thread;
}

static void inside(void) {
  omp_event_handle_t event;
  int ran = 0;
#pragma omp task detach(event) shared(ran)
  {
    omp_fulfill_event(event);
#pragma omp atomic
    ran++;
  }
#pragma omp taskwait
  CHECK_EQ(ran, 1);
}

static void by_pthread(long ms) {
  omp_event_handle_t event;
  _Atomic(int) flag = 0;
  pthread_t thread;
#pragma omp task detach(event) shared(flag, thread)
  thread = hand_over(event, &flag, ms);
#pragma omp taskwait
  CHECK_EQ(flag, 1);
  pthread_join(thread, 0);
  flag = 0;
#pragma omp taskgroup
  {
#pragma omp task detach(event) shared(flag, thread)
    thread = hand_over(event, &flag, ms);
  }
  CHECK_EQ(flag, 1);
  pthread_join(thread, 0);
}

/* The event is fulfilled while the body still runs: the task ends with its body. */
static void early(void) {
  omp_event_handle_t event;
  _Atomic(int) flag = 0, ended = 0;
#pragma omp task detach(event) shared(flag, ended)
  {
    pthread_t thread = hand_over(event, &flag, 0);
    pthread_join(thread, 0);
    CHECK_EQ(flag, 1);
    check_sleep_ms(1);
    ended = 1;
  }
#pragma omp taskwait
  CHECK_EQ(ended, 1);
}

/* The last task fulfils the events of all. */
static void by_task(void) {
  enum { EVENTS = 20 };
  omp_event_handle_t event[EVENTS];
  _Atomic(int) bodies = 0;
#pragma omp taskgroup
  for (int i = 0; i < EVENTS; i++) {
    omp_event_handle_t e;
#pragma omp task detach(e) shared(bodies, event) firstprivate(i)
    {
      event[i] = e;
      if (++bodies == EVENTS) {
        for (int j = 0; j < EVENTS; j++)
          omp_fulfill_event(event[j]);
      }
    }
  }
  CHECK_EQ(bodies, EVENTS);
}

/* The region's end waits. */
static void at_the_end(int members) {
  _Atomic(int) flag = 0;
  pthread_t thread;
#pragma omp parallel num_threads(members)
#pragma omp single nowait
  {
    omp_event_handle_t event;
#pragma omp task detach(event) shared(flag, thread)
    thread = hand_over(event, &flag, 2);
  }
  CHECK_EQ(flag, 1);
  pthread_join(thread, 0);
  flag = 0;
#pragma omp parallel num_threads(members)
  {
#pragma omp single nowait
    {
      omp_event_handle_t event;
#pragma omp task detach(event) shared(flag, thread)
      thread = hand_over(event, &flag, 2);
    }
#pragma omp barrier
    CHECK_EQ(flag, 1);
  }
  pthread_join(thread, 0);
}

/* A detached task's child is not waited for by its parent's taskwait, but by the region's end. */
static void with_children(void) {
  omp_event_handle_t event;
  int children = 0;
#pragma omp taskgroup
  {
#pragma omp task detach(event) shared(children)
    {
      for (int i = 0; i < 10; i++) {
#pragma omp task shared(children)
#pragma omp atomic
        children++;
      }
      omp_fulfill_event(event);
    }
  }
  CHECK_EQ(children, 10);
}

/* Many at once, from several pthreads. */
static void many(void) {
  enum { TASKS = 64 };
  static pthread_t thread[TASKS];
  _Atomic(int) flag[TASKS] = {0};
  for (int i = 0; i < TASKS; i++) {
    omp_event_handle_t event;
#pragma omp task detach(event) firstprivate(i) shared(flag)
    thread[i] = hand_over(event, &flag[i], i % 3);
  }
#pragma omp taskwait
  for (int i = 0; i < TASKS; i++) {
    CHECK_EQ(flag[i], 1);
    pthread_join(thread[i], 0);
  }
}

int main(int argc, char **argv) {
  bool ends = argc > 1 && atoi(argv[1]);
  for (int round = 0; round < 5; round++) {
#pragma omp parallel
#pragma omp single
    {
      inside();
      by_pthread(round);
      early();
      by_task();
      with_children();
      many();
    }
    if (ends) {
      at_the_end(omp_get_max_threads());
      at_the_end(1);
    }
    inside(); /* outside any region */
    by_pthread(round);
    early();
    with_children();
    many();
  }
  return 0;
}
