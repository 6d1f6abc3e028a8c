/* threadprivate_grow.c - threadprivate: members that a smaller region leaves out come back */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a member keeps its threadprivate value and pthread over regions too small for it,
// over nested regions and over another root thread's regions.
// nanogomp-only: libgomp ends the threads that a smaller region does not need.
// REQUIRES: nanogomp
// RUN: %omp_test
#include "check.h"
#include <pthread.h>

enum { MOST = 6 };

static int mine;
static pthread_t self;
#pragma omp threadprivate(mine, self)

static void *other_root(void *unused) {
  (void)unused;
#pragma omp parallel num_threads(MOST)
  {
    CHECK(mine == 0 || mine == -1); /* fresh, or from a root like this one: never the initial's */
    mine = -1;
  }
  return NULL;
}

static void step(int size, int round) {
#pragma omp parallel num_threads(size)
  {
    CHECK_EQ(mine, 100 * omp_get_thread_num() + round);
    CHECK(pthread_equal(self, pthread_self()));
  }
}

int main(void) {
#pragma omp parallel num_threads(MOST)
  {
    mine = 100 * omp_get_thread_num();
    self = pthread_self();
  }
  for (int i = 0; i < 40; i++) {
    for (int size = 1; size <= MOST; size += 2)
      step(size, i);
    step(MOST, i);
    if (i % 10 == 0) {
      pthread_t root;
      CHECK_EQ(pthread_create(&root, NULL, other_root, NULL), 0);
      CHECK_EQ(pthread_join(root, NULL), 0);
      omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(3)
      CHECK_EQ(omp_get_level(), 2);
      omp_set_max_active_levels(1);
      step(MOST, i);
      check_sleep_ms(20);
    }
    for (int size = MOST; size > 1; size--)
      step(size, i);
#pragma omp parallel num_threads(MOST)
    mine++;
  }
  return 0;
}
