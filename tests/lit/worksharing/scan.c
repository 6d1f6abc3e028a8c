/* scan.c - inscan reductions and lastprivate(conditional:) in loops, sections */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks inclusive and exclusive scan in for and for simd loops of two types, and
// lastprivate(conditional:), which take zeroed memory shared by the team from the loop's start
// entry: the value of the sequentially last assignment, for every schedule, or none at all.
// RUN: %omp_build %s -o %t -Wno-maybe-uninitialized && %omp_run %t
#include "check.h"

enum { N = 1000 };

static int a[N], inclusive[N], exclusive[N];
static long total;

static void scans(int trips, long offset) {
  total = offset;
#pragma omp parallel for simd reduction(inscan, + : total)
  for (int i = 0; i < trips; i++) {
    total += a[i];
#pragma omp scan inclusive(total)
    inclusive[i] = (int)total;
  }
  long sum = offset;
  for (int i = 0; i < trips; i++) {
    sum += a[i];
    CHECK_EQ(inclusive[i], sum);
  }
  CHECK_EQ(total, sum);
  if (trips == 0)
    return; /* gcc 12's code for exclusive breaks its stack then */
  total = offset;
#pragma omp parallel for reduction(inscan, + : total)
  for (unsigned long long i = 0; i < (unsigned long long)trips; i++) {
    exclusive[i] = (int)total;
#pragma omp scan exclusive(total)
    total += a[i];
  }
  sum = offset;
  for (int i = 0; i < trips; i++) {
    CHECK_EQ(exclusive[i], sum);
    sum += a[i];
  }
  CHECK_EQ(total, sum);
}

#define PRAGMA(text) _Pragma(#text)

/* The last i with a[i] % modulus == 0 counts; -1 when there is none. */
#define LAST(type, clauses)                                                                        \
  do {                                                                                             \
    int last = -1, other = -1;                                                                     \
    PRAGMA(omp parallel for clauses lastprivate(conditional : last, other))                        \
    for (type i = 0; i < (type)trips; i++) {                                                       \
      if (a[i] % modulus == 0)                                                                     \
        last = (int)i;                                                                             \
      if (i == (type)7)                                                                            \
        other = 77;                                                                                \
    }                                                                                              \
    CHECK_EQ(last, want);                                                                          \
    CHECK_EQ(other, trips > 7 ? 77 : -1);                                                          \
  } while (0)

static void lasts(int trips, int modulus) {
  int want = -1;
  for (int i = 0; i < trips; i++)
    want = a[i] % modulus == 0 ? i : want;
  LAST(int, schedule(static));
  LAST(int, schedule(static, 3));
  LAST(long, schedule(dynamic));
  LAST(long, schedule(nonmonotonic : dynamic, 4));
  LAST(int, schedule(guided));
  LAST(int, schedule(runtime));
  LAST(int, schedule(auto));
  LAST(unsigned long long, schedule(static));
  LAST(unsigned long long, schedule(dynamic, 5));
  LAST(unsigned long long, schedule(guided, 2));
  LAST(unsigned long long, schedule(runtime));
}

static void sections(int chosen) {
  int last = -1;
#pragma omp parallel
  {
#pragma omp sections lastprivate(conditional : last)
    {
#pragma omp section
      if (chosen & 1)
        last = 1;
#pragma omp section
      if (chosen & 2)
        last = 2;
#pragma omp section
      if (chosen & 4)
        last = 3;
    }
  }
  CHECK_EQ(last, chosen & 4 ? 3 : chosen & 2 ? 2 : chosen & 1 ? 1 : -1);
}

int main(void) {
  for (int i = 0; i < N; i++)
    a[i] = i * 37 % 101 + 1;
  for (int trips = 0; trips <= N; trips = 3 * trips + 1) {
    scans(trips, trips % 5);
    for (int modulus = 1; modulus < 200; modulus = 3 * modulus + 2)
      lasts(trips, modulus);
  }
  for (int chosen = 0; chosen < 8; chosen++)
    sections(chosen);
  return 0;
}
