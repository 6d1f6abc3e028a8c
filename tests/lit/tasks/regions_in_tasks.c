/* regions_in_tasks.c - parallel regions, loops and tasks inside tasks */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a task may open a nested region whose members create tasks, run loops and barriers,
// while other tasks of the outer team run; level and ancestor numbers are right there.
// RUN: %omp_test
#include "check.h"

static long total;

static void inner(int i) {
  int creator = omp_get_thread_num();
  long sum = 0, tasks = 0;
#pragma omp parallel num_threads(3) reduction(+ : sum) shared(tasks)
  {
    CHECK_EQ(omp_get_level(), 2);
    CHECK_EQ(omp_get_ancestor_thread_num(1), creator);
#pragma omp for schedule(dynamic, 2)
    for (int k = 0; k < 20; k++)
      sum += k + i;
#pragma omp single
    for (int k = 0; k < 10; k++) {
#pragma omp task shared(tasks)
#pragma omp atomic
      tasks++;
    }
#pragma omp barrier
    CHECK_EQ(tasks, 10);
  }
  CHECK_EQ(sum, 190 + 20L * i);
  CHECK_EQ(omp_get_level(), 1);
#pragma omp atomic
  total += sum;
}

int main(void) {
  double end = check_seconds() + 2;
  for (int levels = 1; levels <= 2; levels++) {
    omp_set_max_active_levels(levels);
    for (int round = 0; round < CHECK_TIMES(10) + 1 && check_seconds() < end; round++) {
      total = 0;
#pragma omp parallel num_threads(3)
#pragma omp single nowait
      for (int i = 0; i < 20; i++) {
#pragma omp task firstprivate(i)
        inner(i);
      }
      CHECK_EQ(total, 20 * 190 + 20 * 190);
    }
  }
  return 0;
}
