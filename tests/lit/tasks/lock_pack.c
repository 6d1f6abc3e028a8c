/* lock_pack.c - a task that is made under a lock is no part of a pack that was begun before */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a loop of tasks ends whose last task is made under a lock, for which the maker then
// waits. That task has children, and one of these makes a task that wants the lock: it must not be
// begun above a wait for the children.
// RUN: %omp_build %s -o %t && %omp_run %t 9 && %omp_run %t 12 && %omp_run %t 40
// RUN: env NTH_TEST_BRIEF=1 %omp_run %t 40
#include "check.h"
#include <stdlib.h>

static omp_lock_t lock;
static _Atomic(int) all_made, wanted;
static int tasks;

static void last(void) {
#pragma omp task
  wanted++;
#pragma omp task
  {
    wanted++;
#pragma omp task
    {
      omp_set_lock(&lock);
      wanted++;
      omp_unset_lock(&lock);
    }
  }
#pragma omp taskwait
}

static void body(int i) {
  if (i == 0) {
    CHECK_WAIT_UNTIL(all_made);
    check_sleep_ms(1);
  } else if (i == tasks - 2) {
    check_sleep_ms(20);
  } else if (i == tasks - 1) {
    last();
  }
}

int main(int argc, char **argv) {
  tasks = argc > 1 ? atoi(argv[1]) : 12;
  omp_init_lock(&lock);
  for (int round = 0; round < 5; round++) {
    all_made = wanted = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
      for (int i = 0; i < tasks; i++) {
        if (i == 1)
          check_sleep_ms(2);
        if (i == tasks - 1)
          omp_set_lock(&lock);
#pragma omp task firstprivate(i)
        body(i);
      }
      all_made = 1;
      check_sleep_ms(30);
#pragma omp taskwait
      omp_unset_lock(&lock);
    }
    CHECK_EQ(wanted, 3);
  }
  omp_destroy_lock(&lock);
  return 0;
}
