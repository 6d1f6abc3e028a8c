/* taskloop_spread.c - a taskloop's tasks go to whoever has nothing to do */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that as many tasks as there are members run at the same time, whoever meets the construct
// and wherever the others wait: at a barrier, asleep or not, or in a taskwait; with a few tasks and
// with many, when the others come late, and when short tasks are followed by long ones. From the
// region's end at least one comes back.
// nanogomp-only: with libgomp members at the region's end, and those in a taskwait, do not help.
// REQUIRES: nanogomp
// A tool: with a tool tasks are neither batched nor split.
// UNSUPPORTED: tool
// RUN: %omp_test
#include "check.h"

static _Atomic(int) here, gone, arrived;
static _Atomic(int) total;

/* A task that wants n threads at once. */
static void meet(int n) {
  here++;
  CHECK_WAIT_UNTIL(here >= n);
  gone++;
}

static void reset(void) { here = gone = arrived = total = 0; }

/* One task each, of which `wanted` are to run at a time. */
static void one_each(int members, int wanted) {
#pragma omp taskloop num_tasks(members)
  for (int i = 0; i < members; i++)
    meet(wanted);
  CHECK_EQ(gone, members);
}

/* Short ones, then at places far from each other some that meet. */
static void among_many(int members, int wanted, int tasks) {
#pragma omp taskloop grainsize(1)
  for (int i = 0; i < tasks; i++) {
    total++;
    if (i % (tasks / members) == tasks / members - 1)
      meet(wanted);
  }
  CHECK_EQ(gone, members);
  CHECK_EQ(total, tasks);
}

static void construct(int members, int wanted, int round) {
  int n = CHECK_TIMES(3000) / members * members;
  if (round % 3 == 0)
    one_each(members, wanted);
  else
    among_many(members, wanted, round % 3 == 1 ? members * 2 : n);
}

/* The others are at a barrier, at first or later. */
static void at_barrier(int round) {
  reset();
#pragma omp parallel
  {
    int n = omp_get_num_threads(), me = omp_get_thread_num();
    if (me == round % n) {
      check_sleep_ms(round & 1 ? 5 : 0);
      construct(n, n, round);
    } else if (round & 2) {
      CHECK_WAIT_UNTIL(here > 0); /* somebody is in a long task, and has seen nobody hungry */
    }
#pragma omp barrier
  }
}

/* The others are at the region's end. */
static void at_end(int round) {
  reset();
#pragma omp parallel
  {
    int n = omp_get_num_threads();
    if (omp_get_thread_num() == round % n) {
      CHECK_WAIT_UNTIL(arrived == n - 1);
      check_sleep_ms(10); /* by then they are docked */
      construct(n, n > 1 ? 2 : 1, round);
    } else {
      arrived++;
    }
  }
}

/* Who met the construct has left it to the others, and waits for them in a taskwait. */
static void left_to_others(int round) {
  reset();
#pragma omp parallel
#pragma omp single
  {
    int n = omp_get_num_threads(), tasks = n * (1 + round % 7);
#pragma omp taskloop grainsize(1) nogroup
    for (int i = 0; i < tasks; i++) {
      total++;
      if (i % (tasks / n) == 0)
        meet(n);
    }
    if (round & 1 && n > 1)
      CHECK_WAIT_UNTIL(here == n - 1); /* all the others are in one */
#pragma omp taskwait
    CHECK_EQ(total, tasks);
    CHECK_EQ(gone, n);
  }
}

/* All but one have a batch of their own at first, and come to the longest one's help. */
static void each_its_own(int round) {
  reset();
#pragma omp parallel
  {
    int n = omp_get_num_threads(), me = omp_get_thread_num();
    int tasks = me == round % n ? 4 * n : 3;
#pragma omp taskloop grainsize(1) firstprivate(n)
    for (int i = 0; i < tasks; i++) {
      total++;
      if (tasks != 3 && i % 4 == 3)
        meet(n);
    }
#pragma omp barrier
    CHECK_EQ(total, 4 * n + 3 * (n - 1));
  }
}

int main(void) {
  for (int round = 0; round < 12; round++) {
    at_barrier(round);
    at_end(round);
    left_to_others(round);
    each_its_own(round);
  }
  return 0;
}
