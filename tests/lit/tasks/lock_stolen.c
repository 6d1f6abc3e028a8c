/* lock_stolen.c - what a lock's holder waits for has been stolen by who wants the lock */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a task that holds a lock over taskwait gets at its children, though another member
// has stolen some of them together with tasks that want the lock, one of which it runs, and so
// waits.
// RUN: %omp_test
#include "check.h"

enum { CHILDREN = 60 };

static omp_lock_t lock;
static _Atomic(int) holding, wanted, ran, visits;

static void wants(void) {
  wanted = 1;
  omp_set_lock(&lock);
  visits++;
  omp_unset_lock(&lock);
}

/* Runs at once, above the tasks that want the lock. Makes children until it has been stolen
 * from. */
static void holds(int r) {
  omp_set_lock(&lock);
  holding = 1;
  for (int i = 0; i < CHILDREN && !(wanted && i > r % 8); i++) {
#pragma omp task
    ran++;
    check_busy(300);
  }
  if (r % 2) {
#pragma omp taskwait
  } else {
#pragma omp taskgroup
    {
#pragma omp task
      ran++;
    }
#pragma omp taskwait
  }
  CHECK_EQ(visits, 0);
  omp_unset_lock(&lock);
}

int main(void) {
  omp_init_lock(&lock);
  for (int r = 0; r < CHECK_TIMES(1000); r++) {
    holding = wanted = ran = visits = 0;
    int many = 1 + r % 3;
#pragma omp parallel num_threads(2)
    {
      if (omp_get_thread_num() == 0) {
        for (int i = 0; i < many; i++) {
#pragma omp task
          wants();
        }
#pragma omp task if (0)
        holds(r);
      } else {
        CHECK_WAIT_UNTIL(holding);
      }
    }
    CHECK_EQ(visits, many);
  }
  omp_destroy_lock(&lock);
  return 0;
}
