/* at_fork.c - members make tasks while the master still hands out the region */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a member that calls for help the moment it has its work, before others got theirs,
// disturbs nothing: each member runs the region once, each task runs once, for as many regions as
// fit in a second.
// RUN: %omp_build %s -o %t
// RUN: %omp_run %t
// RUN: env OMP_NUM_THREADS=16 %omp_run %t
#include "check.h"

enum { MOST = 64 };

int main(void) {
  static int entered[MOST], tasks[MOST];
  int n = omp_get_max_threads() < MOST ? omp_get_max_threads() : MOST;
  double end = check_seconds() + 1;
  int regions = 0;
  while (check_seconds() < end) {
    regions++;
#pragma omp parallel num_threads(n)
    {
      int i = omp_get_thread_num();
#pragma omp task firstprivate(i)
      tasks[i]++;
      entered[i]++;
    }
    for (int i = 0; i < n; i++) {
      CHECK_EQ(entered[i], regions);
      CHECK_EQ(tasks[i], regions);
    }
  }
  return 0;
}
