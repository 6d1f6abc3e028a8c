/* fork_untied.c - fork() in an untied task, whose child makes untied tasks that are suspended */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that in the child the waits of the task that has forked go on with its suspended
// children: it was started on a stack of its own, which it does not leave there any longer.
// nanogomp-only: a child of libgomp cannot use the team it was forked in.
// REQUIRES: nanogomp
// UNSUPPORTED: sanitizer
// RUN: %omp_test
#include "check.h"

#include "children.h"

static int n;

static void yields(int tasks) {
  for (int i = 0; i < tasks; i++) {
#pragma omp task untied
    {
#pragma omp atomic
      n++;
#pragma omp taskyield
    }
  }
}

static void inner(void) {
  n = 0;
  yields(1);
#pragma omp taskwait
  CHECK_EQ(n, 1);
#pragma omp taskgroup
  yields(3);
  CHECK_EQ(n, 4);
#pragma omp task untied
  {
    yields(3);
#pragma omp taskwait
  }
#pragma omp taskwait
  CHECK_EQ(n, 7);
}

int main(void) {
  for (int members = 1; members <= 3; members++) {
#pragma omp parallel num_threads(members)
#pragma omp single
#pragma omp task untied
    {
      inner();
      pid_t child = fork();
      if (child == 0) {
        child_limit(10);
        inner();
        _exit(0);
      }
      expect_child(child, 0);
    }
  }
  return 0;
}
