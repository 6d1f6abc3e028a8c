/* lock_held.c - a task that has a lock makes tasks that want it: neither keeps the other */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What runs at once lies above its maker, which cannot leave the lock meanwhile. So while a lock is
// held, tasks are put off, however many they are.
// RUN: %omp_build %s -o %t
// RUN: %omp_run %t
// RUN: env OMP_NUM_THREADS=1 %omp_run %t
#include "check.h"

enum { MANY = 200, FAR = 300 };

static omp_lock_t simple;
static omp_nest_lock_t nest;
static int ended; /* tasks; atomic */

static void one_more(void) {
#pragma omp atomic
  ended++;
}

static void in_critical(void) {
#pragma omp critical(held)
  one_more();
}

static void in_simple(void) {
  omp_set_lock(&simple);
  one_more();
  omp_unset_lock(&simple);
}

static void in_nest(void) {
  omp_set_nest_lock(&nest);
  omp_set_nest_lock(&nest);
  one_more();
  omp_unset_nest_lock(&nest);
  omp_unset_nest_lock(&nest);
}

/* --- what a task does under a lock; each says how many tasks it makes --- */

static int makes_one(void (*wants)(void)) {
#pragma omp task firstprivate(wants)
  wants();
  return 1;
}

/* More than a member has ready before it runs new ones at once. */
static int makes_many(void (*wants)(void)) {
  for (int i = 0; i < MANY; i++)
    makes_one(wants);
  return MANY;
}

static int yields(void (*wants)(void)) {
  makes_one(wants);
#pragma omp taskyield
  makes_one(wants);
#pragma omp taskyield
  return 2;
}

static int makes_urgent(void (*wants)(void)) {
  for (int i = 0; i < MANY; i++) {
#pragma omp task firstprivate(wants) priority(1)
    wants();
  }
  return MANY;
}

static int makes_dependent(void (*wants)(void)) {
  for (int i = 0; i < 4 * MANY; i++) {
#pragma omp task firstprivate(wants, i) depend(inout : ended)
    wants();
  }
  return 4 * MANY;
}

static int makes_loop(void (*wants)(void)) {
#pragma omp taskloop nogroup grainsize(1) firstprivate(wants)
  for (int i = 0; i < MANY; i++)
    wants();
  return MANY;
}

static int makes_untied(void (*wants)(void)) {
#pragma omp task firstprivate(wants) untied
  {
    one_more();
#pragma omp task firstprivate(wants)
    wants();
  }
#pragma omp taskyield
  return 2;
}

/* The child has a lock of its own while it makes tasks. */
static int holds_two(void (*wants)(void)) {
#pragma omp task firstprivate(wants)
  {
#pragma omp critical(second)
    {
      one_more();
#pragma omp task firstprivate(wants)
      wants();
#pragma omp task
      one_more();
#pragma omp taskyield
    }
  }
  return 3;
}

static int (*const acts[])(void (*wants)(void)) = {
    makes_one,       makes_many, yields,       makes_urgent,
    makes_dependent, makes_loop, makes_untied, holds_two,
};

/* --- how the lock is had --- */

static int under_critical(int (*act)(void (*)(void))) {
  int made;
#pragma omp critical(held)
  made = act(in_critical);
  return made;
}

static int under_simple(int (*act)(void (*)(void))) {
  omp_set_lock(&simple);
  int made = act(in_simple);
  omp_unset_lock(&simple);
  return made;
}

static int under_tested(int (*act)(void (*)(void))) {
  while (!omp_test_lock(&simple)) {}
  int made = act(in_simple);
  omp_unset_lock(&simple);
  return made;
}

static int under_nest(int (*act)(void (*)(void))) {
  omp_set_nest_lock(&nest);
  omp_set_nest_lock(&nest);
  omp_unset_nest_lock(&nest);
  int made = act(in_nest);
  omp_unset_nest_lock(&nest);
  return made;
}

static int (*const hows[])(int (*)(void (*)(void))) = {
    under_critical,
    under_simple,
    under_tested,
    under_nest,
};

/* Each member holds the lock in its implicit task. */
static void from_members(size_t how, size_t act) {
  int made = 0;
  ended = 0;
#pragma omp parallel reduction(+ : made)
  made += hows[how](acts[act]);
  CHECK_EQ(ended, made);
}

/* Explicit tasks hold it, tied and untied ones. */
static void from_tasks(size_t how, size_t act) {
  int made = 0;
  ended = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 8; i++) {
#pragma omp task shared(made) untied if (i % 4 != 0)
    {
      int n = hows[how](acts[act]);
#pragma omp atomic
      made += n;
    }
#pragma omp task shared(made)
    {
      int n = hows[how](acts[act]);
#pragma omp atomic
      made += n;
    }
  }
  CHECK_EQ(ended, made);
}

/* A task deep in a recursion holds it. */
static int deep(int depth, size_t how, size_t act) {
  int made = 0;
  if (depth == 0)
    return hows[how](acts[act]);
#pragma omp task shared(made) firstprivate(depth, how, act)
  made = deep(depth - 1, how, act);
#pragma omp taskwait
  return made;
}

static void from_depth(size_t how, size_t act) {
  int made = 0;
  ended = 0;
#pragma omp parallel
#pragma omp single
  made = deep(FAR, how, act);
  CHECK_EQ(ended, made);
}

/* A region inside one that holds a lock ends its own tasks. After it, tasks are put off until the
 * lock is free. */
static void around_region(void) {
  ended = 0;
#pragma omp parallel num_threads(1)
  {
    omp_set_lock(&simple);
#pragma omp parallel num_threads(1)
    { makes_one(one_more); }
    CHECK_EQ(ended, 1);
    makes_one(in_simple);
    omp_unset_lock(&simple);
  }
  CHECK_EQ(ended, 2);
}

int main(void) {
  omp_init_lock(&simple);
  omp_init_nest_lock(&nest);
  for (size_t how = 0; how < sizeof hows / sizeof *hows; how++)
    for (size_t act = 0; act < sizeof acts / sizeof *acts; act++) {
      from_members(how, act);
      from_tasks(how, act);
      from_depth(how, act);
    }
  around_region();
  return 0;
}
