/* undeferred.c - undeferred tasks of a cancelled taskgroup */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that undeferred tasks and those of an undeferred taskloop are not started any more.
// nanogomp-only: libgomp 12 starts all tasks of such a taskloop.
// REQUIRES: nanogomp
// RUN: %omp_build %s -o %t
// RUN: env OMP_CANCELLATION=true %omp_run %t
#include "check.h"

static void group(void) {
  int begun = 0;
#pragma omp taskgroup
  for (int i = 0; i < 10; i++) {
#pragma omp task if (0) shared(begun)
    {
      begun++;
      if (i == 4) {
#pragma omp cancel taskgroup
      }
    }
  }
  CHECK_EQ(begun, 5);
}

static void loop(void) {
  int begun = 0;
#pragma omp taskloop if (0) grainsize(1) shared(begun)
  for (int i = 0; i < 10; i++) {
    begun++;
    if (i == 4) {
#pragma omp cancel taskgroup
    }
  }
  CHECK_EQ(begun, 5);
}

int main(void) {
#pragma omp parallel
#pragma omp single
  {
    group();
    loop();
  }
  group();
  loop();
  return 0;
}
