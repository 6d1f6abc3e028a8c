/* lock_behind.c - children that others have stolen, behind tasks that want the lock of who waits
 * for them */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a task that holds a lock over taskwait, or waits for the end of one child, gets at
// what all the others have stolen: each of them has run a task that wants the lock, and what it has
// stolen besides lies behind more of these, out of reach of its owner.
// RUN: %omp_build %s -o %t
// RUN: env OMP_NUM_THREADS=2 %omp_run %t
// RUN: env OMP_NUM_THREADS=3 %omp_run %t
// RUN: env OMP_NUM_THREADS=5 %omp_run %t
// RUN: env OMP_NUM_THREADS=16 %omp_run %t
// RUN: env OMP_NUM_THREADS=5 OMP_WAIT_POLICY=passive %omp_run %t
#include "check.h"

enum { CHILDREN = 60 };

static omp_lock_t lock;
static _Atomic(int) holding, wanted, ran, visits;
static char object;

static void wants(void) {
  wanted++;
  omp_set_lock(&lock);
  visits++;
  omp_unset_lock(&lock);
}

/* Runs at once, above the tasks that want the lock. Makes children until all others wait for it. */
static void holds(int r, int others) {
  omp_set_lock(&lock);
  int made = 0, before = visits; /* by the maker itself, when they were too many */
  holding = 1;
  for (; made < CHILDREN && !(wanted >= others && made > r % 8); made++) {
#pragma omp task depend(in : object)
    {
      check_busy(50);
      ran++;
    }
#pragma omp task
    check_busy(10);
    check_busy(300);
  }
  if (r % 3 == 0) {
#pragma omp taskwait depend(out : object)
    CHECK_EQ(ran, made);
  } else if (r % 3 == 1) {
#pragma omp taskgroup
    {
#pragma omp task
      ran++;
    }
    CHECK(ran > 0);
  }
#pragma omp taskwait
  CHECK_EQ(ran, made + (r % 3 == 1));
  CHECK_EQ(visits, before);
  omp_unset_lock(&lock);
}

int main(void) {
  int n = omp_get_max_threads(), times = CHECK_TIMES(n > 5 ? 60 : 300);
  omp_init_lock(&lock);
  for (int r = 0; r < times; r++) {
    holding = wanted = ran = visits = 0;
    int many = (n - 1) * (1 + r % 3) + r % 4 * 10; /* stolen, or the maker's still, below its
                                                    * children */
#pragma omp parallel
    {
      if (omp_get_thread_num() == 0) {
        for (int i = 0; i < many; i++) {
#pragma omp task
          wants();
        }
#pragma omp task if (0)
        holds(r, n - 1);
      } else {
        CHECK_WAIT_UNTIL(holding);
      }
    }
    CHECK_EQ(visits, many);
  }
  omp_destroy_lock(&lock);
  return 0;
}
