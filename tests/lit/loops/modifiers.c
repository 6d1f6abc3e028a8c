/* modifiers.c - monotonic schedules hand each member its chunks in order */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that under monotonic: (and under ordered) a member's iterations only go up, or only down
// in a down loop, and that nonmonotonic: still runs each iteration once.
// RUN: %omp_test
#include "check.h"

enum { TRIPS = 2000 };

#define PRAGMA(text) _Pragma(#text)
#define IN_ORDER(clause)                                                                           \
  do {                                                                                             \
    int last = -1;                                                                                 \
    PRAGMA(omp for clause)                                                                         \
    for (int i = 0; i < TRIPS; i++) {                                                              \
      CHECK(i > last);                                                                             \
      last = i;                                                                                    \
      ran[i]++;                                                                                    \
    }                                                                                              \
    last = TRIPS;                                                                                  \
    PRAGMA(omp for clause)                                                                         \
    for (int i = TRIPS - 1; i >= 0; i--) {                                                         \
      CHECK(i < last);                                                                             \
      last = i;                                                                                    \
      ran[i]++;                                                                                    \
    }                                                                                              \
    rounds += 2;                                                                                   \
  } while (0)

int main(void) {
  static int ran[TRIPS];
  int want = 0;
  omp_set_schedule(omp_sched_monotonic | omp_sched_dynamic, 3);
#pragma omp parallel
  {
    int rounds = 0;
    IN_ORDER(schedule(static));
    IN_ORDER(schedule(static, 7));
    IN_ORDER(schedule(monotonic : static, 7));
    IN_ORDER(schedule(monotonic : dynamic));
    IN_ORDER(schedule(monotonic : dynamic, 16));
    IN_ORDER(schedule(monotonic : guided));
    IN_ORDER(schedule(monotonic : guided, 5));
    IN_ORDER(schedule(monotonic : runtime));
    IN_ORDER(schedule(runtime));
    IN_ORDER(schedule(dynamic, 4) ordered);
    IN_ORDER(schedule(guided, 2) ordered);
#pragma omp for schedule(nonmonotonic : dynamic, 3)
    for (int i = 0; i < TRIPS; i++)
      ran[i]++;
#pragma omp for schedule(nonmonotonic : guided, 3)
    for (int i = 0; i < TRIPS; i++)
      ran[i]++;
    rounds += 2;
#pragma omp single
    want = rounds;
  }
  for (int i = 0; i < TRIPS; i++)
    CHECK_EQ(ran[i], want);
  return 0;
}
