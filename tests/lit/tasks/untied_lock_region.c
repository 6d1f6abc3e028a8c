/* untied_lock_region.c - suspended tasks have locks that regions of other tasks want */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An untied task waits with a lock, and its thread goes on with a task that opens a target region
// or a parallel region, which wants the lock. So that one has to wait before its region: until the
// lock is free, also if its holder lies below it on the stack, or waits for something that takes
// its time elsewhere; but not if the holder waits for it.
// RUN: %omp_test
#include "check.h"
#include <pthread.h>

static omp_lock_t lock;

static void use(void) {
  omp_set_lock(&lock);
  omp_unset_lock(&lock);
}

static void in_region(void) {
#pragma omp parallel num_threads(1)
  use();
}

static void in_target(void) {
#pragma omp target
  use();
}

static void other_region(void) {
#pragma omp parallel num_threads(1)
  check_busy(1);
}

/* A child opens a region while the lock's holder waits for it. */
static void hold(bool yields) {
  omp_set_lock(&lock);
#pragma omp task untied firstprivate(yields)
  {
    if (yields) {
#pragma omp taskyield
    }
    other_region();
  }
#pragma omp taskwait
  omp_unset_lock(&lock);
}

static void beside(void (*wants)(void)) {
#pragma omp parallel num_threads(1)
  {
#pragma omp task untied
    {
      omp_set_lock(&lock);
#pragma omp taskyield
      omp_unset_lock(&lock);
    }
#pragma omp task
    wants();
#pragma omp task untied
    hold(true);
#pragma omp task
    wants();
  }
}

/* The region's task goes on above the lock's holder and its child. */
static void above(void (*wants)(void)) {
#pragma omp parallel num_threads(1)
  {
#pragma omp task untied
    {
#pragma omp taskyield
      wants();
    }
#pragma omp task untied
    hold(false);
  }
}

static void *fulfil_late(void *event) {
  check_sleep_ms(600);
  omp_fulfill_event(*(omp_event_handle_t *)event);
  return NULL;
}

/* The lock's holder waits for an event that another thread fulfils. */
static void beside_late(void (*wants)(void)) {
#pragma omp parallel num_threads(1)
  {
#pragma omp task untied
    {
      omp_event_handle_t event;
      pthread_t thread;
      omp_set_lock(&lock);
#pragma omp task detach(event)
      check_busy(1);
      CHECK_EQ(pthread_create(&thread, NULL, fulfil_late, &event), 0);
#pragma omp taskwait
      omp_unset_lock(&lock);
      pthread_join(thread, NULL);
    }
#pragma omp task
    wants();
  }
}

int main(void) {
  omp_init_lock(&lock);
  for (int round = 0; round < CHECK_TIMES(50); round++) {
    beside(in_region);
    beside(in_target);
    above(in_region);
    above(in_target);
  }
  beside_late(in_region);
  beside_late(in_target);
  omp_destroy_lock(&lock);
  return 0;
}
