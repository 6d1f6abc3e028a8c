/* upward.c - chunks of dynamic and guided loops go out in the loop's order, as programs expect */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gcc's default for dynamic is nonmonotonic, and yet: no member goes backwards in a loop; and an
// iteration may wait for the one before it, which has begun.
// RUN: %omp_test
// RUN: env OMP_NUM_THREADS=4 NTH_RANGES=off %omp_run %t
// RUN: env OMP_NUM_THREADS=5 NTH_MEMBERS=nano %omp_run %t
// RUN: env OMP_NUM_THREADS=3 NTH_MEMBERS=os OMP_WAIT_POLICY=passive %omp_run %t
// RUN: env OMP_NUM_THREADS=4 OMP_SCHEDULE=dynamic %omp_run %t
// RUN: env OMP_NUM_THREADS=4 OMP_SCHEDULE=nonmonotonic:dynamic,3 %omp_run %t
#include <sched.h>
#include <stdatomic.h>

#include "check.h"

enum { LOOPS = 60, MANY = 2000, FEW = 300 };

static atomic_int backward, done[FEW + 1];

/* Each iteration has less work than the one before: whoever has the last ones is hungry soon. */
static void work(long i) {
  for (volatile long k = 0; k < (MANY - i) / 4;)
    k = k + 1;
}

static void follow(long i, long *last) {
  if (i <= *last)
    atomic_fetch_add(&backward, 1);
  *last = i;
  work(i);
}

static void each_member(void) {
#pragma omp parallel
  for (int loop = 0; loop < LOOPS; loop++) {
    long last = -1;
#pragma omp for schedule(dynamic)
    for (long i = 0; i < MANY; i++)
      follow(i, &last);
    last = -1;
#pragma omp for schedule(dynamic, 7) nowait
    for (unsigned long long i = 0; i < MANY; i++)
      follow((long)i, &last);
    last = -1;
#pragma omp for schedule(guided)
    for (int i = 0; i < MANY; i++)
      follow(i, &last);
    last = -1;
#pragma omp for schedule(runtime)
    for (int i = 0; i < MANY; i++)
      follow(i, &last);
  }
  long last = -1;
#pragma omp parallel for schedule(dynamic, 2) firstprivate(last)
  for (long i = 0; i < MANY; i++)
    follow(i, &last);
}

/* A pipeline that was written for libgomp. */
static void each_iteration(void) {
  done[0] = 1;
#pragma omp parallel for schedule(dynamic, 1)
  for (int i = 0; i < FEW; i++) {
    while (!done[i])
      sched_yield();
    done[i + 1] = 1;
  }
  for (int i = 1; i <= FEW; i++) {
    CHECK_EQ(done[i], 1);
    done[i] = 0;
  }
}

int main(void) {
  each_member();
  CHECK_EQ(backward, 0);
  for (int round = 0; round < 5; round++)
    each_iteration();
  return 0;
}
