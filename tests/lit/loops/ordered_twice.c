/* ordered_twice.c - ordered: several regions in an iteration */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that all ordered regions of all iterations run one after another, in the order of a serial
// run: two in a body, some in an inner loop, and some that only later iterations have; in all
// schedules, with teams of 1 to 5.
// RUN: %omp_test
#include "check.h"

enum { TRIPS = 48, MOST = 8 * TRIPS };

static int trace[2][MOST]; /* the regions of a serial run, and of a team's */
static int which, at, inside;

/* A region is left later than others may enter if it does not exclude them. */
static void visit(int i, int region) {
#pragma omp ordered
  {
    CHECK_EQ(inside++, 0);
    int here = at;
    CHECK(here < MOST);
    check_busy(20);
    trace[which][here] = 8 * i + region;
    at = here + 1;
    inside--;
  }
}

/* The time between two regions: others come meanwhile if they can. */
static void between(int i) {
  if (i % 8 == 0)
    check_sleep_ms(0);
  else
    check_busy((unsigned)(i * 7919 % 500));
}

static void twice(int i) {
  visit(i, 0);
  between(i);
  visit(i, 1);
  between(i + 3);
}

/* None to three regions. */
static void inner(int i) {
  for (int j = 0; j < i * 7 % 4; j++) {
    visit(i, j);
    between(i + j);
  }
}

/* One region an iteration, until some of the later ones have a second or a third one. */
static void late(int i) {
  visit(i, 0);
  between(i);
  if (i > TRIPS / 4 && i % 3 != 0) {
    visit(i, 1);
    between(i + 1);
  }
  if (i == TRIPS - 2)
    visit(i, 2);
}

/* The first region is the conditional one. */
static void sometimes(int i) {
  between(i);
  if (i % 5 == 1)
    visit(i, 0);
  between(i + 2);
  visit(i, 1);
  inner(i);
}

#define PRAGMA(text) _Pragma(#text)
#define IN_ORDER(clause)                                                                           \
  do {                                                                                             \
    at = 0;                                                                                        \
    PRAGMA(omp parallel for ordered num_threads(team) clause)                                      \
    for (int i = 0; i < TRIPS; i++)                                                                \
      body(i);                                                                                     \
    compare(regions, team, #clause);                                                               \
  } while (0)

static void compare(int regions, int team, const char *clause) {
  for (int k = 0; k < regions && k < at; k++)
    if (trace[0][k] != trace[1][k]) {
      fprintf(stderr, "team of %d, %s, region %d\n", team, clause, k);
      CHECK_EQ(trace[1][k], trace[0][k]);
    }
  CHECK_EQ(at, regions);
}

static void in_order(void (*body)(int), int team) {
  which = at = 0;
  for (int i = 0; i < TRIPS; i++)
    body(i);
  int regions = at;
  which = 1;
  IN_ORDER(schedule(static));
  IN_ORDER(schedule(static, 1));
  IN_ORDER(schedule(static, 3));
  IN_ORDER(schedule(dynamic, 1));
  IN_ORDER(schedule(dynamic, 3));
  IN_ORDER(schedule(guided));
  omp_set_schedule(omp_sched_dynamic, 2);
  IN_ORDER(schedule(runtime));
  omp_set_schedule(omp_sched_static, 2);
  IN_ORDER(schedule(runtime));
}

int main(void) {
  static void (*const bodies[])(int) = {twice, inner, late, sometimes};
  for (int b = 0; b < 4; b++)
    for (int team = 1; team <= 5; team++)
      in_order(bodies[b], team);
  return 0;
}
