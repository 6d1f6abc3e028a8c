/* parallel.c - cancel parallel */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a cancelled region ends with members at barriers, in functions too, in nested
// regions, with tasks that have not started; that cancellation points see it and if(false) does not
// cancel; and that the next regions' barriers, singles and reductions are intact.
// RUN: %omp_build %s -o %t
// RUN: env OMP_CANCELLATION=true %omp_run %t %own
#include "check.h"

int x; /* for its address */
static _Atomic(int) passed, begun;

/* Who cancels is the last one to come here. */
static void canceller(int round) {
  int who = round % omp_get_num_threads();
  if (omp_get_thread_num() == who && round % 3 == 0)
    check_sleep_ms(0);
}

/* A member that reaches its explicit barrier waits there until the region is cancelled. */
static void at_barrier(int round) {
  passed = begun = 0;
#pragma omp parallel
  {
    int who = round % omp_get_num_threads();
    canceller(round);
    begun++;
    if (omp_get_thread_num() == who) {
#pragma omp cancel parallel
      CHECK(false);
    }
#pragma omp barrier
    passed++;
  }
  CHECK_EQ(passed, 0);
  CHECK_EQ(begun, omp_get_max_threads());
}

/* Everyone polls a cancellation point. */
static void at_point(int round) {
  passed = begun = 0;
#pragma omp parallel
  {
    int who = round % omp_get_num_threads();
    begun++;
    if (omp_get_thread_num() == who) {
#pragma omp cancel parallel if (round >= 0)
      passed++;
    }
    for (unsigned polls = 0; polls < 20000; polls++) {
#pragma omp cancellation point parallel
      if (polls > 1000)
        check_sleep_ms(1);
    }
    passed++;
  }
  CHECK_EQ(passed, 0);
}

/* The loop's and single's barriers can be cancelled as well. */
static void in_worksharing(int round) {
  _Atomic(int) iterations = 0;
  passed = 0;
#pragma omp parallel
  {
    int who = round % omp_get_num_threads();
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 50; i++)
      iterations++;
#pragma omp single
    check_busy(10);
    if (omp_get_thread_num() == who) {
#pragma omp cancel parallel
    }
#pragma omp for
    for (int i = 0; i < 50; i++)
      check_busy(10);
#pragma omp single
    passed++;
#pragma omp barrier
    passed++;
  }
  CHECK_EQ(iterations, 50);
  CHECK(passed <= 1);
}

/* Tasks that have not started are discarded, those that wait for others too. */
static void with_tasks(int round) {
  _Atomic(int) ran = 0;
  passed = 0;
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0) {
      for (int i = 0; i < 50; i++) {
#pragma omp task shared(ran)
        ran++;
#pragma omp task shared(ran) depend(inout : x)
        ran++;
      }
      if (round % 2) {
#pragma omp taskwait
        CHECK_EQ(ran, 100);
      }
#pragma omp cancel parallel
    }
#pragma omp barrier
    passed++;
  }
  CHECK_EQ(passed, 0);
  CHECK(ran <= 100);
  if (round % 2)
    CHECK_EQ(ran, 100);
}

/* An inner region is cancelled, the outer one is not; or the outer one while inner ones run. */
static void nested(int round) {
  _Atomic(int) inner = 0, outer = 0;
#pragma omp parallel num_threads(3)
  {
#pragma omp parallel num_threads(2)
    {
#pragma omp cancel parallel
      inner++;
    }
    outer++;
#pragma omp barrier
    CHECK_EQ(outer, omp_get_num_threads());
#pragma omp barrier
    if (omp_get_thread_num() == round % omp_get_num_threads()) {
#pragma omp cancel parallel
    }
#pragma omp parallel num_threads(2)
    {
#pragma omp barrier
#pragma omp for
      for (int i = 0; i < 4; i++)
        check_busy(5);
    }
#pragma omp barrier
    inner++;
  }
  CHECK_EQ(inner, 0);
}

static void not_if(void) {
  _Atomic(int) after = 0;
#pragma omp parallel
  {
#pragma omp cancel parallel if (omp_get_level() == 0)
#pragma omp barrier
    after++;
  }
  CHECK_EQ(after, omp_get_max_threads());
}

/* What the next region needs. */
static void intact(void) {
  int size = omp_get_max_threads();
  long sum = 0, singles = 0;
  _Atomic(int) here = 0;
#pragma omp parallel reduction(+ : sum, singles)
  {
    here++;
#pragma omp barrier
    CHECK_EQ(here, omp_get_num_threads());
#pragma omp for schedule(guided)
    for (int i = 0; i < 100; i++)
      sum += i;
    for (int i = 0; i < 3; i++) {
#pragma omp single
      singles++;
    }
#pragma omp single nowait
    singles++;
#pragma omp barrier
#pragma omp cancellation point parallel
    CHECK_EQ(here, size);
  }
  CHECK_EQ(sum, 4950);
  CHECK_EQ(singles, 4);
}

/* Argument 1: a thousand times; else fewer, as libgomp's waiting takes long on a busy machine. */
int main(int argc, char **argv) {
  int rounds = argc > 1 && atoi(argv[1]) ? 1000 : 50;
  CHECK(omp_get_cancellation());
  omp_set_max_active_levels(2);
  for (int round = 0; round < CHECK_TIMES(rounds); round++) {
    at_barrier(round);
    intact();
    at_point(round);
    in_worksharing(round);
    intact();
    with_tasks(round);
    if (round % 10 == 0)
      nested(round);
    not_if();
    intact();
  }
  return 0;
}
