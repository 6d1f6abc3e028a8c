/* taskyield.c - taskyield keeps tied tasks on their thread */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks programs that taskyield in tasks, in loops with locks (the usual spin on a test), and
// outside tasks; a tied task has the same thread and thread number before and after.
// RUN: %omp_test
#include "check.h"
#include <pthread.h>

int main(void) {
  long sum = 0, under_lock = 0;
  omp_lock_t lock;
  omp_init_lock(&lock);
  for (int round = 0; round < 20; round++) {
#pragma omp parallel
    {
#pragma omp taskyield
#pragma omp single
      for (int i = 0; i < 300; i++) {
#pragma omp task shared(sum, under_lock)
        {
          pthread_t self = pthread_self();
          int number = omp_get_thread_num();
          for (int k = 0; k < 3; k++) {
#pragma omp taskyield
            CHECK(pthread_equal(self, pthread_self()));
            CHECK_EQ(omp_get_thread_num(), number);
          }
          while (!omp_test_lock(&lock)) {
#pragma omp taskyield
          }
          under_lock++;
          omp_unset_lock(&lock);
#pragma omp atomic
          sum++;
        }
      }
    }
  }
#pragma omp taskyield
  CHECK_EQ(sum, 20 * 300);
  CHECK_EQ(under_lock, 20 * 300);
  omp_destroy_lock(&lock);
  return 0;
}
