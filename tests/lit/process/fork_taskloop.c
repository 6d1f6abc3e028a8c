/* fork_taskloop.c - fork in the tasks of a taskloop */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that the child of a task, one of many, uses the runtime and can come out of its task, and
// that the loop is complete in the parent, each task run once, whoever forks.
// nanogomp-only: libgomp's child hangs when another member held one of its locks at the fork.
// REQUIRES: nanogomp
// The sanitizers of gcc 12 do not unlock their allocators in a forked child, and others allocate
// here.
// UNSUPPORTED: sanitizer, emulated
// RUN: %omp_test
#include "children.h"

enum { N = 2000 };
static _Atomic(int) ran[N];

/* The child works, then ends in its task, or behind the loop if its thread is the one that met it:
 * other threads end with the region. */
static void fork_here(int i, int maker) {
  bool stays = omp_get_thread_num() != maker || i % 2;
  pid_t child = fork();
  if (child != 0) {
    expect_child(child, stays ? 5 : 6);
    return;
  }
  child_limit(30);
  use_runtime(1 + i % 4);
  int own = 0;
#pragma omp taskloop grainsize(1) shared(own)
  for (int j = 0; j < 100; j++)
    own++;
  CHECK_EQ(own, 100);
  if (stays)
    _exit(5);
}

int main(void) {
  pid_t parent = getpid();
  for (int round = 0; round < 5; round++) {
    memset((void *)ran, 0, sizeof ran);
#pragma omp parallel num_threads(3)
#pragma omp single
    {
      int maker = omp_get_thread_num();
#pragma omp taskloop grainsize(1)
      for (int i = 0; i < N; i++) {
        ran[i]++;
        check_busy(100);
        if (i % 300 == 17 * round)
          fork_here(i, maker);
        if (i % 7 == 0) {
#pragma omp task
          check_busy(10);
        }
      }
      if (getpid() != parent)
        _exit(6);
      for (int i = 0; i < N; i++)
        CHECK_EQ(ran[i], 1);
    }
  }
  return 0;
}
