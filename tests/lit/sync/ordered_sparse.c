/* ordered_sparse.c - ordered: iterations that skip the region, and loops with few trips */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that iterations which do not execute their ordered region still pass the turn on, in all
// schedules, that zero-trip and short loops do not block, and that nowait loops follow one another.
// RUN: %omp_test
#include "check.h"

static int last = -1, count;

static void visit(int i, int modulus) {
  if (i % modulus == 0) {
#pragma omp ordered
    {
      CHECK(i > last);
      last = i;
      count++;
    }
  }
}

static void finish(int trips, int modulus) {
  CHECK_EQ(count, (trips + modulus - 1) / modulus);
  last = -1;
  count = 0;
}

/* A region per loop: in one region, see ordered_series.c. */
#define PRAGMA(text) _Pragma(#text)
#define SPARSE(trips, modulus, clause)                                                             \
  do {                                                                                             \
    PRAGMA(omp parallel for ordered clause)                                                        \
    for (int i = 0; i < (trips); i++)                                                              \
      visit(i, modulus);                                                                           \
    finish(trips, modulus);                                                                        \
  } while (0)

int main(void) {
  static const int trips[] = {0, 1, 2, 5, 200};
  for (int t = 0; t < 5; t++)
    for (int modulus = 1; modulus < 400; modulus = 3 * modulus + 1) {
      SPARSE(trips[t], modulus, schedule(static));
      SPARSE(trips[t], modulus, schedule(static, 3));
      SPARSE(trips[t], modulus, schedule(dynamic));
      SPARSE(trips[t], modulus, schedule(dynamic, 7));
      SPARSE(trips[t], modulus, schedule(guided));
      SPARSE(trips[t], modulus, schedule(runtime));
    }
  long sum = 0, want = 0;
#pragma omp parallel
  for (int loop = 0; loop < 60; loop++) {
#pragma omp for ordered schedule(dynamic) nowait
    for (int i = 0; i < 5; i++) {
#pragma omp ordered
#pragma omp atomic
      sum += loop * 10 + i;
    }
  }
  for (int loop = 0; loop < 60; loop++)
    want += 50 * loop + 10;
  CHECK_EQ(sum, want);
  return 0;
}
