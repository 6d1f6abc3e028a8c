/* taskgroup_parts.c - parts of a taskloop that are begun one by one are cancelled in between */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A suspended task that has a lock waits for a taskloop's tasks. Members that wait for the lock
// begin them, each as a task of its own, while one of the group's tasks cancels the group.
// RUN: %omp_build %s -o %t
// RUN: env OMP_CANCELLATION=true %omp_run %t
#include "check.h"

enum { ROUNDS = 2000, MEMBERS = 4 };

static omp_lock_t lock;

static void work(int n) {
  for (volatile int i = 0; i < n; i++) {}
}

static void hold(int round) {
  omp_set_lock(&lock);
#pragma omp taskyield
#pragma omp taskgroup
  {
#pragma omp task untied
    {
      work(round % 997);
#pragma omp cancel taskgroup
    }
#pragma omp taskloop grainsize(1) nogroup
    for (int i = 0; i < 64; i++) {
#pragma omp cancellation point taskgroup
      work(10);
    }
  }
  omp_unset_lock(&lock);
}

static void use(void) {
  omp_set_lock(&lock);
  omp_unset_lock(&lock);
}

int main(void) {
  omp_init_lock(&lock);
  for (int i = 0; i < ROUNDS; i++) {
#pragma omp parallel num_threads(MEMBERS)
#pragma omp single
    {
#pragma omp task untied
      hold(i);
      for (int k = 0; k < 3; k++) {
#pragma omp task
        use();
      }
      use();
    }
  }
  omp_destroy_lock(&lock);
  return 0;
}
