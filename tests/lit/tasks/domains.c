/* domains.c - trees of memory domains: tasks of all kinds, in teams that do not fit them */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that each task runs once and that waits end: with priorities from every member, made ready
// by a thread outside the team, aimed at domains where nobody has time, in nested teams, after
// changes of size, and in a forked child.
// nanogomp-only: libgomp 12 crashes in a taskwait among tasks of several priorities; NTH_DOMAINS is
// ours.
// REQUIRES: nanogomp
// RUN: %omp_build %s -o %t
// RUN: env OMP_MAX_TASK_PRIORITY=1000 %omp_run %t
// RUN: env NTH_DOMAINS=2x2 OMP_MAX_TASK_PRIORITY=1000 %omp_run %t
// RUN: env NTH_DOMAINS=2x4 OMP_MAX_TASK_PRIORITY=1000 %omp_run %t
// RUN: env NTH_DOMAINS=4x2x2 OMP_MAX_TASK_PRIORITY=1000 %omp_run %t
// RUN: env NTH_DOMAINS=8x1 %omp_run %t
#include "check.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TASKS = 60, EVENTS = 20 };

/* Every member makes tasks with priorities, which make more. */
static void priorities(void) {
  int ran = 0, members = 0;
#pragma omp parallel
  {
#pragma omp atomic
    members++;
    for (int i = 0; i < TASKS; i++) {
#pragma omp task priority(i % 7 * 150)
      {
#pragma omp task priority(i % 3)
        {
#pragma omp atomic
          ran++;
        }
        if (i % 5 == 0) {
#pragma omp taskwait
        }
      }
    }
#pragma omp taskwait
#pragma omp barrier
  }
  CHECK_EQ(ran, members * TASKS);
}

/* One makes all tasks and runs them, while the other is busy: the highest first. */
static void in_order(void) {
  int order[16], ran = 0, members = 1;
#pragma omp parallel num_threads(2) shared(order, ran, members)
  {
#pragma omp single
    members = omp_get_num_threads();
    if (omp_get_thread_num() == 0) {
      for (int i = 0; i < 16; i++) {
#pragma omp task priority(1 + i * 50) firstprivate(i) shared(order, ran)
        {
          int at;
#pragma omp atomic capture
          at = ran++;
          order[at] = i;
        }
      }
#pragma omp taskwait
    } else {
      CHECK_WAIT_UNTIL(__atomic_load_n(&ran, __ATOMIC_ACQUIRE) == 16);
    }
  }
  for (int i = 0; i < 16; i++)
    CHECK(omp_get_max_task_priority() == 0 || members == 1 || order[i] == 15 - i);
}

static omp_event_handle_t event[EVENTS];

static void *fulfill(void *arg) {
  (void)arg;
  for (int i = 0; i < EVENTS; i++) {
    check_sleep_ms(1);
    omp_fulfill_event(event[i]);
  }
  return 0;
}

/* Successors of tasks whose events a thread outside fulfils, while the members sleep in a wait for
 * them. */
static void from_outside(void) {
  int done[EVENTS] = {0}, x[EVENTS] = {0};
  pthread_t thread;
#pragma omp parallel shared(done, x)
  {
#pragma omp single
    {
      for (int i = 0; i < EVENTS; i++) {
        omp_event_handle_t one;
#pragma omp task depend(out : x[i]) detach(one)
        {}
        event[i] = one;
#pragma omp task depend(in : x[i]) priority(i % 2) firstprivate(i)
        done[i] = 1 + x[i];
      }
      CHECK_EQ(pthread_create(&thread, 0, fulfill, 0), 0);
#pragma omp taskwait
      for (int i = 0; i < EVENTS; i++)
        CHECK_EQ(done[i], 1);
    }
  }
  CHECK_EQ(pthread_join(thread, 0), 0);
}

static void teams(int outer, int inner) {
  int ran = 0;
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(outer) shared(ran)
  {
#pragma omp parallel num_threads(inner) shared(ran)
    {
      for (int i = 0; i < 20; i++) {
#pragma omp task priority(i % 2)
        {
#pragma omp atomic
          ran++;
        }
      }
    }
  }
  CHECK_EQ(ran, outer * inner * 20);
}

/* A child has nobody around it, and none of its parent's tasks. */
static void forked(void) {
#pragma omp parallel
  {
#pragma omp single
    {
      for (int i = 0; i < 10; i++) {
#pragma omp task priority(5)
        check_sleep_ms(1);
      }
      pid_t child = fork();
      if (child == 0) {
        int ran = 0;
        for (int i = 0; i < 10; i++) {
#pragma omp task priority(i % 2) shared(ran)
          ran++;
        }
#pragma omp taskwait
        _exit(ran == 10 ? 7 : 1);
      }
      int status = 0;
      CHECK_EQ(waitpid(child, &status, 0), child);
      CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    }
  }
}

int main(void) {
  for (int r = 0; r < 5; r++) {
    priorities();
    in_order();
    from_outside();
  }
  static const int sizes[][2] = {{1, 2}, {2, 3}, {3, 1}, {2, 5}};
  for (int i = 0; i < 8; i++)
    teams(sizes[i % 4][0], sizes[i % 4][1]);
  forked();
  return 0;
}
