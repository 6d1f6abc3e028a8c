/* fork_waits.c - fork among unfinished tasks, then taskwait, taskgroup end, dependences */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a child waits for no task of its parent: in taskwait, at the end of a taskgroup, and
// with a task whose predecessors are the parent's.
// nanogomp-only: libgomp's child hangs when another member held one of its locks at the fork.
// REQUIRES: nanogomp
// The address sanitizer of gcc 12 does not unlock its allocator in a forked child.
// UNSUPPORTED: asan
// RUN: %omp_test
#include "children.h"

static int object;

static pid_t make_tasks_and_fork(void) {
  for (int t = 0; t < 8; t++) {
#pragma omp task depend(inout : object)
    check_sleep_ms(5);
  }
  pid_t child = fork();
  if (child == 0)
    child_limit(20);
  return child;
}

static void taskwait(void) {
  pid_t child = make_tasks_and_fork();
#pragma omp taskwait
  if (child == 0)
    _exit(7);
  expect_child(child, 7);
}

static void taskgroup(void) {
  pid_t child;
#pragma omp taskgroup
  child = make_tasks_and_fork();
  if (child == 0)
    _exit(8);
  expect_child(child, 8);
}

static void dependences(void) {
  pid_t child = make_tasks_and_fork();
  int ran = 0;
#pragma omp task depend(in : object) shared(ran)
  ran = 1;
#pragma omp taskwait depend(inout : object)
  CHECK(ran);
#pragma omp taskwait
  if (child == 0)
    _exit(9);
  expect_child(child, 9);
}

int main(void) {
#pragma omp parallel num_threads(3)
#pragma omp single
  {
    taskwait();
    taskgroup();
    dependences();
#pragma omp task
    taskwait(); /* in an explicit task's frame */
  }
  return 0;
}
