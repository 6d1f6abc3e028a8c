/* deep_priority.c - tasks with a priority, one made by the other, more than the stack may hold */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that the last one runs, outside any region, in a team of one and in a larger team, without
// a wait for it.
// RUN: %omp_build %s -o %t && env OMP_MAX_TASK_PRIORITY=2 %omp_run %t
#include "check.h"

enum { DEEP = 1000 };

static _Atomic(int) leaves;

static void path(int left) {
  if (left == 0) {
    leaves++;
    return;
  }
#pragma omp task priority(left % 3) firstprivate(left)
  path(left - 1);
}

int main(void) {
  path(DEEP);
  CHECK_EQ(leaves, 1);
#pragma omp parallel num_threads(1)
  path(DEEP);
  CHECK_EQ(leaves, 2);
#pragma omp parallel num_threads(3)
#pragma omp single
  path(DEEP);
  CHECK_EQ(leaves, 3);
  return 0;
}
