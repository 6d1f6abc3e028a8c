/* fib.c - task recursion without cut-off, with taskwait */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks Fibonacci numbers by one task per call, from one creator and from all members at once,
// with tied and untied tasks.
// RUN: %omp_test
#include "check.h"

static long fib(int n) {
  if (n < 2)
    return n;
  long a, b;
#pragma omp task shared(a) firstprivate(n)
  a = fib(n - 1);
#pragma omp task shared(b) firstprivate(n) untied
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}

int main(void) {
  static const long want[] = {0,  1,  1,  2,   3,   5,   8,   13,  21,
                              34, 55, 89, 144, 233, 377, 610, 987, 1597};
  long result = 0;
#pragma omp parallel
#pragma omp single
  result = fib(CHECK_SLOWER > 1 ? 15 : 20);
  CHECK_EQ(result, CHECK_SLOWER > 1 ? 610 : 6765);
#pragma omp parallel
  for (int n = 0; n < 13; n++)
    CHECK_EQ(fib(n), want[n]);
  for (int n = 0; n < 18; n++)
    CHECK_EQ(fib(n), want[n]); /* outside any region */
  return 0;
}
