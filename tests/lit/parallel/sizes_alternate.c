/* sizes_alternate.c - parallel: team sizes that change from region to region */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that regions of 2,3,4,1 members, then of pseudo-random sizes, each run every member once
// and see the serial part's writes; a runtime that rebuilds or loses members fails the sums.
// RUN: %omp_test
#include "check.h"

static void region(int want, long stamp) {
  static long mark[16];
  long sum = 0;
#pragma omp parallel num_threads(want) reduction(+ : sum)
  {
    CHECK_EQ(omp_get_num_threads(), want);
    mark[omp_get_thread_num()] = stamp;
    sum += 1 + omp_get_thread_num();
  }
  CHECK_EQ(sum, (long)want * (want + 1) / 2);
  for (int i = 0; i < want; i++)
    CHECK_EQ(mark[i], stamp);
  memset(mark, 0, sizeof mark);
}

int main(void) {
  static const int cycle[] = {2, 3, 4, 1};
  uint64_t state = 1;
  double end = check_seconds() + 2;
  for (long i = 1; i <= CHECK_TIMES(400) && check_seconds() < end; i++)
    region(cycle[i % 4], i);
  end = check_seconds() + 2;
  for (long i = 1; i <= CHECK_TIMES(400) && check_seconds() < end; i++)
    region(1 + (int)(check_random(&state) % 12), -i);
  return 0;
}
