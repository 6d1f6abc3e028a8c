/* fork_own_tasks.c - fork() in a region, whose child makes tasks that are put off */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that barriers and the region's end in the child wait for its own tasks, by a master and by
// a slave, and that its later regions know nothing of them. nanogomp-only: a child of libgomp
// cannot use the team it was forked in.
// REQUIRES: nanogomp
// UNSUPPORTED: sanitizer
// RUN: %omp_test
#include "check.h"

#include "children.h"
#include <pthread.h>
#include <stdint.h>

enum { YIELDS, EVENT, WAITS, WAYS };

static int n;
static char x; /* of dependences */

static void *fulfil(void *event) {
  usleep(20000);
  omp_fulfill_event((omp_event_handle_t)(uintptr_t)event);
  return 0;
}

static void yields(void) {
#pragma omp task untied
  {
#pragma omp taskyield
    n++;
  }
}

static void make_tasks(int way) {
  if (way == YIELDS) {
    yields();
  } else if (way == EVENT) {
    omp_event_handle_t event;
    pthread_t thread;
#pragma omp task detach(event) depend(out : x)
    {}
    CHECK_EQ(pthread_create(&thread, 0, fulfil, (void *)(uintptr_t)event), 0);
    CHECK_EQ(pthread_detach(thread), 0);
#pragma omp task depend(in : x)
    n++;
  } else {
#pragma omp task untied
    {
      yields();
#pragma omp taskwait
    }
  }
}

/* at_end: the region's end is the next barrier. */
static void child(int way, bool at_end) {
  child_limit(10);
  n = 0;
  make_tasks(way);
  if (at_end)
    return;
#pragma omp barrier
  CHECK_EQ(n, 1);
}

static void by_master(int way, bool at_end) {
  pid_t one = -1;
#pragma omp parallel num_threads(2)
#pragma omp master
  {
    one = fork();
    if (one == 0)
      child(way, at_end);
  }
  if (one == 0) {
    CHECK_EQ(n, 1);
    use_runtime(2);
    use_runtime(3);
    _exit(0);
  }
  expect_child(one, 0);
}

static void by_slave(int way) {
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 1) {
    pid_t one = fork();
    if (one == 0)
      child(way, false);
    else
      expect_child(one, 0);
  }
}

int main(void) {
  for (int way = 0; way < WAYS; way++) {
    by_master(way, true);
    by_master(way, false);
    if (way != WAITS) /* a tool hears of a region without a parent (docs/ompt.md) */
      by_slave(way);
  }
  return 0;
}
