/* taskgroup.c - taskgroup waits for all descendants */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that after a taskgroup children and grandchildren have finished, that groups nest, inside
// and outside regions, and task_reduction with in_reduction.
// RUN: %omp_test
#include "check.h"

static void tree(int depth, long *leaves) {
  if (depth == 0) {
    check_busy(200);
#pragma omp atomic
    ++*leaves;
    return;
  }
  for (int k = 0; k < 3; k++) {
#pragma omp task firstprivate(depth, leaves)
    tree(depth - 1, leaves);
  }
}

static void nested_groups(int depth) {
  long leaves = 0, inner = 0;
#pragma omp taskgroup
  {
#pragma omp task shared(inner) firstprivate(depth)
    {
      if (depth > 0)
        nested_groups(depth - 1);
#pragma omp taskgroup
      tree(2, &inner);
      CHECK_EQ(inner, 9);
    }
    tree(3, &leaves);
  }
  CHECK_EQ(leaves, 27);
  CHECK_EQ(inner, 9);
}

static void reduced(void) {
  long sum = 5, least = 1000;
#pragma omp taskgroup task_reduction(+ : sum) task_reduction(min : least)
  for (int i = 0; i < 100; i++) {
#pragma omp task in_reduction(+ : sum) in_reduction(min : least) firstprivate(i)
    {
      sum += i;
      if (500 - i < least)
        least = 500 - i;
    }
  }
  CHECK_EQ(sum, 5 + 4950);
  CHECK_EQ(least, 401);
}

int main(void) {
  double end = check_seconds() + 2;
  for (int round = 0; round < CHECK_TIMES(60) + 1 && check_seconds() < end; round++) {
#pragma omp parallel
    {
#pragma omp single
      nested_groups(2);
#pragma omp masked
      reduced();
#pragma omp barrier
      nested_groups(0);
    }
    nested_groups(1);
  }
  return 0;
}
