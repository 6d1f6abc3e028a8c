/* meets.c - iterations that wait for later ones of the same loop, with NTH_CLAIMS=single */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Even iterations produce, odd ones take: each chunk is given out alone, so both are at work.
// OpenMP does not promise that; libgomp, libomp and libiomp5 do it.
// RUN: %omp_build %s -o %t
// RUN: env OMP_NUM_THREADS=2 NTH_CLAIMS=single %omp_run %t
// RUN: env OMP_NUM_THREADS=4 NTH_CLAIMS=single NTH_MEMBERS=os %omp_run %t
// RUN: env OMP_NUM_THREADS=4 NTH_CLAIMS=single NTH_MEMBERS=nano %omp_run %t
#include <sched.h>
#include <stdatomic.h>

#include "check.h"

enum { LOOPS = 20, TRIPS = 400 };

static atomic_int made[TRIPS], taken[TRIPS];

static void hand_over(int i) {
  if (i % 2 == 0) {
    made[i] = 1;
    while (!taken[i])
      sched_yield();
  } else {
    while (!made[i - 1])
      sched_yield();
    taken[i - 1] = 1;
  }
}

int main(void) {
  for (int loop = 0; loop < LOOPS; loop++) {
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < TRIPS; i++)
      hand_over(i);
    for (int i = 0; i < TRIPS; i++)
      made[i] = taken[i] = 0;
  }
  return 0;
}
