/* lock_random.c - random trees of tasks that make others under locks all end */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A seed says what a task does: makes tasks, yields, takes up to three locks in rising order and
// leaves them, or waits for tasks, also under locks. Those for which it waits take higher locks
// than it has. All others take any lock, also one that their maker has, and may have while it waits
// for others.
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

/* The lowest locks that a task takes: itself, and its children that it does not wait for. */
struct low {
  int own, others;
};

static bool may_make(void) {
  int left;
#pragma omp atomic capture
  left = --budget;
  return left > 0;
}

static void run(uint64_t seed, int depth, struct low low);

static void make(uint64_t seed, int depth, struct low low, unsigned kind, int *x) {
  (void)x;
  if (!may_make())
    return;
  switch (kind) {
  case 0:
#pragma omp task firstprivate(seed, depth, low) untied
    run(seed, depth, low);
    break;
  case 1:
#pragma omp task firstprivate(seed, depth, low) mergeable
    run(seed, depth, low);
    break;
  case 2:
#pragma omp task firstprivate(seed, depth, low) priority(2)
    run(seed, depth, low);
    break;
  case 3:
#pragma omp task firstprivate(seed, depth, low) depend(in : *x)
    run(seed, depth, low);
    break;
  default:
#pragma omp task firstprivate(seed, depth, low)
    run(seed, depth, low);
  }
}

static void make_some(uint64_t seed, int depth, struct low low, int *x) {
  unsigned many = 1 + next_of(&seed, 4), kind = next_of(&seed, 8);
  for (unsigned i = 0; i < many; i++)
    make(seed + i, depth, low, kind, x);
}

/* Constructs that wait at their end: for a task, or for all that descends from it. */
static void make_and_wait(uint64_t seed, int depth, struct low low, int *x) {
  unsigned how = next_of(&seed, 3), many = 1 + next_of(&seed, 4);
  if (how != 2)
    low.others = low.own;
  if (how == 0) {
#pragma omp taskgroup
    make_some(seed, depth, low, x);
  } else if (how == 1 && may_make()) {
#pragma omp taskloop grainsize(1) firstprivate(seed, depth, low)
    for (unsigned i = 0; i < many; i++)
      run(seed + i, depth, low);
  } else if (how == 2 && may_make()) {
#pragma omp task if (0) firstprivate(seed, depth, low)
    run(seed, depth, low);
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

/* A task while it runs. */
struct self {
  struct low low;
  int held[HELD], n; /* its locks, the highest last */
  int lowest;        /* that its children may take since its last taskwait */
  int x;             /* what their dependences name */
};

/* The lowest lock that may be wanted while the task waits. */
static int above(const struct self *t) { return t->n > 0 ? t->held[t->n - 1] + 1 : t->low.own; }

static void make_children(struct self *t, uint64_t seed, int depth, int lowest) {
  if (lowest < t->lowest)
    t->lowest = lowest;
  make_some(seed, depth, (struct low){lowest, t->low.others}, &t->x);
}

static void take(struct self *t, unsigned detail) {
  int next = above(t) + (int)(detail % 3);
  if (t->n == HELD || above(t) >= LOCKS)
    return;
  t->held[t->n] = next < LOCKS ? next : LOCKS - 1;
  set(t->held[t->n++], detail / 3);
}

static void wait_for_children(struct self *t) {
  if (t->lowest < above(t))
    return;
#pragma omp taskwait
  t->lowest = LOCKS;
}

static void leave_all(struct self *t) {
  while (t->n > 0)
    omp_unset_lock(&lock[t->held[--t->n]]);
}

static void run(uint64_t seed, int depth, struct low low) {
  struct self t = {.low = low, .lowest = LOCKS};
#pragma omp atomic
  begun++;
  for (unsigned i = 2 + next_of(&seed, 8); i > 0; i--) {
    unsigned what = next_of(&seed, 12), detail = next_of(&seed, 24);
    uint64_t of = seed ^ (uint64_t)detail << 40;
    switch (depth < DEPTH || what > 4 ? what : 5) {
    case 0:
    case 1:
    case 2: make_children(&t, of, depth + 1, low.others); break;
    case 3: make_children(&t, of, depth + 1, above(&t)); break;
    case 4: make_and_wait(of, depth + 1, (struct low){above(&t), low.others}, &t.x); break;
    case 5:
    case 6: {
#pragma omp taskyield
    } break;
    case 7: wait_for_children(&t); break;
    case 11: leave_all(&t); break;
    default: take(&t, detail);
    }
  }
  if (next_of(&seed, 2))
    wait_for_children(&t);
  leave_all(&t);
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
      run(of, 0, (struct low){0, 0});
    } else {
#pragma omp task firstprivate(of)
      run(of, 0, (struct low){0, 0});
    }
  }
  CHECK_EQ(begun, ended);
}

int main(void) {
  run_rounds(lock, LOCKS, SEEDS, round_of);
  return 0;
}
