/* taskloop_children.c - a taskloop's tasks have children, and go on beside each other */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks tasks of one iteration that make tasks: awaited, left behind, with dependences among
// siblings (none between different parents), detached, undeferred, in taskgroups; a taskwait waits
// for the own children only; taskloops in taskloops; what a task leaves behind finds its arguments
// unchanged. Argument 1: also detached ones. libgomp runs some at once and waits for the event,
// which comes later.
// RUN: %omp_build %s -o %t && %omp_run %t %own
#include "check.h"

enum { N = 400 };
static _Atomic(int) ran[N], children[N];
static _Atomic(long) total;

static void reset(void) {
  for (int i = 0; i < N; i++)
    ran[i] = children[i] = 0;
  total = 0;
}

static void all(int tasks, int each) {
  for (int i = 0; i < N; i++) {
    CHECK_EQ(ran[i], i < tasks);
    CHECK_EQ(children[i], i < tasks ? each : 0);
  }
}

/* Every third one makes children and waits, every third one leaves them behind. */
static void some(int tasks) {
  reset();
#pragma omp taskloop grainsize(1)
  for (int i = 0; i < tasks; i++) {
    int own = 0;
    for (int c = 0; c < 3; c++) {
      if (i % 3 == 0) {
        children[i]++;
      } else {
#pragma omp task firstprivate(i) shared(own)
        {
          children[i]++;
          if (i % 3 == 1) {
#pragma omp atomic
            own++;
          }
        }
      }
    }
    if (i % 3 == 1) {
#pragma omp taskwait
      CHECK_EQ(own, 3);
    }
    ran[i]++;
  }
  all(tasks, 3);
}

/* Children's children, left behind by both. */
static void deep(int tasks) {
  reset();
  long key = 77;
#pragma omp taskloop grainsize(1) firstprivate(key)
  for (int i = 0; i < tasks; i++) {
    key += i;
    for (int c = 0; c < 2; c++) {
#pragma omp task firstprivate(i, key)
      {
        CHECK_EQ(key, 77 + i);
        check_busy(100);
#pragma omp task firstprivate(i, key)
        {
          CHECK_EQ(key, 77 + i);
          children[i]++;
        }
      }
    }
    ran[i]++;
  }
  CHECK_EQ(key, 77);
  all(tasks, 2);
}

/* Dependences are among the children of one task. */
static void dependent(int tasks) {
  static int object;
  CHECK_OPAQUE(object);
  reset();
#pragma omp taskloop grainsize(1)
  for (int i = 0; i < tasks; i++) {
    int step = 0, own = 0;
    for (int c = 0; c < 4; c++) {
#pragma omp task firstprivate(i, c) shared(step) depend(inout : object)
      {
        CHECK_EQ(step++, c);
        children[i]++;
      }
    }
    if (i % 2) {
#pragma omp task if (0) depend(in : object) shared(step)
      CHECK_EQ(step, 4);
    }
#pragma omp task shared(own)
    own = 1;
#pragma omp taskwait
    CHECK_EQ(step + own, 5);
    ran[i]++;
  }
  all(tasks, 4);
}

static void grouped(int tasks) {
  reset();
#pragma omp taskloop grainsize(1)
  for (int i = 0; i < tasks; i++) {
#pragma omp taskgroup
    {
#pragma omp task firstprivate(i)
      {
#pragma omp task firstprivate(i)
        children[i]++;
      }
    }
    CHECK_EQ(children[i], 1);
#pragma omp task if (0)
    {
#pragma omp task firstprivate(i)
      children[i]++;
#pragma omp taskwait
    }
    CHECK_EQ(children[i], 2);
#pragma omp taskyield
    ran[i]++;
  }
  all(tasks, 2);
}

/* The events are fulfilled by the next task, or at last. */
static void detached(int tasks) {
  static _Atomic(uintptr_t) waiting;
  reset();
#pragma omp taskgroup
  {
#pragma omp taskloop grainsize(1) nogroup
    for (int i = 0; i < tasks; i++) {
      omp_event_handle_t event;
#pragma omp task detach(event) firstprivate(i)
      children[i]++;
      uintptr_t before =
          __atomic_exchange_n((uintptr_t *)&waiting, (uintptr_t)event, __ATOMIC_ACQ_REL);
      if (before)
        omp_fulfill_event((omp_event_handle_t)before);
      if (++total == tasks)
        omp_fulfill_event(
            (omp_event_handle_t)__atomic_exchange_n((uintptr_t *)&waiting, 0, __ATOMIC_ACQ_REL));
      ran[i]++;
    }
  }
  all(tasks, 1);
}

static void nested(int depth, int width) {
  if (depth == 0) {
    total++;
    return;
  }
#pragma omp taskloop grainsize(1)
  for (int i = 0; i < width; i++)
    nested(depth - 1, width);
}

static long power(long base, int n) { return n ? base * power(base, n - 1) : 1; }

/* Left to the group around. */
static void nested_loosely(int depth, int width) {
  if (depth == 0) {
    total++;
    return;
  }
#pragma omp taskloop grainsize(1) nogroup firstprivate(depth)
  for (int i = 0; i < width; i++)
    nested_loosely(depth - 1, width);
}

/* Regions, and taskloops in them. */
static void with_regions(int tasks) {
  reset();
#pragma omp taskloop grainsize(1)
  for (int i = 0; i < tasks; i++) {
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskloop grainsize(1)
    for (int j = 0; j < 5; j++)
      children[i]++;
    ran[i]++;
  }
  all(tasks, 5);
}

static void constructs(int round) {
  some(round % 2 ? N : 7);
  deep(round % 2 ? N : 7);
  dependent(round % 2 ? N : 7);
  grouped(round % 2 ? N : 7);
  total = 0;
  nested(4, 6);
  CHECK_EQ(total, power(6, 4));
  total = 0;
#pragma omp taskgroup
  nested_loosely(4, 6);
  CHECK_EQ(total, power(6, 4));
  with_regions(10);
}

int main(int argc, char **argv) {
  bool own = argc > 1 && argv[1][0] == '1';
  omp_set_max_active_levels(2);
  for (int round = 0; round < CHECK_TIMES(20) + 2; round++) {
#pragma omp parallel
#pragma omp single
    {
      constructs(round);
      if (own)
        detached(round % 2 ? N : 7);
    }
  }
  constructs(1); /* outside any region */
  /* all members have some */
  total = 0;
#pragma omp parallel
  for (int round = 0; round < 5; round++)
    nested(3, 6);
  int members = 0;
#pragma omp parallel reduction(+ : members)
  members++;
  CHECK_EQ(total, 5 * members * power(6, 3));
  return 0;
}
