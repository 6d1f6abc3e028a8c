/* no_membarrier.c - the system refuses the fence in all threads that thieves and sleepers count
 * on */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks tasks under a filter that refuses membarrier, from the start or after it: trees with
// taskwait, tasks that an owner keeps to itself, sleepers and the last task's end; a wait that
// polls in vain takes little CPU time. Locks held over taskwait, positions awaited and random trees
// have tests of their own.
// UNSUPPORTED: sanitizer, emulated
// RUN: %omp_build %s -o %t
// RUN: %omp_build %S/Inputs/without_membarrier.c -o %t.without -fno-openmp
// RUN: %omp_run %t.without all %t
// RUN: %omp_run %t.without fences %t
// RUN: env OMP_WAIT_POLICY=passive %omp_run %t.without all %t
// A nano-thread has the time of whatever OS thread runs it.
// RUN: env OMP_WAIT_POLICY=passive NTH_MEMBERS=os %omp_run %t.without fences %t idle
// RUN: %omp_build %S/lock_stolen.c -o %t.lock
// RUN: %omp_run %t.without all %t.lock
// RUN: %omp_run %t.without fences %t.lock
// RUN: %omp_build %S/depend_random.c -o %t.depend
// RUN: %omp_run %t.without all %t.depend
// RUN: %omp_run %t.without fences %t.depend
// RUN: %omp_build %S/../worksharing/doacross.c -o %t.doacross
// RUN: %omp_run %t.without all %t.doacross
#define _GNU_SOURCE
#include "check.h"
#include <string.h>

#include <sys/resource.h>

static long leaves;

static void tree(int depth) {
  if (depth == 0) {
#pragma omp atomic
    leaves++;
    return;
  }
  for (int k = 0; k < 3; k++) {
#pragma omp task
    tree(depth - 1);
  }
  if (depth % 2) {
#pragma omp taskwait
  }
}

static void trees(void) {
  for (int r = 0; r < 50; r++) {
    leaves = 0;
#pragma omp parallel
    {
#pragma omp single
      tree(6);
      CHECK_EQ(leaves, 729);
#pragma omp barrier
#pragma omp single nowait
      tree(4);
    }
    CHECK_EQ(leaves, 729 + 81);
  }
}

/* One after the other, with sleepers: each end is one that somebody may have slept through. */
static void one_by_one(void) {
  for (int r = 0; r < 50; r++) {
    int ran = 0;
#pragma omp parallel shared(ran)
    {
      for (int k = 0; k < 3; k++) {
#pragma omp master
        {
#pragma omp task shared(ran)
          {
            check_sleep_ms(r % 3);
#pragma omp atomic
            ran++;
          }
          check_sleep_ms(k);
        }
#pragma omp barrier
        CHECK_EQ(ran, k + 1);
#pragma omp barrier
      }
    }
  }
}

static double cpu_seconds(void) {
  struct rusage use;
  CHECK_EQ(getrusage(RUSAGE_THREAD, &use), 0);
  return (double)use.ru_utime.tv_sec + (double)use.ru_stime.tv_sec +
         1e-6 * (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec);
}

/* A member keeps tasks that nobody can get at, and is busy. The others take little time to wait. */
static void kept(bool idle) {
  enum { MS = 300 };
#pragma omp parallel
  {
#pragma omp master
    {
      for (int k = 0; k < 5; k++) {
#pragma omp task
        check_busy(100);
      }
      check_sleep_ms(MS);
    }
    double before = cpu_seconds();
#pragma omp barrier
    CHECK(!idle || cpu_seconds() - before < 0.3e-3 * MS);
  }
}

int main(int argc, char **argv) {
  (void)argv;
  trees();
  one_by_one();
  kept(argc > 1);
  return 0;
}
