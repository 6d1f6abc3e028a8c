/* untied_lock.c - a lock that an untied task holds while others run */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a lock, a nestable lock or a critical construct which an untied task holds over
// taskyield or taskwait comes to all siblings that want it, untied or tied, and to the implicit
// task, at every team size.
// RUN: %omp_test
// REQUIRES: nanogomp
// nanogomp-only: libgomp starts a sibling on the holder's stack, in taskwait, or blocks the member.
#include "check.h"

enum { SIBLINGS = CHECK_TIMES(1000) };

static omp_lock_t lock;
static omp_nest_lock_t nest;
static _Atomic(int) held;
static long count;

static void with_lock(int yields) {
  omp_set_lock(&lock);
  long before = count;
  for (int i = 0; i < yields; i++) {
#pragma omp taskyield
  }
  count = before + 1;
  omp_unset_lock(&lock);
}

static void with_nest_lock(int yields) {
  omp_set_nest_lock(&nest);
  CHECK_EQ(omp_test_nest_lock(&nest), 2);
  long before = count;
  for (int i = 0; i < yields; i++) {
#pragma omp taskyield
  }
  count = before + 1;
  omp_unset_nest_lock(&nest);
  omp_unset_nest_lock(&nest);
}

static void with_critical(int yields) {
  (void)yields;
#pragma omp critical(untied_lock)
  count++;
}

static void by_test(int yields) {
  while (!omp_test_lock(&lock)) {}
  long before = count;
  for (int i = 0; i < yields; i++) {
#pragma omp taskyield
  }
  count = before + 1;
  omp_unset_lock(&lock);
}

/* The first one holds the lock until all siblings are made, and then some. */
static void run(void (*use)(int), int tied_too) {
  count = held = 0;
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < SIBLINGS; i++) {
      int yields = i % 50 == 0 ? 3 : 0;
      if (tied_too && i % 10 == 9) {
#pragma omp task
        use(0);
      } else {
#pragma omp task untied
        use(yields);
      }
    }
  }
  CHECK_EQ(count, SIBLINGS);
}

/* The holder is suspended in taskwait, and its child wants nothing. */
static void over_taskwait(void) {
  count = held = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task untied
    {
      omp_set_lock(&lock);
      held = 1;
      long before = count;
      for (int i = 0; i < 10; i++) {
#pragma omp task untied
        {
#pragma omp taskyield
        }
      }
#pragma omp taskwait
      count = before + 1;
      omp_unset_lock(&lock);
    }
    for (int i = 1; i < SIBLINGS; i++) {
#pragma omp task untied
      with_lock(0);
    }
  }
  CHECK_EQ(count, SIBLINGS);
}

/* An implicit task wants the lock that a suspended task of its own member has. */
static void by_implicit(void) {
  count = held = 0;
#pragma omp parallel
  {
#pragma omp single
    {
      for (int i = 0; i < 20; i++) {
#pragma omp task untied
        with_lock(10);
      }
    }
#pragma omp task untied
    with_lock(5);
#pragma omp taskyield
    omp_set_lock(&lock);
    count++;
    omp_unset_lock(&lock);
#pragma omp barrier
#pragma omp single
    CHECK_EQ(count, 20 + 2 * omp_get_num_threads());
  }
}

int main(void) {
  omp_init_lock(&lock);
  omp_init_nest_lock(&nest);
  for (int i = 0; i < 3; i++) {
    run(with_lock, 0);
    run(with_lock, 1);
    run(with_nest_lock, 0);
    run(with_nest_lock, 1);
    run(with_critical, 1);
    run(by_test, 0);
    over_taskwait();
    by_implicit();
  }
  omp_destroy_nest_lock(&nest);
  omp_destroy_lock(&lock);
  return 0;
}
