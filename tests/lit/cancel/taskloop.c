/* taskloop.c - taskloops of many tasks, cancelled in the midst */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a cancelled taskloop starts no further task of its own, also when a task of a task
// cancels, or the region is cancelled; that tasks around go on, those of inner loops are discarded
// with the outer ones; that the next loop is complete.
// nanogomp-only: libgomp 12 starts all tasks of a taskloop that it runs at once.
// REQUIRES: nanogomp
// RUN: %omp_build %s -o %t
// RUN: env OMP_CANCELLATION=true %omp_run %t
// RUN: %omp_run %t
#include "check.h"

#pragma GCC diagnostic ignored "-Wmaybe-uninitialized" /* gcc 12 about its own variables */

enum { N = 20000 };
static _Atomic(long) begun, others;
static _Atomic(int) cancelling, late;

static void reset(void) { begun = others = cancelling = late = 0; }

/* All tasks but the cancelling one. Who comes just before the cancellation stays until it has
 * happened, so that it has to be the last one of its thread. */
#define GO_ON                                                                                      \
  begun++;                                                                                         \
  if (omp_get_cancellation() && cancelling) {                                                      \
    late++;                                                                                        \
    for (;;) {                                                                                     \
      check_sleep_ms(0);                                                                           \
      _Pragma("omp cancellation point taskgroup")                                                  \
    }                                                                                              \
  }

static void group(int at) {
  reset();
#pragma omp taskloop grainsize(1) firstprivate(at)
  for (int i = 0; i < N; i++) {
    if (i == at) {
      begun++;
      cancelling = 1;
#pragma omp cancel taskgroup
      CHECK(!omp_get_cancellation());
    } else {
      GO_ON
    }
  }
  CHECK(late < omp_get_num_threads());
  if (!omp_get_cancellation())
    CHECK_EQ(begun, N);
}

/* A child cancels, in the group of the loop. */
static void by_child(int at) {
  reset();
#pragma omp taskloop grainsize(1) firstprivate(at)
  for (int i = 0; i < N; i++) {
    if (i % 16 == 0) {
#pragma omp task
      others++;
    }
    if (i == at) {
      begun++;
      cancelling = 1;
#pragma omp task
      {
#pragma omp cancel taskgroup
      }
#pragma omp taskwait
    } else {
      GO_ON
    }
  }
  CHECK(late <= omp_get_num_threads());
  if (!omp_get_cancellation())
    CHECK(begun == N && others == (N + 15) / 16);
}

/* The tasks of other groups are not concerned; those of a loop in a cancelled one are. */
static void around(int at) {
  reset();
#pragma omp taskgroup
  {
#pragma omp taskloop grainsize(1) nogroup
    for (int i = 0; i < 500; i++)
      others++;
#pragma omp taskloop grainsize(1) firstprivate(at)
    for (int i = 0; i < 500; i++) {
#pragma omp taskloop grainsize(1)
      for (int j = 0; j < 10; j++)
        begun++;
      if (i == at % 500) {
#pragma omp cancel taskgroup
      }
#pragma omp cancellation point taskgroup
    }
  }
  CHECK_EQ(others, 500);
  CHECK(begun <= 5000 && (omp_get_cancellation() || begun == 5000));
}

static void region(void) {
  begun = 0;
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0) {
#pragma omp taskloop grainsize(1) nogroup
      for (int i = 0; i < N; i++)
        begun++;
    }
    if (omp_get_thread_num() == omp_get_num_threads() - 1) {
#pragma omp cancel parallel
    }
  }
  CHECK(begun <= N && (omp_get_cancellation() || begun == N));
}

int main(void) {
  for (int round = 0; round < CHECK_TIMES(30) + 1; round++) {
#pragma omp parallel
#pragma omp single
    {
      group(round * 37 % 1000);
      by_child(round * 91 % 5000);
      around(round * 17);
      begun = 0;
#pragma omp taskloop grainsize(1)
      for (int i = 0; i < N; i++)
        begun++;
      CHECK_EQ(begun, N);
    }
    region();
  }
  return 0;
}
