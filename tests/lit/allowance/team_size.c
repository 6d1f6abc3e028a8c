/* team_size.c - the default team size is of the mask at the start, whatever CPUs come and go */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a program which has an array for omp_get_max_threads() members never gets more in a
// region without a size of its own, after its mask has grown; that a program which binds its first
// thread before its first region has as many members as before; and that omp_get_num_procs()
// follows the mask. libgomp finds its default when it is loaded, too.
// REQUIRES: nanogomp
// RUN: %omp_build %s -o %t
// RUN: env -u OMP_NUM_THREADS %omp_run %t
// RUN: env -u OMP_NUM_THREADS OMP_DISPLAY_ENV=true %omp_run %t
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

/* The mask has one CPU when the program begins. */
static void grows(void) {
  int most = omp_get_max_threads();
  CHECK_EQ(most, 1);
  CHECK_EQ(size_of_region(), 1);
  memset(&masks_full, -1, sizeof masks_full);
  masks_set(getpid(), &masks_full);
#pragma omp parallel num_threads(2)
  for (int i = 0; i < 10; i++) {
    check_sleep_ms(3);
#pragma omp barrier
  }
  CHECK_WAIT_UNTIL((size_of_region(), omp_get_num_procs() > 1));
  CHECK_EQ(omp_get_max_threads(), most);
  CHECK_EQ(size_of_region(), most);
}

/* It has all of them, and the first thread binds itself to one. */
static void shrinks(int most) {
  sched_setaffinity(0, sizeof masks_one, &masks_one);
  CHECK_EQ(size_of_region(), most);
  CHECK_EQ(omp_get_max_threads(), most);
  CHECK_EQ(omp_get_num_procs(), 1);
}

int main(int argc, char **argv) {
  if (argc > 1) {
    grows();
    return 0;
  }
  int cpus = masks_find();
  if (cpus < 2)
    return 0;
  shrinks(cpus);
  char *again[] = {argv[0], "grows", NULL};
  masks_set(getpid(), &masks_one);
  execv(argv[0], again);
  return 1;
}
