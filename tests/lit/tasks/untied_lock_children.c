/* untied_lock_children.c - a suspended task that holds a lock has its children run, however many
 * wait for that lock */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task takes a lock, lets others go on, makes tasks and waits for them. Meanwhile 70 untied tasks
// and the encountering task, tied, wait for the lock. The wait of the tied one may go on with the
// holder, but may start no task. So the holder's wait has to begin the holder's own tasks.
// RUN: %omp_build %s -o %t
// RUN: %omp_run %t
#include "check.h"

enum { WAITERS = 70, CHILDREN = 3 };

static omp_lock_t lock;
static int children, waiters;

static void hold(void) {
  omp_set_lock(&lock);
#pragma omp taskyield
  for (int i = 0; i < CHILDREN; i++) {
#pragma omp task untied
    {
#pragma omp taskyield
#pragma omp atomic
      children++;
    }
  }
#pragma omp taskwait
  omp_unset_lock(&lock);
}

static void wait_for_it(void) {
  omp_set_lock(&lock);
  waiters++;
  omp_unset_lock(&lock);
}

static void round_of(int members) {
  children = waiters = 0;
#pragma omp parallel num_threads(members)
#pragma omp single
  {
#pragma omp task untied
    hold();
    for (int i = 0; i < WAITERS; i++) {
#pragma omp task untied
      wait_for_it();
    }
    wait_for_it();
  }
  CHECK_EQ(children, CHILDREN);
  CHECK_EQ(waiters, WAITERS + 1);
}

int main(void) {
  omp_init_lock(&lock);
  for (int i = 0; i < 50; i++)
    for (int members = 1; members <= 4; members++)
      round_of(members);
  omp_destroy_lock(&lock);
  return 0;
}
