/* spin_earlier.c - tasks that spin until an earlier task of the same maker has run */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenMP does not promise that such a program ends. It does on libgomp, libomp and libiomp5, whose
// threads go upward through the tasks that they take from another one.
// RUN: %omp_build %s -o %t
// RUN: env OMP_NUM_THREADS=2 %omp_run %t
// RUN: env OMP_NUM_THREADS=4 %omp_run %t
// RUN: env OMP_NUM_THREADS=2 NTH_MEMBERS=os OMP_WAIT_POLICY=passive %omp_run %t
// RUN: env OMP_NUM_THREADS=2 OMP_CANCELLATION=true %omp_run %t
#include <sched.h>
#include <stdatomic.h>

#include "check.h"

enum { ROUNDS = 40, TASKS = 200 };

static atomic_int done[TASKS + 1];

int main(void) {
  for (int round = 0; round < ROUNDS; round++) {
    done[0] = 1;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < TASKS; i++)
#pragma omp task firstprivate(i)
    {
      while (!done[i])
        sched_yield();
      done[i + 1] = 1;
    }
    for (int i = 0; i <= TASKS; i++) {
      CHECK_EQ(done[i], 1);
      done[i] = 0;
    }
  }
  return 0;
}
