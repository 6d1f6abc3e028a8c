/* scope_nested.c - loops inside a scope with reduction(task), some members of which are ahead */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that the scope's copies stay where they are until all members have left it, though some
// have met more constructs inside than there are free descriptors; also with a scope in a scope.
// RUN: %omp_test
#include "check.h"

enum { LOOPS = 8, TRIPS = 4 };

static long outer, inner, middle;

static void loops(void) {
  for (int k = 0; k < LOOPS; k++) {
    if (omp_get_thread_num() > 0) /* member 0 makes each descriptor */
      check_sleep_ms(1);
#pragma omp for schedule(dynamic) reduction(task, + : inner)
    for (int i = 0; i < TRIPS; i++) {
#pragma omp task in_reduction(+ : outer)
      outer += 1;
#pragma omp task in_reduction(+ : inner)
      inner += 1;
    }
  }
}

int main(void) {
  for (int round = 0; round < 5; round++) {
    int members = 0;
    outer = inner = middle = 0;
#pragma omp parallel num_threads(3)
    {
#pragma omp masked
      members = omp_get_num_threads();
#pragma omp scope reduction(task, + : outer)
      loops();
#pragma omp scope reduction(task, + : outer)
      {
#pragma omp scope reduction(task, + : middle)
        {
          middle += 1;
          loops();
        }
        loops();
      }
#pragma omp for reduction(+ : inner)
      for (int i = 0; i < TRIPS; i++)
        inner += 1;
    }
    CHECK_EQ(outer, 3 * LOOPS * TRIPS);
    CHECK_EQ(inner, 3 * LOOPS * TRIPS + TRIPS);
    CHECK_EQ(middle, members);
  }
  return 0;
}
