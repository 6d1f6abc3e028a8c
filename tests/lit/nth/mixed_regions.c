/* mixed_regions.c - nano-threads that open regions */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that 2 and 16 processors whose nano-threads open regions of 2 and 4, with barriers, never
// have more runnable OS threads than there are CPUs, and that their results are right.
// RUN: %nth_build %s -o %t && %omp_run %t 2 && %omp_run %t 16
#include "Inputs/runnable.h"

static long total;

static void with_region(long i) {
  int members = 2 + (int)(i % 2) * 2;
  long sum = 0;
#pragma omp parallel num_threads(members) reduction(+ : sum)
  {
    CHECK_EQ(omp_get_num_threads(), members);
    CHECK_EQ(omp_get_level(), 1);
    check_busy(20000);
    sum += i;
#pragma omp barrier
    check_busy(5000);
  }
  CHECK_EQ(omp_get_level(), 0);
  CHECK_EQ(sum, i * members);
  __atomic_fetch_add(&total, sum, __ATOMIC_RELAXED);
}

static void a_round(void) {
  const long n = 64;
  struct nth_desc *me = nth_self();
  long expected = 0;
  total = 0;
  CHECK_EQ(nth_depadd(me, n + 1), 0);
  for (long i = 0; i < n; i++) {
    expected += i * (2 + i % 2 * 2);
    CHECK_EQ(nth_to_lrq((int)(i % nth_processors()), nth_create_ls(with_region, 0, me, 1, i)), 0);
  }
  CHECK_EQ(nth_block(), 0);
  CHECK_EQ(total, expected);
}

int main(int argc, char **argv) { return runnable_main(argc, argv, a_round); }
