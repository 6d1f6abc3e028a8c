/* stack_size.c - parallel: members have the stack that OMP_STACKSIZE asks for */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that every member, of outer and inner teams, can use 12 MiB of stack under
// OMP_STACKSIZE=16M, and that the master keeps the stack the system gave it.
// RUN: %omp_build %s -o %t
// RUN: env OMP_STACKSIZE=16M %omp_run %t
// RUN: env GOMP_STACKSIZE=16384 %omp_run %t
#include "check.h"

enum { STEP = 64 * 1024, DEEP = 12 * 1024 * 1024 };

static __attribute__((noinline)) long eat(long left, long seed) {
  volatile char block[STEP];
  for (int i = 0; i < STEP; i += 4096)
    block[i] = (char)(seed + i / 4096);
  long below = left > STEP ? eat(left - STEP, seed + 1) : 0;
  for (int i = 0; i < STEP; i += 4096)
    CHECK_EQ(block[i], (char)(seed + i / 4096));
  return below + 1;
}

int main(void) {
  omp_set_max_active_levels(2);
  for (int round = 0; round < 2; round++) {
#pragma omp parallel num_threads(3)
    {
      int outer = omp_get_thread_num();
      if (outer != 0)
        CHECK_EQ(eat(DEEP, outer), DEEP / STEP);
#pragma omp parallel num_threads(2)
      if (omp_get_thread_num() != 0)
        CHECK_EQ(eat(DEEP, outer + 7), DEEP / STEP);
    }
  }
  return 0;
}
