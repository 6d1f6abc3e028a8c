/* master_masked.c - master and masked: only the named member runs the block */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks master, masked and masked filter(n), with filters outside the team, in changing sizes; no
// member waits for another there.
// RUN: %omp_test
#include "check.h"

int main(void) {
  double end = check_seconds() + 1.5;
  for (int round = 0; round < 200 && check_seconds() < end; round++) {
    int n = 1 + round % 6, masters = 0, masked = 0, filtered[8] = {0};
#pragma omp parallel num_threads(n)
    {
#pragma omp master
      {
        CHECK_EQ(omp_get_thread_num(), 0);
#pragma omp atomic
        masters++;
      }
#pragma omp masked
      {
        CHECK_EQ(omp_get_thread_num(), 0);
#pragma omp atomic
        masked++;
      }
      for (int f = 0; f < 8; f++) {
#pragma omp masked filter(f)
        {
          CHECK_EQ(omp_get_thread_num(), f);
#pragma omp atomic
          filtered[f]++;
        }
      }
    }
    CHECK_EQ(masters, 1);
    CHECK_EQ(masked, 1);
    for (int f = 0; f < 8; f++)
      CHECK_EQ(filtered[f], f < n);
  }
  int alone = 0;
#pragma omp master
  alone++;
#pragma omp masked filter(1)
  alone += 10;
  CHECK_EQ(alone, 1);
  return 0;
}
