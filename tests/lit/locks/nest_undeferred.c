/* nest_undeferred.c - a nestable lock of an undeferred task that then makes a deferred one */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that the task still owns the lock after that, can set it again, and gives it back in the
// end; that the tasks around it and its child do not own it; and the same for locks of two
// undeferred tasks, one inside the other, and in a final task's included ones.
// RUN: %omp_test
#include "check.h"

static omp_nest_lock_t outer, inner;
static _Atomic(int) children;

/* The current task holds `lock` `count` times. */
static void expect_held(omp_nest_lock_t *lock, int count) {
  CHECK_EQ(omp_test_nest_lock(lock), count + 1); /* not omp_set: it would hang */
  omp_set_nest_lock(lock);
  omp_unset_nest_lock(lock);
  omp_unset_nest_lock(lock);
}

static void expect_other(omp_nest_lock_t *lock) { CHECK_EQ(omp_test_nest_lock(lock), 0); }

static void deferred_child(void) {
#pragma omp task
  {
    expect_other(&outer);
    children++;
  }
}

static void one(void) {
#pragma omp task if (0)
  {
    omp_set_nest_lock(&outer);
    deferred_child();
    expect_held(&outer, 1);
#pragma omp task if (0)
    expect_other(&outer);
    deferred_child();
    expect_held(&outer, 1);
#pragma omp taskwait
    expect_held(&outer, 1);
    omp_unset_nest_lock(&outer);
  }
}

static void two(void) {
#pragma omp task if (0)
  {
    omp_set_nest_lock(&outer);
#pragma omp task if (0)
    {
      omp_set_nest_lock(&inner);
      expect_other(&outer);
      deferred_child();
      expect_held(&inner, 1);
      expect_other(&outer);
#pragma omp taskwait
      omp_unset_nest_lock(&inner);
    }
    expect_held(&outer, 1);
    deferred_child();
    expect_held(&outer, 1);
    omp_set_nest_lock(&inner);
    expect_held(&inner, 1);
    omp_unset_nest_lock(&inner);
#pragma omp taskwait
    omp_unset_nest_lock(&outer);
  }
}

/* Held by the undeferred task, and again by a task in its place, with the same frame on the
 * stack. */
static void in_turn(int turn) {
#pragma omp task if (0)
  {
    CHECK_EQ(omp_test_nest_lock(&outer), 1);
    if (turn % 2)
      deferred_child();
    expect_held(&outer, 1);
#pragma omp taskwait
    omp_unset_nest_lock(&outer);
  }
}

int main(void) {
  omp_init_nest_lock(&outer);
  omp_init_nest_lock(&inner);
  for (int round = 0; round < 20; round++) {
    children = 0;
#pragma omp parallel num_threads(1 + round % 3)
#pragma omp single
    {
      one();
      two();
      for (int turn = 0; turn < 6; turn++)
        in_turn(turn);
      CHECK_EQ(omp_test_nest_lock(&outer), 1);
      omp_unset_nest_lock(&outer);
    }
    CHECK_EQ(children, 7);
  }
  omp_destroy_nest_lock(&outer);
  omp_destroy_nest_lock(&inner);
  return 0;
}
