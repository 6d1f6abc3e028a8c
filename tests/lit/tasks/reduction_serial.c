/* reduction_serial.c - task reductions outside any region, with regions around */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks taskgroup task_reduction in the serial part, before, between and after regions that use
// task reductions too.
// nanogomp-only: libgomp 12 hangs or corrupts its heap in the region after the serial use.
// REQUIRES: nanogomp
// RUN: %omp_test
#include "check.h"

static void reduced(int tasks) {
  long sum = 5, least = 1000;
#pragma omp taskgroup task_reduction(+ : sum) task_reduction(min : least)
  for (int i = 0; i < tasks; i++) {
#pragma omp task in_reduction(+ : sum) in_reduction(min : least) firstprivate(i)
    {
      sum += i;
      if (500 - i < least)
        least = 500 - i;
    }
  }
  CHECK_EQ(sum, 5 + tasks * (tasks - 1) / 2);
  CHECK_EQ(least, tasks ? 501 - tasks : 1000);
}

int main(void) {
  for (int round = 0; round < CHECK_TIMES(200); round++) {
    CHECK_EQ(omp_get_level(), 0);
    reduced(round);
    CHECK_EQ(omp_get_level(), 0);
    CHECK_EQ(omp_get_num_threads(), 1);
    int size = 1 + round % 5;
#pragma omp parallel num_threads(size)
    {
      CHECK_EQ(omp_get_num_threads(), size);
      CHECK_EQ(omp_get_level(), 1);
#pragma omp masked
      reduced(100);
      reduced(20);
    }
    reduced(0);
    long sum = 0;
#pragma omp parallel num_threads(size) reduction(task, + : sum)
    {
#pragma omp task in_reduction(+ : sum)
      sum += 3;
    }
    CHECK_EQ(sum, 3 * size);
  }
  return 0;
}
