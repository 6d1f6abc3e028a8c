/* untied_lock_outside.c - a thread outside OpenMP wants a lock of a task that has yielded */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a task's maker, which runs it at once in a team of one, does not go on for good while
// the task is suspended with a lock: what the maker does next may be to wait, by other means than
// OpenMP's, for a thread that wants the lock.
// RUN: %omp_build %s -o %t -pthread
// RUN: %omp_run %t
// RUN: env OMP_THREAD_LIMIT=1 %omp_run %t
#include <omp.h>
#include <pthread.h>

#include "check.h"

enum { TASKS = 12, CHILDREN = 100 };

static omp_lock_t lock;
static int ran;

static void *want(void *arg) {
  omp_set_lock(&lock);
  omp_unset_lock(&lock);
  return arg;
}

static void children(int priority) {
  for (int i = 0; i < CHILDREN; i++) {
#pragma omp task priority(priority)
#pragma omp atomic
    ran++;
  }
}

int main(void) {
  omp_init_lock(&lock);
  for (int priority = 0; priority < 2; priority++)
#pragma omp parallel num_threads(1)
  {
    pthread_t t;
    for (int i = 0; i < TASKS; i++) {
#pragma omp task untied
      {
        omp_set_lock(&lock);
        children(priority);
#pragma omp taskyield
#pragma omp taskwait
        omp_unset_lock(&lock);
      }
    }
    CHECK_EQ(pthread_create(&t, 0, want, 0), 0);
    CHECK_EQ(pthread_join(t, 0), 0);
  }
  CHECK_EQ(ran, 2 * TASKS * CHILDREN);
  return 0;
}
