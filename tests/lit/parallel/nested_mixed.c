/* nested_mixed.c - nested parallel: each outer member opens inner teams of its own sizes */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks inner teams of changing sizes under every outer member: worksharing, barriers, reductions
// and single of an inner team never mix with those of its neighbours.
// RUN: %omp_test
#include "check.h"

static void inner_work(int outer, int size, int round) {
  long sum = 0, singles = 0, phase[8] = {0};
#pragma omp parallel num_threads(size) reduction(+ : sum)
  {
    int me = omp_get_thread_num();
    CHECK_EQ(omp_get_num_threads(), size);
    CHECK_EQ(omp_get_ancestor_thread_num(1), outer);
    phase[me] = round + 1;
#pragma omp barrier
    CHECK_EQ(phase[(me + 1) % size], round + 1);
#pragma omp for schedule(dynamic, 3)
    for (int i = 0; i < 100 + outer; i++)
      sum += i;
#pragma omp single
    singles++;
    CHECK_EQ(singles, 1);
  }
  CHECK_EQ(sum, (long)(100 + outer) * (99 + outer) / 2);
}

int main(void) {
  omp_set_max_active_levels(2);
  double end = check_seconds() + 3;
  for (int round = 0; round < CHECK_TIMES(60) && check_seconds() < end; round++) {
#pragma omp parallel num_threads(3)
    {
      int outer = omp_get_thread_num();
      for (int k = 0; k < 3; k++)
        inner_work(outer, 1 + (outer + k + round) % 5, round);
#pragma omp barrier
      inner_work(outer, 2, round);
    }
  }
  return 0;
}
