/* off.c - without OMP_CANCELLATION nothing is cancelled */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that cancel and cancellation points have no effect, with the variable false and unset.
// RUN: %omp_build %s -o %t && %omp_run %t
// RUN: env OMP_CANCELLATION=false %omp_run %t
#include "check.h"

int main(void) {
  _Atomic(int) n = 0;
  CHECK(!omp_get_cancellation());
#pragma omp parallel
  {
#pragma omp cancel parallel
#pragma omp cancellation point parallel
    n++;
  }
  CHECK_EQ(n, omp_get_max_threads());
  n = 0;
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < 100; i++) {
#pragma omp cancel for
#pragma omp cancellation point for
      n++;
    }
#pragma omp sections
    {
#pragma omp section
      {
#pragma omp cancel sections
        n++;
      }
#pragma omp section
      n++;
    }
#pragma omp single
#pragma omp taskgroup
    for (int i = 0; i < 10; i++) {
#pragma omp task shared(n)
      {
#pragma omp cancel taskgroup
#pragma omp cancellation point taskgroup
        n++;
      }
    }
  }
  CHECK_EQ(n, 112);
  return 0;
}
