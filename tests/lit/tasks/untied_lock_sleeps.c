/* untied_lock_sleeps.c - a wait for a lock sleeps beside a suspended task that waits for events */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An untied task is suspended until a dependence is fulfilled. Its member waits for a lock, which
// another member has for long, and lets the suspended task have turns: it may have the lock. But
// with the passive policy the process uses next to no CPU meanwhile.
// UNSUPPORTED: sanitizer
// RUN: %omp_build %s -o %t
// RUN: env OMP_WAIT_POLICY=passive NTH_TEST_BERTHS=1 %omp_run %t
#include "Inputs/untied_ways.h"

enum { LONG_MS = 500 };

static atomic_bool locked;

int main(void) {
  omp_lock_t lock;
  omp_set_dynamic(0);
  omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task
    {
      omp_set_lock(&lock);
      locked = true;
      check_sleep_ms(LONG_MS);
      omp_unset_lock(&lock);
    }
    while (!locked) /* by the other member */
      check_sleep_ms(1);
#pragma omp task
    {
#pragma omp task untied
      wait_in(TASKWAIT_DEPEND);
    }
    for (int i = 0; i < 1000 && !waiting; i++) {
#pragma omp taskyield
    }
    double before = check_cpu_seconds();
    omp_set_lock(&lock);
    omp_unset_lock(&lock);
    double used = check_cpu_seconds() - before;
    end_wait(TASKWAIT_DEPEND); /* on libgomp it has not begun yet */
    printf("%.3f s of CPU\n", used);
    CHECK(used < LONG_MS / 4000.0);
  }
  omp_destroy_lock(&lock);
  return 0;
}
