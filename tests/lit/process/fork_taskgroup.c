/* fork_taskgroup.c - fork while taskgroups are open */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that the child ends the taskgroups that its thread has open, without the tasks of the
// parent process, and opens others; and that the parent waits for its tasks.
// nanogomp-only: libgomp's child waits for ever for what the parent's other threads run.
// REQUIRES: nanogomp
// The sanitizers of gcc 12 do not unlock their allocators in a forked child, and others allocate
// here.
// UNSUPPORTED: sanitizer, emulated
// RUN: %omp_test
#include "children.h"

static _Atomic(int) ran, running, go;

static void groups(int depth) {
  _Atomic(int) own = 0;
#pragma omp taskgroup
  {
#pragma omp task shared(own)
    own++;
    if (depth > 0)
      groups(depth - 1);
  }
  CHECK_EQ(own, 1);
}

/* A task runs elsewhere, others wait in the queue. */
static void fork_inside(void) {
  pid_t parent = getpid(), child = 0;
#pragma omp taskgroup
  {
#pragma omp taskgroup
    {
#pragma omp task
      {
        running = 1;
        CHECK_WAIT_UNTIL(go);
        ran++;
      }
      if (omp_get_num_threads() > 1)
        CHECK_WAIT_UNTIL(running);
      for (int i = 0; i < 5; i++) {
#pragma omp task
        ran++;
      }
      child = fork();
      if (child == 0)
        child_limit(30);
      groups(20);
      go = 1;
    }
    if (child == 0)
      groups(3);
  }
  if (getpid() != parent) {
    use_runtime(3);
    groups(20);
    _exit(5);
  }
  CHECK_EQ(ran, 6);
  expect_child(child, 5);
}

int main(void) {
  for (int round = 0; round < 10; round++) {
    ran = running = go = 0;
#pragma omp parallel num_threads(3)
#pragma omp single
    fork_inside();
  }
  return 0;
}
