/* init_inside.c - nth_init() inside a region, and regions of other sizes after that one */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that processors that were made inside a region serve nano-threads until nth_exit() while
// the thread's regions, outside and nested, have all sizes, and that these get them or others
// afterwards.
// RUN: %nth_build %s -o %t && %omp_run %t
#include "check.h"
#include <nanogomp/nth.h>

enum { PROCESSORS = 4, NANO_THREADS = 40 };

static long ran;

static void work(void) {
  check_busy(100);
  __atomic_fetch_add(&ran, 1, __ATOMIC_RELAXED);
}

static void nano_threads(void) {
  struct nth_desc *me = nth_self();
  ran = 0;
  CHECK_EQ(nth_depadd(me, NANO_THREADS + 1), 0);
  for (int i = 0; i < NANO_THREADS; i++)
    CHECK_EQ(nth_to_lrq_end(i % nth_processors(), nth_create_ls(work, 0, me, 0)), 0);
  CHECK_EQ(nth_block(), 0);
  CHECK_EQ(ran, NANO_THREADS);
}

static void regions(void) {
  for (int size = 1; size <= 8; size++) {
    int members = 0;
#pragma omp parallel num_threads(size) reduction(+ : members)
#pragma omp parallel num_threads(2) reduction(+ : members)
    members++;
    CHECK_EQ(members, 2 * size);
    if (nth_processors() > 0)
      nano_threads();
  }
}

int main(void) {
  omp_set_dynamic(0);
  omp_set_max_active_levels(3);
  for (int round = 0; round < 3; round++) {
    if (round == 1)
      regions();
#pragma omp parallel num_threads(3)
    if (omp_get_thread_num() == 0) {
      CHECK_EQ(nth_init(PROCESSORS), 0);
      CHECK_EQ(nth_processors(), PROCESSORS);
      nano_threads();
    }
    regions();
    if (round == 2) {
#pragma omp parallel num_threads(2)
      if (omp_get_thread_num() == 0)
        CHECK_EQ(nth_exit(), 0);
    } else {
      CHECK_EQ(nth_exit(), 0);
    }
    regions();
  }
  return 0;
}
