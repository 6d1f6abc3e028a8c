/* tasks_calls.c - members that wait for tasks let others run, without a system call */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that regions with tasks, of more members than CPUs, fence all threads (membarrier) far
// less often than members wait for tasks. Such a fence takes longer than most tasks. In a team with
// a CPU for each member those that go to sleep have one; here the makers of tasks have full fences.
// nanogomp-only: libgomp has no members that take turns.
// REQUIRES: nanogomp, members-nano
// RUN: %omp_build %s -o %t
// RUN: env NTH_MEMBERS=nano %omp_run %t
// RUN: env NTH_MEMBERS=nano %python %S/../support/count_calls.py membarrier 200 %library %t
#include "check.h"

enum { MEMBERS = 8, REGIONS = 400, TASKS = 16 };

static long done;

static void task(void) {
  check_busy(5);
#pragma omp atomic
  done++;
}

int main(void) {
  for (int r = 0; r < REGIONS; r++) {
#pragma omp parallel num_threads(MEMBERS)
#pragma omp single
    {
#pragma omp taskloop grainsize(1)
      for (int i = 0; i < TASKS; i++)
        task();
#pragma omp task
      {
#pragma omp task
        task();
#pragma omp taskwait
      }
    }
  }
  CHECK_EQ(done, REGIONS * (TASKS + 1));
  return 0;
}
