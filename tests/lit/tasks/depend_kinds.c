/* depend_kinds.c - depend clauses of every kind, iterators, depend objects */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks in, out, inout, mutexinoutset, depobj (made, updated, destroyed), iterators with many
// items and with none, undeferred and final tasks with dependences, taskwait with depend,
// dependences inside tasks.
// RUN: %omp_test
#include "check.h"

#pragma GCC diagnostic ignored "-Wdangling-pointer" /* gcc 12 about its own array */

enum { MANY = 3000 };
static long object[MANY];
int zero; /* not known to the compiler */

static void readers(void) {
  int x = 0;
  _Atomic(int) read = 0;
#pragma omp task depend(out : x) shared(x)
  {
    check_busy(2000);
    x = 1;
  }
  for (int i = 0; i < 200; i++) {
#pragma omp task depend(in : x) shared(x, read)
    {
      CHECK_EQ(x, 1);
      read++;
    }
  }
#pragma omp task depend(inout : x) shared(x, read)
  {
    CHECK_EQ(read, 200);
    x = 2;
  }
#pragma omp task depend(in : x) shared(x)
  CHECK_EQ(x, 2);
#pragma omp taskwait
}

static void exclusive(void) {
  long x = 0, y = 0;
#pragma omp task depend(out : x, y) shared(x, y)
  x = y = 1;
  for (int i = 0; i < 60; i++) {
#pragma omp task depend(mutexinoutset : x, y) shared(x, y) firstprivate(i)
    {
      check_count_alone(&x, i % 4);
      check_count_alone(&y, i % 4);
    }
#pragma omp task depend(mutexinoutset : y) shared(y) firstprivate(i)
    check_count_alone(&y, i % 4);
  }
#pragma omp task depend(in : x) depend(in : y) shared(x, y)
  {
    CHECK_EQ(x, 61);
    CHECK_EQ(y, 121);
  }
#pragma omp taskwait
}

static void depend_objects(void) {
  long x = 0, y = 0;
  omp_depend_t in, out;
#pragma omp depobj(in) depend(in : x)
#pragma omp depobj(out) depend(inout : x)
  for (int i = 0; i < 20; i++) {
#pragma omp task depend(depobj : out) shared(x)
    x++;
#pragma omp task depend(depobj : in) depend(inout : y) shared(x, y) firstprivate(i)
    {
      CHECK_EQ(x, i + 1);
      y++;
    }
  }
#pragma omp depobj(in) update(out)
#pragma omp task depend(depobj : in) shared(x)
  x = 100;
#pragma omp depobj(out) update(mutexinoutset)
  for (int i = 0; i < 20; i++) {
#pragma omp task depend(depobj : out) shared(x) firstprivate(i)
    check_count_alone(&x, i % 4);
  }
#pragma omp taskwait
  CHECK_EQ(x, 120);
  CHECK_EQ(y, 20);
#pragma omp depobj(in) destroy
#pragma omp depobj(out) destroy
}

/* Many addresses in one task, in thousands of tasks, and none at all. */
static void iterators(void) {
  memset(object, 0, sizeof object);
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < MANY; i++) {
#pragma omp task depend(inout : object[i]) firstprivate(i, round)
      CHECK_EQ(object[i]++, 2 * round);
    }
#pragma omp task depend(iterator(i = 0 : MANY), inout : object[i]) firstprivate(round)
    for (int i = 0; i < MANY; i++)
      CHECK_EQ(object[i]++, 2 * round + 1);
#pragma omp task depend(iterator(i = 0 : zero), inout : object[i])
    check_busy(1);
#pragma omp task depend(iterator(i = 0 : zero), in : object[i]) depend(in : object[0])             \
    firstprivate(round)
    CHECK_EQ(object[0], 2 * round + 2);
  }
#pragma omp taskwait depend(iterator(i = 0 : zero), in : object[i])
#pragma omp taskwait depend(iterator(i = 0 : MANY), in : object[i])
  for (int i = 0; i < MANY; i++)
    CHECK_EQ(object[i], 6);
#pragma omp taskwait
}

static void undeferred(void) {
  long x = 0;
  _Atomic(int) others = 0;
  for (int i = 0; i < 20; i++) {
#pragma omp task depend(inout : x) shared(x)
    {
      check_busy(500);
      x++;
    }
#pragma omp task shared(others)
    others++;
#pragma omp task if (0) depend(in : x) shared(x) firstprivate(i)
    CHECK_EQ(x, 2 * i + 1);
#pragma omp task if (0) depend(inout : x) shared(x)
    x++;
    CHECK_EQ(x, 2 * i + 2);
  }
#pragma omp task depend(inout : x) shared(x)
  x = 7;
#pragma omp taskwait depend(in : x)
  CHECK_EQ(x, 7);
#pragma omp task final(1) depend(inout : x) shared(x)
  {
    x++;
#pragma omp task depend(inout : x) shared(x)
    x++;
    CHECK_EQ(x, 9);
  }
#pragma omp taskwait
  CHECK_EQ(x, 9);
  CHECK_EQ(others, 20);
}

/* The same address among a task's own children, and among its siblings: independent of each
 * other. */
static void nested(int depth) {
  long x = 0;
  for (int i = 0; i < 4; i++) {
#pragma omp task depend(inout : x) shared(x) firstprivate(depth, i)
    {
      CHECK_EQ(x, i);
      if (depth > 0)
        nested(depth - 1);
#pragma omp task depend(out : x) shared(x)
      x++;
#pragma omp taskwait depend(in : x)
    }
  }
#pragma omp taskwait
  CHECK_EQ(x, 4);
}

int main(void) {
  for (int round = 0; round < CHECK_TIMES(10) + 1; round++) {
#pragma omp parallel
#pragma omp single
    {
      readers();
      exclusive();
      depend_objects();
      iterators();
      undeferred();
      nested(3);
    }
    readers(); /* outside any region */
    exclusive();
    depend_objects();
    undeferred();
    nested(2);
  }
  return 0;
}
