/* creators.c - tasks created by one member, by the master, by all */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks tasks from single, single nowait, master, sections, a loop and every member: all have run
// at the next barrier or at the region's end, each once.
// RUN: %omp_test
#include "check.h"

enum { TASKS = 400 };

static int ran[TASKS];

static void create(int first, int last) {
  for (int i = first; i < last; i++) {
#pragma omp task firstprivate(i)
#pragma omp atomic
    ran[i]++;
  }
}

static void expect(int want) {
  for (int i = 0; i < TASKS; i++)
    CHECK_EQ(ran[i], want);
}

int main(void) {
  int n = omp_get_max_threads();
  double end = check_seconds() + 1.5;
  for (int round = 0; round < 100 && check_seconds() < end; round++) {
#pragma omp parallel
    {
#pragma omp single
      create(0, TASKS);
      expect(1);
#pragma omp barrier
#pragma omp single nowait
      create(0, TASKS);
#pragma omp barrier
      expect(2);
#pragma omp barrier
#pragma omp master
      create(0, TASKS);
#pragma omp barrier
      expect(3);
#pragma omp barrier
#pragma omp for schedule(dynamic, 50)
      for (int i = 0; i < TASKS; i++)
        create(i, i + 1);
      expect(4);
#pragma omp barrier
#pragma omp sections
      {
#pragma omp section
        create(0, TASKS / 2);
#pragma omp section
        create(TASKS / 2, TASKS);
      }
      expect(5);
#pragma omp barrier
      create(0, TASKS);
#pragma omp barrier
      expect(5 + n);
#pragma omp barrier
#pragma omp single nowait
      create(0, TASKS); /* finished by the region's own end */
    }
    expect(6 + n);
    memset(ran, 0, sizeof ran);
  }
  return 0;
}
