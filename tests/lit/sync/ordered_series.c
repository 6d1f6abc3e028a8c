/* ordered_series.c - ordered: many sparse loops one after another in one region */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks series of ordered loops of all schedules with 0 to 200 trips, most of whose iterations
// have no ordered region: order kept, no loop blocks.
// nanogomp-only: libgomp 12 carries turns over from one static loop to the next; it loses the
// order or hangs, e.g. for static,3 loops of 0, 200, 200 and 200 trips with i % 364, 13, 121, 364.
// REQUIRES: nanogomp
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

#define PRAGMA(text) _Pragma(#text)
#define SPARSE(trips, modulus, clause)                                                             \
  do {                                                                                             \
    PRAGMA(omp for ordered clause)                                                                 \
    for (int i = 0; i < (trips); i++)                                                              \
      visit(i, modulus);                                                                           \
    PRAGMA(omp single)                                                                             \
    finish(trips, modulus);                                                                        \
  } while (0)

int main(void) {
  static const int trips[] = {0, 1, 2, 5, 200};
#pragma omp parallel
  for (int round = 0; round < 3; round++)
    for (int t = 0; t < 5; t++)
      for (int modulus = 1; modulus < 400; modulus = 3 * modulus + 1) {
        SPARSE(trips[t], modulus, schedule(static));
        SPARSE(trips[t], modulus, schedule(static, 3));
        SPARSE(trips[t], modulus, schedule(dynamic));
        SPARSE(trips[t], modulus, schedule(dynamic, 7));
        SPARSE(trips[t], modulus, schedule(guided));
        SPARSE(trips[t], modulus, schedule(runtime));
      }
  return 0;
}
