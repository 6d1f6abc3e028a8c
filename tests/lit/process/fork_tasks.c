/* fork_tasks.c - fork with tasks around: inside a task, and with tasks waiting */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a child made inside a task, or while tasks are queued, uses the runtime; the tasks
// themselves run once, in the parent.
// nanogomp-only: libgomp's child hangs when another member held one of its locks at the fork.
// REQUIRES: nanogomp
// The sanitizers of gcc 12 do not unlock their allocators in a forked child, and others allocate
// here.
// UNSUPPORTED: sanitizer, emulated
// RUN: %omp_test
#include "children.h"

int main(void) {
  for (int round = 0; round < 6; round++) {
    long ran = 0, children = 0;
#pragma omp parallel num_threads(3)
#pragma omp single
    {
      for (int t = 0; t < 100; t++) {
#pragma omp task shared(ran)
        {
          check_busy(1000);
#pragma omp atomic
          ran++;
        }
        if (t % 33 == 0) {
#pragma omp task shared(children) firstprivate(t) if (t % 2)
          {
            pid_t child = fork();
            if (child == 0) {
              child_limit(30);
              use_runtime(1 + t % 4);
              _exit(5);
            }
            expect_child(child, 5);
#pragma omp atomic
            children++;
          }
        }
      }
      pid_t child = fork(); /* with tasks still queued */
      if (child == 0) {
        int own = 0;
        child_limit(30);
#pragma omp taskgroup
        {
#pragma omp task shared(own)
          own++;
        }
        CHECK_EQ(own, 1);
        use_runtime(2);
        _exit(6);
      }
      expect_child(child, 6);
    }
    CHECK_EQ(ran, 100);
    CHECK_EQ(children, 4);
  }
  return 0;
}
