/* barriers.c - tasks at barriers: children made while others wait */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that members waiting at a barrier run tasks, also those that tasks create meanwhile, and
// that no member passes before all of them are done; explicit barriers and implicit ones.
// RUN: %omp_test
#include "check.h"

static long done;

static void spread(int depth) {
#pragma omp atomic
  done++;
  if (depth == 0)
    return;
  for (int k = 0; k < 2; k++) {
#pragma omp task firstprivate(depth)
    spread(depth - 1);
  }
}

int main(void) {
  int n = omp_get_max_threads();
  long per_tree = (1 << 7) - 1;
  double end = check_seconds() + 2;
  for (int round = 0; round < CHECK_TIMES(100) && check_seconds() < end; round++) {
    done = 0;
#pragma omp parallel
    {
#pragma omp master
      spread(6);
#pragma omp barrier
      CHECK_EQ(done, per_tree);
#pragma omp barrier
      spread(6);
#pragma omp for schedule(static)
      for (int i = 0; i < 2 * n; i++)
        check_busy(100);
      CHECK_EQ(done, per_tree * (1 + n));
#pragma omp barrier
#pragma omp task
      spread(6);
#pragma omp single
      spread(6);
      CHECK_EQ(done, per_tree * (2 + 2 * n));
    }
    CHECK_EQ(done, per_tree * (2 + 2 * n));
  }
  return 0;
}
