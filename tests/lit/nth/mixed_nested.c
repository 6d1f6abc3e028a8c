/* mixed_nested.c - regions in nano-threads in regions, and nth_block() inside constructs of a
 * nano-thread */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a nano-thread waits with nth_block() inside its region, task and target region while
// its processor starts others that do the same, in any order, that each goes on in its own
// constructs, and that no more OS threads are runnable than there are CPUs.
// RUN: %nth_build %s -o %t && %omp_run %t 1 && %omp_run %t 2 && %omp_run %t 16
#include "Inputs/runnable.h"

static long leaves;

static void leaf(void) {
  CHECK_EQ(omp_get_level(), 0);
  CHECK_EQ(omp_get_num_threads(), 1);
  check_busy(3000);
  __atomic_fetch_add(&leaves, 1, __ATOMIC_RELAXED);
}

static void grow(long depth);

/* Two nano-threads one level further down; the second one starts behind the first. */
static void wait_for_two(long depth) {
  struct nth_desc *me = nth_self();
  CHECK_EQ(nth_depadd(me, 2 + 1), 0);
  for (long i = 0; i < 2; i++) {
    struct nth_desc *nth =
        depth > 0 ? nth_create_ls(grow, 0, me, 1, depth - 1) : nth_create_ls(leaf, 0, me, 0);
    CHECK_EQ(nth_to_lrq((int)(i % nth_processors()), nth), 0);
  }
  CHECK_EQ(nth_block(), 0);
  CHECK(nth_self() == me);
}

static void in_region(long depth) {
  int first = -1, outer = omp_get_level();
#pragma omp parallel num_threads(2) shared(first)
  {
    int number = omp_get_thread_num();
    CHECK_EQ(omp_get_level(), outer + 1);
    if (number == 0)
      wait_for_two(depth);
    CHECK_EQ(omp_get_thread_num(), number);
    CHECK_EQ(omp_get_num_threads(), 2);
    CHECK_EQ(omp_get_level(), outer + 1);
#pragma omp barrier
#pragma omp for schedule(dynamic, 1)
    for (int i = 0; i < 4; i++)
      __atomic_store_n(&first, i, __ATOMIC_RELAXED);
  }
  CHECK(first >= 0);
  CHECK_EQ(omp_get_level(), outer);
}

static void grow(long depth) {
  CHECK_EQ(omp_get_level(), 0);
  omp_sched_t kind;
  int chunk;
  if (depth % 3 == 0) {
    in_region(depth);
  } else if (depth % 3 == 1) {
#pragma omp task if (0)
    {
      omp_set_schedule(omp_sched_guided, (int)depth + 7);
      in_region(depth);
      omp_get_schedule(&kind, &chunk);
      CHECK_EQ(chunk, depth + 7);
    }
    omp_get_schedule(&kind, &chunk);
    CHECK(chunk != depth + 7);
  } else {
#pragma omp target
    {
      CHECK_EQ(omp_get_level(), 0);
      wait_for_two(depth);
      CHECK_EQ(omp_get_level(), 0);
    }
    in_region(0);
    __atomic_fetch_sub(&leaves, 2, __ATOMIC_RELAXED);
  }
  CHECK_EQ(omp_get_level(), 0);
}

/* main waits in a region, in which the others' member makes nano-threads, too. */
static void a_round(void) {
  enum { DEPTH = 4 };
  leaves = 0;
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0)
      wait_for_two(DEPTH);
    else if (nth_processors() > 1)
      wait_for_two(0);
  }
  CHECK_EQ(leaves, (1l << (DEPTH + 1)) + (nth_processors() > 1 ? 2 : 0));
  leaves = 0;
  wait_for_two(DEPTH);
  CHECK_EQ(leaves, 1l << (DEPTH + 1));
}

int main(int argc, char **argv) { return runnable_main(argc, argv, a_round); }
