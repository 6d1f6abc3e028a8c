/* wtime.c - omp_get_wtime and omp_get_wtick */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that the clock never goes back, agrees with CLOCK_MONOTONIC over a sleep, is common to all
// members, and that the tick is positive and small.
// RUN: %omp_test
#include "check.h"

int main(void) {
  double tick = omp_get_wtick(), last = omp_get_wtime();
  CHECK(tick > 0 && tick <= 0.01);
  for (int i = 0; i < 100000; i++) {
    double now = omp_get_wtime();
    CHECK(now >= last);
    last = now;
  }
  double mono = check_seconds(), begin = omp_get_wtime();
  check_sleep_ms(100);
  double slept = omp_get_wtime() - begin, real = check_seconds() - mono;
  CHECK(slept >= 0.099 && slept <= real + 0.001);
  double from = omp_get_wtime(), member[64];
#pragma omp parallel num_threads(4)
  member[omp_get_thread_num()] = omp_get_wtime();
  double to = omp_get_wtime();
  for (int m = 0; m < 4; m++)
    CHECK(member[m] >= from && member[m] <= to);
  return 0;
}
