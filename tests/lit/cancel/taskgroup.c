/* taskgroup.c - cancel taskgroup */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that tasks of a cancelled taskgroup that have not started are discarded, also those that
// wait for their dependences, descendants and taskloops; that those around and next taskgroups are
// not touched; and that cancellation points in tasks see it.
// RUN: %omp_build %s -o %t
// RUN: env OMP_CANCELLATION=true %omp_run %t
#include "check.h"

static void simple(void) {
  _Atomic(int) after = 0, outside = 0, cancelled = 0;
#pragma omp task shared(outside)
  outside++;
#pragma omp taskgroup
  {
#pragma omp task shared(cancelled, after)
    {
      cancelled = 1;
#pragma omp cancel taskgroup
      after++;
    }
    for (int i = 0; i < 50; i++) {
#pragma omp task shared(cancelled, after)
      {
        if (cancelled) {
          CHECK_WAIT_UNTIL(cancelled);
          check_sleep_ms(0);
        }
#pragma omp cancellation point taskgroup
      }
    }
  }
  CHECK_EQ(after, 0);
#pragma omp taskwait
  CHECK_EQ(outside, 1);
#pragma omp taskgroup
  for (int i = 0; i < 10; i++) {
#pragma omp task shared(outside)
    outside++;
  }
  CHECK_EQ(outside, 11);
}

/* Behind the task that cancels nothing starts. */
static void waiting(void) {
  int x = 0;
  _Atomic(int) ran = 0;
#pragma omp taskgroup
  {
#pragma omp task depend(inout : x) shared(x)
    {
      x = 1;
#pragma omp cancel taskgroup
    }
    for (int i = 0; i < 20; i++) {
#pragma omp task depend(inout : x) shared(ran)
      ran++;
    }
  }
  CHECK_EQ(ran, 0);
  CHECK_EQ(x, 1);
}

/* A task of the outer group, made inside the inner one's tasks, is of the inner one. */
static void two_groups(void) {
  _Atomic(int) inner = 0, outer = 0;
#pragma omp taskgroup
  {
#pragma omp task shared(inner, outer)
    {
#pragma omp taskgroup
      {
#pragma omp task if (0)
        {
#pragma omp cancel taskgroup
        }
#pragma omp task shared(inner)
        inner++;
      }
#pragma omp task shared(outer)
      outer++;
    }
#pragma omp task shared(outer)
    outer++;
  }
  CHECK_EQ(inner, 0);
  CHECK_EQ(outer, 2);
}

static void loops(void) {
  _Atomic(int) done = 0, after = 0;
#pragma omp taskloop grainsize(1) shared(done, after)
  for (int i = 0; i < 100; i++) {
    if (i >= 0) {
#pragma omp cancel taskgroup
      after++;
    }
    done++;
  }
  CHECK_EQ(after, 0);
  CHECK_EQ(done, 0);
}

static void not_if(int n) {
  _Atomic(int) ran = 0;
#pragma omp taskgroup
  for (int i = 0; i < 10; i++) {
#pragma omp task shared(ran)
    {
#pragma omp cancel taskgroup if (n < 0)
      ran++;
    }
  }
  CHECK_EQ(ran, 10);
}

int main(void) {
  for (int round = 0; round < CHECK_TIMES(200); round++) {
#pragma omp parallel
    {
#pragma omp single
      {
        simple();
        waiting();
        loops();
        not_if(round);
      }
#pragma omp single
      two_groups();
    }
  }
  return 0;
}
