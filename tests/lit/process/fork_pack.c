/* fork_pack.c - fork between the tasks of a loop */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a child that its parent process forks between two tasks of a loop adds none to those
// of the parent process, makes tasks of the same construct, and has each run once; and that the
// parent's run once, too.
// nanogomp-only: libgomp's child waits for ever for what the parent's other threads run.
// REQUIRES: nanogomp
// The sanitizers of gcc 12 do not unlock their allocators in a forked child, and others allocate
// here.
// UNSUPPORTED: sanitizer, emulated
// RUN: %omp_test
#include "children.h"

enum { N = 200 };
static _Atomic(int) ran;

static void make(int n) {
  for (int i = 0; i < n; i++) {
#pragma omp task
    ran++;
  }
}

/* What was pending at the fork is the parent process's. */
static void child_work(void) {
  child_limit(30);
  ran = 0;
  make(N);
#pragma omp taskwait
  CHECK_EQ(ran, N);
#pragma omp taskgroup
  make(N);
  CHECK_EQ(ran, 2 * N);
}

static void fork_after(int n) {
  pid_t parent = getpid(), child = 0;
  ran = 0;
#pragma omp parallel
#pragma omp master
  {
    make(n);
    child = fork();
    if (child == 0)
      child_work();
    else
      make(N);
  }
  if (getpid() != parent) {
    CHECK_EQ(ran, 2 * N);
    ran = 0;
#pragma omp parallel
#pragma omp master
    make(N);
    CHECK_EQ(ran, N);
    _exit(5);
  }
  expect_child(child, 5);
  CHECK_EQ(ran, n + N);
}

int main(void) {
  for (int n = 0; n < 60; n += 7)
    fork_after(n);
  return 0;
}
