/* ordered.c - ordered: regions run in the loop's order */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the order under static, static chunk, dynamic, guided, runtime and auto, up and down, over
// int and unsigned long long, with work before and after the region, many loops in a row.
// RUN: %omp_test
#include "check.h"

enum { TRIPS = 90 };

static int trace[TRIPS], at;

static void finish(bool down) {
  CHECK_EQ(at, TRIPS);
  for (int k = 0; k < TRIPS; k++)
    CHECK_EQ(trace[k], down ? TRIPS - 1 - k : k);
  at = 0;
}

static void visit(int k) {
#pragma omp ordered
  trace[at++] = k;
}

#define PRAGMA(text) _Pragma(#text)
#define IN_ORDER(clause)                                                                           \
  do {                                                                                             \
    PRAGMA(omp for ordered clause)                                                                 \
    for (int i = 0; i < TRIPS; i++) {                                                              \
      check_busy((unsigned)(i * 7919 % 300));                                                      \
      visit(i);                                                                                    \
      check_busy((unsigned)(i * 104729 % 300));                                                    \
    }                                                                                              \
    PRAGMA(omp single)                                                                             \
    finish(false);                                                                                 \
    PRAGMA(omp for ordered clause)                                                                 \
    for (unsigned long long i = TRIPS; i > 0; i--)                                                 \
      visit((int)i - 1);                                                                           \
    PRAGMA(omp single)                                                                             \
    finish(true);                                                                                  \
  } while (0)

int main(void) {
  double end = check_seconds() + 2;
  for (int round = 0; round < CHECK_TIMES(20) + 1 && check_seconds() < end; round++) {
    omp_set_schedule(round % 2 ? omp_sched_static : omp_sched_dynamic, 1 + round % 5);
#pragma omp parallel
    {
      IN_ORDER(schedule(static));
      IN_ORDER(schedule(static, 1));
      IN_ORDER(schedule(static, 4));
      IN_ORDER(schedule(dynamic));
      IN_ORDER(schedule(dynamic, 3));
      IN_ORDER(schedule(guided));
      IN_ORDER(schedule(guided, 2));
      IN_ORDER(schedule(runtime));
      IN_ORDER(schedule(auto));
    }
  }
#pragma omp for ordered
  for (int i = 0; i < TRIPS; i++)
    visit(i); /* orphaned, outside any region */
  finish(false);
  return 0;
}
