/* untied_yield.c - taskyield of an untied task lets each other task have its turn */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that thousands of untied tasks that yield until the last one sets a flag all end, in a
// team of one too, with tasks made by one member, by all, or by one another; and that none changes
// its thread or its errno.
// RUN: %omp_test
// REQUIRES: nanogomp
// nanogomp-only: in libgomp taskyield does nothing, so the members loop in the first tasks for
// ever.
#include "check.h"

#include <errno.h>

enum { MANY = CHECK_TIMES(10000) };

static _Atomic(int) flag, ran, mismatched;

static int own;
#pragma omp threadprivate(own)

static void wait_for_last(int i, int last) {
  int *mine = &own, thread = omp_get_thread_num();
  errno = i;
  if (i == last)
    flag = 1;
  while (!flag) {
#pragma omp taskyield
    if (errno != i || mine != &own || omp_get_thread_num() != thread)
      mismatched = 1;
  }
  ran++;
}

static void begin(void) { flag = ran = mismatched = 0; }

static void end(int all) {
  CHECK_EQ(ran, all);
  CHECK_EQ(mismatched, 0);
}

static void by_one(int n) {
  begin();
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < n; i++) {
#pragma omp task untied
    wait_for_last(i, n - 1);
  }
  end(n);
}

/* The one that sets the flag is made while the others are under way; the maker waits for them. */
static void by_each(int n) {
  begin();
#pragma omp parallel
  {
    int each = n / omp_get_num_threads(), last = omp_get_thread_num() == 0 ? each - 1 : -1;
    for (int i = 0; i < each; i++) {
#pragma omp task untied
      wait_for_last(i, last);
    }
#pragma omp taskwait
    own = 0;
  }
  CHECK_EQ(mismatched, 0);
}

static void chain(int i, int n) {
  if (i + 1 < n) {
#pragma omp task untied
    chain(i + 1, n);
  }
  wait_for_last(i, n - 1);
}

static void by_another(int n) {
  begin();
#pragma omp parallel
#pragma omp single
#pragma omp task untied
  chain(0, n);
  end(n);
}

/* A tied task yields to those that are suspended. */
static void tied_beside(int n) {
  begin();
  static _Atomic(int) go;
  go = 0;
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < n; i++) {
#pragma omp task untied
      {
        while (!go) {
#pragma omp taskyield
        }
        if (++ran == n)
          flag = 1;
      }
    }
    go = 1;
    while (!flag) {
#pragma omp taskyield
    }
  }
  end(n);
}

int main(void) {
  by_one(MANY);
  by_one(10);
  by_each(MANY);
  by_another(MANY / 10);
  tied_beside(MANY / 10);
  return 0;
}
