/* visibility.c - parallel: what is written before the fork and in the region is seen */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks 20,000 times that members read what the master wrote just before the region, and that
// the master reads, without any flush, what each member wrote in it (the join orders them).
// RUN: %omp_test
#include "check.h"

enum { WORDS = 64, MOST = 64 };

static long in[WORDS], from[MOST][8];

int main(void) {
  int n = omp_get_max_threads();
  CHECK(n <= MOST);
  double end = check_seconds() + 2;
  for (long i = 1; i <= CHECK_TIMES(20000) && check_seconds() < end; i++) {
    for (int w = 0; w < WORDS; w++)
      in[w] = i + w;
#pragma omp parallel
    {
      int me = omp_get_thread_num();
      long sum = 0;
      for (int w = 0; w < WORDS; w++)
        sum += in[w];
      from[me][i % 8] = sum + me;
    }
    long want = i * WORDS + WORDS * (WORDS - 1) / 2;
    for (int m = 0; m < n; m++)
      CHECK_EQ(from[m][i % 8], want + m);
  }
  return 0;
}
