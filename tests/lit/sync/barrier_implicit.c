/* barrier_implicit.c - implicit barriers at the end of worksharing constructs */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that after for, sections, single, scope and a reduction loop each member sees the whole
// construct's writes, in teams whose members arrive at very different times.
// RUN: %omp_test
#include "check.h"

enum { TRIPS = 40 };

static int cell[TRIPS], section[2], once;

static void late(int k) {
  if ((k + omp_get_thread_num()) % 7 == 0)
    check_busy(20000);
}

static void all_cells(int want) {
  for (int i = 0; i < TRIPS; i++)
    CHECK_EQ(cell[i], want);
}

static void round_of(int r) {
  late(r);
#pragma omp for schedule(dynamic)
  for (int i = 0; i < TRIPS; i++)
    cell[i] = 10 * r;
  all_cells(10 * r);
#pragma omp barrier
#pragma omp for schedule(static)
  for (int i = 0; i < TRIPS; i++)
    cell[i] = 10 * r + 1;
  all_cells(10 * r + 1);
  late(r + 1);
#pragma omp sections
  {
#pragma omp section
    section[0] = r;
#pragma omp section
    section[1] = r;
  }
  CHECK_EQ(section[0] + section[1], 2 * r);
  late(r + 2);
#pragma omp single
  once = r;
  CHECK_EQ(once, r);
#pragma omp barrier
#pragma omp scope
  late(r + 3);
#pragma omp for schedule(guided)
  for (int i = 0; i < TRIPS; i++)
    cell[i] = 10 * r + 2;
  all_cells(10 * r + 2);
#pragma omp barrier
}

int main(void) {
  double end = check_seconds() + 2;
  bool stop = false;
#pragma omp parallel
  for (int r = 1; r < CHECK_TIMES(2000); r++) {
    round_of(r);
#pragma omp single
    stop = check_seconds() > end;
    if (stop)
      break;
  }
  CHECK(once > 0);
  return 0;
}
