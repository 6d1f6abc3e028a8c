/* once_ull.c - loops over unsigned long long: each iteration exactly once */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks every schedule with several chunks, up and down, steps 1 and more, with no trips, fewer
// trips than members, and many.
// RUN: %omp_test
#include "check.h"

#define TYPE unsigned long long
#define NAME(x) x##_
#include "once.h"

int main(void) {
  static const int trips[] = {0, 1, 3, 17, 1000};
  for (unsigned t = 0; t < sizeof trips / sizeof *trips; t++) {
    once_all_(0, 1, true, trips[t]);
    once_all_(5000, (TYPE)-3, false, trips[t]);
    once_all_(17, 1000, true, trips[t]);
    once_all_((TYPE)-1 - 2000000, 7, true, trips[t]);
    once_all_((TYPE)-2, (TYPE)-100, false, trips[t]);
  }
  return 0;
}
