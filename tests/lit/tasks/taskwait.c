/* taskwait.c - taskwait waits for the task's children */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that children have finished after taskwait with their writes visible, and empty and
// repeated taskwaits, in all members at once and outside regions.
// RUN: %omp_test
#include "check.h"

enum { CHILDREN = 50 };

static void children(int round) {
  long value[CHILDREN] = {0};
  for (int c = 0; c < CHILDREN; c++) {
#pragma omp task shared(value) firstprivate(c)
    {
      if (c % 8 == 0)
        check_busy(3000);
      value[c] = round + c;
    }
    if (c % 20 == 19) {
#pragma omp taskwait
#pragma omp taskwait
      for (int d = 0; d <= c; d++)
        CHECK_EQ(value[d], round + d);
    }
  }
#pragma omp taskwait
  for (int c = 0; c < CHILDREN; c++)
    CHECK_EQ(value[c], round + c);
}

int main(void) {
  double end = check_seconds() + 1.5;
  for (int round = 0; round < 100 && check_seconds() < end; round++) {
#pragma omp parallel
    {
#pragma omp taskwait
      children(round);
    }
    children(round);
  }
  return 0;
}
