/* untied_random.c - random trees of tasks that hold locks while they yield and wait all end */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A seed says what a task does: makes tasks (tied, untied, undeferred, with dependences, in a
// taskgroup, a taskloop), yields, waits for them, takes up to two locks and leaves them, or works.
// A lock's number grows with the depth of the tasks that take it. So no task waits for a lock or a
// task that waits for it: on each number of threads that do not suspend tasks all of them end. Here
// tasks are suspended with locks, and others run above them on their stacks.
// RUN: %omp_build %s -o %t
// RUN: %omp_run %t
#include <stdbool.h>
#include <stdint.h>

#include "check.h"
#include "random_locks.h"

enum { DEPTH = 3, LOCKS = 2 * (DEPTH + 2), SEEDS = 16 };

static omp_lock_t lock[LOCKS];
static long begun;

static void set(int i, bool tries) {
  if (!tries)
    omp_set_lock(&lock[i]);
  else
    while (!omp_test_lock(&lock[i])) {
#pragma omp taskyield
    }
}

static void run(uint64_t seed, int depth, bool simulated);

static void make(uint64_t seed, int depth, unsigned kind, int *x) {
  (void)x;
  switch (kind) {
  case 0:
#pragma omp task firstprivate(seed, depth)
    run(seed, depth, false);
    break;
  case 1:
#pragma omp task firstprivate(seed, depth) if (0)
    run(seed, depth, false);
    break;
  case 2:
#pragma omp task untied firstprivate(seed, depth) depend(inout : *x)
    run(seed, depth, false);
    break;
  case 3:
#pragma omp task firstprivate(seed, depth) depend(inout : *x)
    run(seed, depth, false);
    break;
  default:
#pragma omp task untied firstprivate(seed, depth)
    run(seed, depth, false);
  }
}

static void make_some(uint64_t *s, int depth, bool simulated, int *x) {
  unsigned n = 1 + next_of(s, 6), how = next_of(s, 4), kind = next_of(s, 7);
  uint64_t seed = *s;
  if (simulated) {
    for (unsigned i = 0; i < n; i++)
      run(seed + i, depth, true);
  } else if (how == 0) {
#pragma omp taskloop grainsize(1) firstprivate(seed, depth)
    for (unsigned i = 0; i < n; i++)
      run(seed + i, depth, false);
  } else if (how == 1) {
#pragma omp taskgroup
    for (unsigned i = 0; i < n; i++)
      make(seed + i, depth, kind, x);
  } else {
    for (unsigned i = 0; i < n; i++)
      make(seed + i, depth, kind, x);
  }
}

/* What a task does. simulated: only counts the tasks. depth -1: the implicit task. */
static void run(uint64_t seed, int depth, bool simulated) {
  int held = 0, first = 2 * (depth + 1), x = 0;
#pragma omp atomic
  begun++;
  for (unsigned n = 1 + next_of(&seed, 6); n > 0; n--) {
    unsigned what = next_of(&seed, 10), detail = next_of(&seed, 1000);
    if (what < 4 && depth < DEPTH)
      make_some(&seed, depth + 1, simulated, &x);
    if (simulated)
      continue;
    if (what == 4 || what == 5) {
#pragma omp taskyield
    } else if (what == 6) {
#pragma omp taskwait
    } else if (what == 7 && held < 2) {
      set(first + held++, detail % 4 == 0);
    } else if (what == 8) {
      while (held > 0)
        omp_unset_lock(&lock[first + --held]);
    } else if (what == 9 && detail % 2) {
#pragma omp taskwait depend(in : x)
    }
  }
  while (held > 0)
    omp_unset_lock(&lock[first + --held]);
#pragma omp taskwait
}

static void round_of(uint64_t seed, int members) {
  begun = 0;
  for (int i = 0; i < 3 * members; i++)
    run(seed + 100 * (unsigned)i, i % 3 - 1 < 0 ? -1 : 0, true);
  long expected = begun;
  begun = 0;
#pragma omp parallel num_threads(members)
  {
    for (int i = 3 * omp_get_thread_num(), end = i + 3; i < end; i++) {
      uint64_t of = seed + 100 * (unsigned)i;
      if (i % 3 == 0) {
        run(of, -1, false);
      } else {
#pragma omp task untied firstprivate(of)
        run(of, 0, false);
#pragma omp taskyield
      }
    }
  }
  CHECK_EQ(begun, expected);
}

int main(void) {
  run_rounds(lock, LOCKS, SEEDS, round_of);
  return 0;
}
