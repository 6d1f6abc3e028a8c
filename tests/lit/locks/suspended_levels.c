/* suspended_levels.c - tasks of one thread wait for a lock, in a region and in one inside it */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An untied task that waits for a lock is suspended. Its thread opens an inner region, where
// another such task waits, and the inner barrier for that. Whoever leaves the lock has to call
// both: the outer one cannot go on before the inner region has ended.
// nanogomp-only: the taskyield of libgomp begins no other task.
// REQUIRES: nanogomp
// RUN: %omp_test
#include "check.h"

static omp_lock_t lock;
static _Atomic(int) held, begun;

static void use(void) {
  omp_set_lock(&lock);
  omp_unset_lock(&lock);
}

static void keep(void) {
  omp_set_lock(&lock);
  held = 1;
  check_sleep_ms(50);
  omp_unset_lock(&lock);
}

static void wait_on_two_levels(int inner) {
  CHECK_WAIT_UNTIL(held);
#pragma omp task untied
  {
    begun = 1;
    use();
  }
#pragma omp taskgroup
  {
#pragma omp task untied
    while (!begun) {
#pragma omp taskyield
    }
  }
#pragma omp parallel num_threads(inner)
  {
#pragma omp task untied
    use();
  }
}

int main(void) {
  omp_init_lock(&lock);
  omp_set_max_active_levels(2);
  for (int round = 0; round < 6; round++) {
    held = begun = 0;
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1)
      keep();
    else
      wait_on_two_levels(1 + round % 3);
  }
  omp_destroy_lock(&lock);
  return 0;
}
