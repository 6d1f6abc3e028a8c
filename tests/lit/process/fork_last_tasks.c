/* fork_last_tasks.c - fork by a slave in a task that it runs after its part of the region */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a child whose only thread was a slave ends by itself, with status 0 and after its
// exit handlers, when the task returns: a task of the slave's own, one of the master's, one for
// which it is called back, one in a nested region. What else is queued is run by the parent only.
// nanogomp-only: libgomp's child waits for ever for threads that it does not have.
// REQUIRES: nanogomp
// The sanitizers of gcc 12 cannot end a process whose last thread is not the main one.
// UNSUPPORTED: sanitizer
// RUN: %omp_test
#include "children.h"

static pid_t parent;
static _Atomic(int) forked, rest;
static volatile pid_t child;
static int ends[2]; /* a pipe: each child's exit handler says something */

static void say(void) {
  if (getpid() != parent)
    CHECK_EQ(write(ends[1], "x", 1), 1);
}

static void make_tasks(void) {
#pragma omp task
  {
    pid_t made = fork();
    if (made == 0) {
      child_limit(5);
    } else {
      CHECK(omp_get_thread_num() != 0);
      child = made;
      forked = 1;
    }
  }
  for (int t = 0; t < 3; t++) {
#pragma omp task
    {
      if (getpid() != parent)
        _exit(98);
      rest++;
    }
  }
}

/* The master stays in its body until the slave has forked. */
static void one_region(int maker, long delay) {
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == maker) {
      check_sleep_ms(delay);
      make_tasks();
    }
    if (omp_get_thread_num() == 0)
      CHECK_WAIT_UNTIL(forked);
  }
}

static void check(void (*region)(int, long), int maker, long delay) {
  char said = 0;
  forked = rest = 0;
  region(maker, delay);
  if (getpid() != parent)
    _exit(99);
  expect_child(child, 0);
  CHECK_EQ(read(ends[0], &said, 1), 1);
  CHECK_EQ(rest, 3);
}

static void nested(int maker, long delay) {
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 1) {
    one_region(maker, delay);
    if (getpid() != parent)
      _exit(97);
  }
}

int main(void) {
  parent = getpid();
  CHECK_EQ(pipe(ends), 0);
  CHECK_EQ(atexit(say), 0);
  omp_set_max_active_levels(2);
  for (int round = 0; round < 3; round++) {
    check(one_region, 0, 0);
    check(one_region, 1, 0);
    check(one_region, 0, 20); /* the slave has docked */
    check(nested, 0, 0);
    check(nested, 1, 0);
  }
  return 0;
}
