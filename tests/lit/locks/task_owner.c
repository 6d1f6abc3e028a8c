/* task_owner.c - nestable locks belong to the task */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a task cannot enter a nestable lock its parent task holds, even on the same thread
// (node OMP_3.0), and that a lock set before a taskwait is still held after it.
// RUN: %omp_test
#include "check.h"

int main(void) {
  omp_nest_lock_t nest;
  omp_lock_t lock;
  omp_init_nest_lock(&nest);
  omp_init_lock(&lock);
#pragma omp parallel shared(nest, lock)
#pragma omp single
  for (int i = 0; i < 200; i++) {
    omp_set_nest_lock(&nest);
    omp_set_lock(&lock);
#pragma omp task if (i % 2) shared(nest, lock)
    {
      CHECK_EQ(omp_test_nest_lock(&nest), 0);
      CHECK_EQ(omp_test_lock(&lock), 0);
    }
#pragma omp taskwait
    CHECK_EQ(omp_test_nest_lock(&nest), 2);
    omp_unset_nest_lock(&nest);
    omp_unset_nest_lock(&nest);
    omp_unset_lock(&lock);
#pragma omp task if (i % 3) shared(nest)
    {
      CHECK_EQ(omp_test_nest_lock(&nest), 1);
      omp_unset_nest_lock(&nest);
    }
#pragma omp taskwait
  }
  omp_destroy_lock(&lock);
  omp_destroy_nest_lock(&nest);
  return 0;
}
