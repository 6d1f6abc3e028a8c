/* undeferred_deep.c - undeferred tasks in undeferred tasks, deferred children far down, ICVs in
 * them */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks what belongs to a task (taskwait, taskgroup, ICVs, final, dependences) at each depth,
// before and after a deferred child is made below it: its children only are waited for, and changes
// of ICVs are seen by its later children and by nobody around it.
// RUN: %omp_test
#include "check.h"

static _Atomic(long) leaves;

static void children(int level, int n) {
  for (int i = 0; i < n; i++) {
#pragma omp task firstprivate(level)
    {
      CHECK_EQ(omp_get_max_threads(), level + 100);
      omp_set_num_threads(3);
      CHECK_EQ(omp_get_max_threads(), 3);
      leaves++;
    }
  }
}

/* at: the depths, as bits, where deferred children are made on the way down; up: on the way up. */
static void deep(int level, int depth, unsigned at, unsigned up) {
  int mine = 0, outer = omp_get_max_threads();
#pragma omp task if (0) shared(mine)
  {
    CHECK_EQ(omp_get_max_threads(), outer);
    omp_set_num_threads(level + 100);
    if (at >> level & 1)
      children(level, 2);
#pragma omp taskgroup
    if (level < depth)
      deep(level + 1, depth, at, up);
    CHECK_EQ(omp_get_max_threads(), level + 100);
    if (up >> level & 1)
      children(level, 2);
#pragma omp task shared(mine) if (up >> level & 2)
    mine = 1;
    CHECK_EQ(omp_get_max_threads(), level + 100);
#pragma omp taskwait
    CHECK_EQ(mine, 1);
    mine = 2;
  }
  CHECK_EQ(mine, 2);
  CHECK_EQ(omp_get_max_threads(), outer);
}

/* A chain of dependences made at the bottom by different tasks does not join those around. */
static void depends(int depth) {
  int x = 0;
#pragma omp task if (0) shared(x)
  {
    for (int i = 0; i < 3; i++) {
#pragma omp task depend(inout : x) shared(x)
      x++;
    }
    if (depth > 0)
      depends(depth - 1);
#pragma omp taskwait depend(in : x)
    CHECK_EQ(x, 3);
  }
}

static long expected(int depth, unsigned bits) {
  return 2 * __builtin_popcount(bits & ((2u << depth) - 1));
}

int main(void) {
  uint64_t random = 1;
  int outside = omp_get_max_threads();
  for (int round = 0; round < CHECK_TIMES(300); round++) {
    int depth = (int)(check_random(&random) % 20);
    unsigned at = check_random(&random) & check_random(&random), up = check_random(&random) & at;
    leaves = 0;
#pragma omp parallel
    {
      int before = omp_get_max_threads();
#pragma omp single
      {
        deep(0, depth, at, up);
        depends(depth);
      }
      CHECK_EQ(omp_get_max_threads(), before);
    }
    CHECK_EQ(leaves, expected(depth, at) + expected(depth, up));
    deep(0, depth, at, up);
    depends(depth);
#pragma omp taskwait
    CHECK_EQ(omp_get_max_threads(), outside);
  }
  return 0;
}
