/* lock_random.c - random trees of tasks that make others under locks all end */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A seed says what a task does: makes tasks, yields, takes up to three locks in rising order and
// leaves them, or waits for tasks when it has none. The tasks take any lock, also one that their
// maker has.
// RUN: %omp_build %s -o %t
// RUN: %omp_run %t
// RUN: env OMP_NUM_THREADS=1 %omp_run %t
#include <stdbool.h>
#include <stdint.h>

#include "check.h"
#include "random_locks.h"

enum { LOCKS = 8, DEPTH = 4, HELD = 3, TASKS = 60, SEEDS = 60 };

static omp_lock_t lock[LOCKS];
static long begun, ended; /* tasks; atomic */
static int budget;        /* tasks that may still be made; atomic */

static bool may_make(void) {
  int left;
#pragma omp atomic capture
  left = --budget;
  return left > 0;
}

static void run(uint64_t seed, int depth);

static void make(uint64_t seed, int depth, unsigned kind, int *x) {
  (void)x;
  if (!may_make())
    return;
  switch (kind) {
  case 0:
#pragma omp task firstprivate(seed, depth) untied
    run(seed, depth);
    break;
  case 1:
#pragma omp task firstprivate(seed, depth) mergeable
    run(seed, depth);
    break;
  case 2:
#pragma omp task firstprivate(seed, depth) priority(2)
    run(seed, depth);
    break;
  case 3:
#pragma omp task firstprivate(seed, depth) depend(in : *x)
    run(seed, depth);
    break;
  default:
#pragma omp task firstprivate(seed, depth)
    run(seed, depth);
  }
}

static void make_some(uint64_t seed, int depth, int *x) {
  unsigned many = 1 + next_of(&seed, 4), kind = next_of(&seed, 8);
  for (unsigned i = 0; i < many; i++)
    make(seed + i, depth, kind, x);
}

/* Constructs that wait at their end. */
static void make_and_wait(uint64_t seed, int depth, int *x) {
  unsigned how = next_of(&seed, 3), many = 1 + next_of(&seed, 4);
  if (how == 0) {
#pragma omp taskgroup
    make_some(seed, depth, x);
  } else if (how == 1 && may_make()) {
#pragma omp taskloop grainsize(1) firstprivate(seed, depth)
    for (unsigned i = 0; i < many; i++)
      run(seed + i, depth);
  } else if (how == 2 && may_make()) {
#pragma omp task if (0) firstprivate(seed, depth)
    run(seed, depth);
  }
}

static void set(int i, unsigned how) {
  if (how > 1) {
    omp_set_lock(&lock[i]);
    return;
  }
  while (!omp_test_lock(&lock[i]))
    if (how == 0) {
#pragma omp taskyield
    }
}

static void leave_all(int *held, int *n) {
  while (*n > 0)
    omp_unset_lock(&lock[held[--*n]]);
}

static void run(uint64_t seed, int depth) {
  int held[HELD], n = 0, x = 0;
#pragma omp atomic
  begun++;
  for (unsigned i = 2 + next_of(&seed, 8); i > 0; i--) {
    unsigned what = next_of(&seed, 12), detail = next_of(&seed, 24);
    int above = n > 0 ? held[n - 1] + 1 : 0;
    uint64_t of = seed ^ (uint64_t)detail << 40;
    if (what < 4 && depth < DEPTH) {
      make_some(of, depth + 1, &x);
    } else if (what == 4 && depth < DEPTH && n == 0) {
      make_and_wait(of, depth + 1, &x);
    } else if (what == 5 || what == 6) {
#pragma omp taskyield
    } else if (what == 7 && n == 0) {
#pragma omp taskwait
    } else if (what > 7 && what < 11 && n < HELD && above < LOCKS) {
      int next = above + (int)(detail % 3);
      held[n] = next < LOCKS ? next : LOCKS - 1;
      set(held[n++], detail / 3);
    } else if (what == 11) {
      leave_all(held, &n);
    }
  }
  leave_all(held, &n);
#pragma omp atomic
  ended++;
}

static void round_of(uint64_t seed, int members) {
  begun = ended = 0;
  budget = TASKS;
#pragma omp parallel num_threads(members)
  for (unsigned i = 0; i < 3; i++) {
    uint64_t of = seed + 100 * i + 1000 * (unsigned)omp_get_thread_num();
    if (i == 0) {
      run(of, 0);
    } else {
#pragma omp task firstprivate(of)
      run(of, 0);
    }
  }
  CHECK_EQ(begun, ended);
}

int main(void) {
  run_rounds(lock, LOCKS, SEEDS, round_of);
  return 0;
}
