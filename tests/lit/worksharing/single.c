/* single.c - single: one member executes, the others wait or go on */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks single with its barrier (all see its effect), with nowait, back to back, orphaned, and
// GOMP_single_start called directly: exactly one member is chosen each time.
// RUN: %omp_test
#include "check.h"

bool GOMP_single_start(void);

static long one(long seen) {
#pragma omp single
  seen += 5; /* orphaned, private: only one member's copy changes */
  return seen;
}

int main(void) {
  long counter = 0, nowaits = 0, direct = 0, orphans = 0, rounds = CHECK_TIMES(5000), done = 0;
  double end = check_seconds() + 2;
  bool stop = false;
#pragma omp parallel reduction(+ : orphans)
  for (long i = 0; i < rounds; i++) {
#pragma omp single
    {
      counter++;
      stop = check_seconds() > end;
      done = i + 1;
    }
    CHECK_EQ(counter, i + 1);
    bool leave = stop;
#pragma omp single nowait
#pragma omp atomic
    nowaits++;
    if (GOMP_single_start())
#pragma omp atomic
      direct++;
    orphans += one(0);
    if (leave)
      break;
  }
  CHECK_EQ(counter, done);
  CHECK_EQ(nowaits, done);
  CHECK_EQ(direct, done);
  CHECK_EQ(orphans, 5 * done);
  CHECK_EQ(one(1), 6); /* outside any region */
  return 0;
}
