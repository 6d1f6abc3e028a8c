/* lock_taskwait.c - a task that holds a lock while it waits for its children */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks tasks that hold a lock over taskwait, while other tasks want the same lock: the waiting
// thread may run only descendants (tied task constraint), or the program would deadlock; the same
// with critical inside, and with taskgroup.
// RUN: %omp_test
#include "check.h"

static omp_lock_t lock;
static long inside, visits;

static void holder(int i) {
  long children = 0;
  omp_set_lock(&lock);
  CHECK_EQ(++inside, 1);
  for (int c = 0; c < 3; c++) {
#pragma omp task shared(children)
    {
      check_busy(100);
#pragma omp atomic
      children++;
    }
  }
  if (i % 2) {
#pragma omp taskwait
    CHECK_EQ(children, 3);
  } else {
#pragma omp taskgroup
    {
#pragma omp task shared(children)
#pragma omp atomic
      children++;
    }
#pragma omp taskwait
    CHECK_EQ(children, 4);
  }
  CHECK_EQ(inside--, 1);
  visits++;
  omp_unset_lock(&lock);
#pragma omp critical
  visits += 0;
}

int main(void) {
  omp_init_lock(&lock);
  for (int round = 0; round < 10; round++) {
    visits = 0;
#pragma omp parallel
    {
#pragma omp single nowait
      for (int i = 0; i < 60; i++) {
#pragma omp task firstprivate(i)
        holder(i);
      }
#pragma omp task
      holder(0);
    }
    CHECK_EQ(visits, 60 + omp_get_max_threads());
  }
  omp_destroy_lock(&lock);
  return 0;
}
