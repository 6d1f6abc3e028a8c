/* own_once.c - OMP_SCHEDULE=trapezoid, affinity and gss: each iteration exactly once */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks what omp_get_schedule tells, and loops of long and unsigned long long, up and down, at the
// limits of both, with no iterations and fewer than members, in teams of 1 to 64.
// nanogomp-only: the names are ours; libgomp refuses them.
// REQUIRES: nanogomp
// RUN: %omp_build %s -o %t
// RUN: env OMP_SCHEDULE=trapezoid %omp_run %t 0x101 1
// RUN: env "OMP_SCHEDULE= Trapezoid , 5 " %omp_run %t 0x101 5
// RUN: env OMP_SCHEDULE=monotonic:trapezoid,3 %omp_run %t 0x80000101 3
// RUN: env OMP_SCHEDULE=trapezoid,2147483647 %omp_run %t 0x101 2147483647
// RUN: env OMP_SCHEDULE=affinity %omp_run %t 0x102 0
// RUN: env OMP_SCHEDULE=nonmonotonic:AFFINITY,1 %omp_run %t 0x102 1
// RUN: env OMP_SCHEDULE=affinity,2147483647 %omp_run %t 0x102 2147483647
// RUN: env OMP_SCHEDULE=gss %omp_run %t 0x103 1
// RUN: env OMP_SCHEDULE=gss,0 %omp_run %t 0x103 1
// RUN: env OMP_SCHEDULE=monotonic:gss,9 %omp_run %t 0x80000103 9
// RUN: env OMP_SCHEDULE=monotonic:affinity %omp_run %t 0x80000001 0
#include "check.h"
#include <limits.h>

enum { MOST = 3000 };

static int ran[MOST];

static void expect(int trips, int line) {
  for (int k = 0; k < MOST; k++)
    if (ran[k] != (k < trips)) {
      fprintf(stderr, "line %d: iteration %d of %d ran %d times\n", line, k, trips, ran[k]);
      CHECK(ran[k] == (k < trips));
    }
  memset(ran, 0, sizeof ran);
}

static int team;

#define PRAGMA(text) _Pragma(#text)
/* index: the iteration's number */
#define FOR(clause, type, first, condition, change, index, trips)                                  \
  PRAGMA(omp for clause)                                                                           \
  for (type i = first; condition; change)                                                          \
    ran[index]++;                                                                                  \
  PRAGMA(omp single)                                                                               \
  expect(trips, __LINE__)
#define LOOP(type, first, condition, change, index, trips)                                         \
  do {                                                                                             \
    PRAGMA(omp parallel num_threads(team)) {                                                       \
      FOR(schedule(runtime), type, first, condition, change, index, trips);                        \
      FOR(schedule(nonmonotonic : runtime), type, first, condition, change, index, trips);         \
      FOR(schedule(monotonic : runtime), type, first, condition, change, index, trips);            \
    }                                                                                              \
    PRAGMA(omp parallel for schedule(runtime) num_threads(team))                                   \
    for (type i = first; condition; change)                                                        \
      ran[index]++;                                                                                \
    expect(trips, __LINE__);                                                                       \
  } while (0)

static long top = LONG_MAX, bottom = LONG_MIN, wide = LONG_MAX / 64;
static unsigned long long utop = ULLONG_MAX, uwide = ULLONG_MAX / 64;

static void limits(void) {
  LOOP(long, top - 20, i < top, i++, i - (top - 20), 20);
  LOOP(long, top - 20, i <= top - 3, i += 3, (i - (top - 20)) / 3, 6);
  LOOP(long, bottom + 200, i > bottom, i--, bottom + 200 - i, 200);
  LOOP(long, -4 * wide, i < 3 * wide, i += wide, 4 + i / wide, 7);
  LOOP(unsigned long long, utop - 300, i < utop, i++, i - (utop - 300), 300);
  LOOP(unsigned long long, 300, i > 0, i--, 300 - i, 300);
  LOOP(unsigned long long, 0, i < 7 * uwide, i += uwide, i / uwide, 7);
  LOOP(unsigned long long, utop, i > utop - 50, i -= 7, (utop - i) / 7, 8);
}

static void counts(void) {
  static const int trips[] = {0, 1, 2, 3, 17, 64, 65, 1000, MOST};
  for (unsigned t = 0; t < sizeof trips / sizeof *trips; t++) {
    int have = trips[t];
    CHECK_OPAQUE(have);
    LOOP(int, 0, i < have, i++, i, have);
    LOOP(long, have, i > 0, i--, have - i, have);
    LOOP(long, -3 * (long)have, i < 0, i += 3, (i + 3 * (long)have) / 3, have);
    LOOP(unsigned long long, 0, i < (unsigned long long)have * 5, i += 5, i / 5, have);
  }
}

/* The value of the last iteration, whoever ran it. */
static void last_values(void) {
  for (int trips = 1; trips < 200; trips += 7) {
    int last = -1;
#pragma omp parallel for schedule(runtime) lastprivate(last) num_threads(team)
    for (int i = 0; i < trips; i++)
      last = i;
    CHECK_EQ(last, trips - 1);
  }
}

int main(int argc, char **argv) {
  omp_sched_t kind;
  int chunk;
  CHECK_EQ(argc, 3);
  omp_get_schedule(&kind, &chunk);
  CHECK_EQ(kind, strtoul(argv[1], 0, 0));
  CHECK_EQ(chunk, atol(argv[2]));
  CHECK_OPAQUE(top);
  CHECK_OPAQUE(bottom);
  CHECK_OPAQUE(utop);
  static const int sizes[] = {1, 2, 3, 5, 16, 64};
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    team = sizes[s];
    counts();
    limits();
    last_values();
  }
  return 0;
}
