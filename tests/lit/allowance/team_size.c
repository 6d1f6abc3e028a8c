/* team_size.c - the default team size is what it was at first, whatever CPUs come and go */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a program which has an array for omp_get_max_threads() members never gets more in a
// region without a size of its own, after its mask has grown; and that omp_get_num_procs() follows
// the mask. libgomp finds its default once, too.
// REQUIRES: nanogomp
// RUN: %omp_build %s -o %t && env -u OMP_NUM_THREADS %omp_run %t
#define _GNU_SOURCE
#include "check.h"
#include "Inputs/masks.h"
#include <omp.h>
#include <unistd.h>

static int size_of_region(void) {
  int size = 0;
#pragma omp parallel
  {
    check_sleep_ms(3); /* waits look at the mask */
#pragma omp barrier
#pragma omp single
    size = omp_get_num_threads();
  }
  return size;
}

int main(void) {
  if (masks_find() < 2)
    return 0;
  masks_set(getpid(), &masks_one);
  int most = omp_get_max_threads();
  CHECK_EQ(most, 1);
  CHECK_EQ(size_of_region(), 1);
  masks_set(getpid(), &masks_full);
#pragma omp parallel num_threads(2)
  for (int i = 0; i < 10; i++) {
    check_sleep_ms(3);
#pragma omp barrier
  }
  CHECK_WAIT_UNTIL((size_of_region(), omp_get_num_procs() > 1));
  CHECK_EQ(omp_get_max_threads(), most);
  CHECK_EQ(size_of_region(), most);
  return 0;
}
