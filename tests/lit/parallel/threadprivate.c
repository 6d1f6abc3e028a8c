/* threadprivate.c - threadprivate: values live from region to region */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that the members that every region has keep their threadprivate value while sizes
// alternate, while a nested region runs between, and that member 0 is the initial thread.
// RUN: %omp_test
#include "check.h"

static int mine;
#pragma omp threadprivate(mine)

static void step(int size, int kept, int round) {
#pragma omp parallel num_threads(size)
  {
    int me = omp_get_thread_num();
    if (me < kept) {
      CHECK_EQ(mine, 1000 * me + round);
      mine++;
    }
  }
}

static void initialise(int size) {
#pragma omp parallel num_threads(size)
  mine = 1000 * omp_get_thread_num();
}

int main(void) {
  int rounds = 0, most = omp_get_max_threads();
  /* The team never changes its size: OpenMP's own guarantee, for all members. */
  initialise(most);
  for (int i = 0; i < 200; i++)
    step(most, most, i);
  initialise(4);
  for (int i = 0; i < 50; i++) {
    step(4, 2, rounds++);
    step(2, 2, rounds++);
    step(3, 2, rounds++);
  }
  CHECK_EQ(mine, rounds);
  /* Regions of one are run by the same thread and leave the others alone. */
  initialise(3);
  for (int i = 0; i < 20; i++) {
    step(3, 3, 2 * i);
#pragma omp parallel num_threads(3)
    mine++;
#pragma omp parallel if (0)
    CHECK_EQ(mine, 2 * i + 2);
  }
  return 0;
}
