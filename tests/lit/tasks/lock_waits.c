/* lock_waits.c - a wait under a lock: tasks for which it does not wait may want the lock */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task has a lock and waits for others, whose own tasks, or older ones, want that lock. Nobody
// waits for these, so the wait must not begin them above the lock's holder; nor may another thread
// begin them above a task for which the holder waits.
// RUN: %omp_build %s -o %t
// RUN: %omp_run %t
// RUN: env OMP_NUM_THREADS=1 %omp_run %t
#include "check.h"

enum { MANY = 20, ROUNDS = 10 };

static omp_lock_t lock;
static int ended; /* tasks; atomic */

static void take_lock(void) {
  omp_set_lock(&lock);
#pragma omp atomic
  ended++;
  omp_unset_lock(&lock);
}

static void wants(void) {
#pragma omp task
  take_lock();
}

/* A task whose own tasks want the lock, some of them two levels below. */
static void leads_to(int many) {
#pragma omp task firstprivate(many)
  for (int i = 0; i < many; i++) {
    if (i % 2 != 0) {
      wants();
    } else {
#pragma omp task
      wants();
    }
  }
}

/* --- what a task waits for, under the lock; each says how many tasks want it --- */

static int children(void) {
  for (int i = 0; i < MANY; i++)
    leads_to(2);
#pragma omp taskwait
  return 2 * MANY;
}

/* The group waits neither for what is older, nor for descendants of that. */
static int group(void) {
  int in_group = 0;
  for (int i = 0; i < MANY; i++)
    wants();
  leads_to(MANY);
#pragma omp taskgroup
  for (int i = 0; i < MANY; i++) {
#pragma omp task shared(in_group)
#pragma omp atomic
    in_group++;
  }
  CHECK_EQ(in_group, MANY);
  return 2 * MANY;
}

/* The construct waits for its own tasks only, which lie above the others. */
static int loop(void) {
  int in_loop = 0;
  for (int i = 0; i < MANY; i++)
    wants();
#pragma omp taskloop grainsize(1) shared(in_loop)
  for (int i = 0; i < MANY; i++) {
#pragma omp atomic
    in_loop++;
  }
  CHECK_EQ(in_loop, MANY);
  return MANY;
}

/* A loop without a wait of its own, of tasks whose own want the lock. */
static int loop_apart(void) {
#pragma omp taskloop grainsize(1) nogroup
  for (int i = 0; i < MANY; i++)
    wants();
#pragma omp taskwait
  return MANY;
}

static int predecessors(void) {
  int x = 0, y = 0;
#pragma omp task depend(out : x) shared(x)
  {
    leads_to(MANY);
    x = 1;
  }
#pragma omp task depend(out : y) shared(y)
  {
    leads_to(MANY);
    y = 1;
  }
#pragma omp task depend(in : x) shared(x) if (0)
  CHECK_EQ(x, 1);
#pragma omp taskwait depend(in : y)
  CHECK_EQ(y, 1);
  return 2 * MANY;
}

/* The end of a task that the group needs makes another one ready, which it does not need. */
static int group_behind(void) {
  static int x, y; /* with the lock; others' dependences outlive this call */
  int in_group = 0;
#pragma omp task depend(out : y)
  y = 1;
#pragma omp task depend(out : x)
  x = 1;
#pragma omp task depend(in : x)
  take_lock();
#pragma omp taskgroup
  {
#pragma omp task depend(in : x, y) shared(in_group)
    in_group = x + y;
  }
  CHECK_EQ(in_group, 2);
  return 1;
}

/* Others have begun what it waits for, and wait in turn. */
static int waits_below(void) {
  int inner = 0;
  for (int i = 0; i < 4; i++) {
#pragma omp task shared(inner)
    {
      for (int k = 0; k < MANY; k++) {
#pragma omp task shared(inner)
        {
          wants();
#pragma omp atomic
          inner++;
        }
      }
#pragma omp taskwait
    }
  }
  check_busy(200);
#pragma omp taskwait
  CHECK_EQ(inner, 4 * MANY);
  return 4 * MANY;
}

/* Its children are untied, and suspended with what they have made. */
static int untied_children(void) {
  for (int i = 0; i < 4; i++) {
#pragma omp task untied
    {
      leads_to(MANY);
#pragma omp taskyield
#pragma omp task
      wants();
#pragma omp taskwait
    }
  }
#pragma omp taskwait
  return 4 * (MANY + 1);
}

static int (*const forms[])(void) = {
    children, group, loop, loop_apart, predecessors, waits_below, untied_children, group_behind,
};

static int hold(int (*form)(void)) {
  omp_set_lock(&lock);
  int want = form();
  omp_unset_lock(&lock);
  return want;
}

/* One member's implicit task has the lock, or each in turn. */
static void from_members(int (*form)(void), bool each) {
  int want = 0;
  ended = 0;
#pragma omp parallel reduction(+ : want)
  if (each || omp_get_thread_num() == 0)
    want += hold(form);
  CHECK_EQ(ended, want);
}

/* Explicit tasks have it, tied and untied ones in turn. */
static void from_tasks(int (*form)(void)) {
  int want = 0;
  ended = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 4; i++) {
#pragma omp task shared(want) firstprivate(form)
    {
      int n = hold(form);
#pragma omp atomic
      want += n;
    }
#pragma omp task shared(want) firstprivate(form) untied
    {
      int n = hold(form);
#pragma omp atomic
      want += n;
    }
  }
  CHECK_EQ(ended, want);
}

/* A task that is suspended since before goes on in the wait, and waits in turn. */
static void beside_suspended(void) {
  ended = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task untied
    {
#pragma omp taskyield
      wants();
#pragma omp taskwait
    }
    omp_set_lock(&lock);
#pragma omp taskgroup
    for (int i = 0; i < 4; i++) {
#pragma omp task untied
      for (int k = 0; k < MANY; k++) {
#pragma omp taskyield
      }
    }
    omp_unset_lock(&lock);
  }
  CHECK_EQ(ended, 1);
}

int main(void) {
  omp_init_lock(&lock);
  for (int round = 0; round < ROUNDS; round++) {
    beside_suspended();
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
      from_members(forms[i], false);
      from_members(forms[i], true);
      from_tasks(forms[i]);
    }
  }
  return 0;
}
