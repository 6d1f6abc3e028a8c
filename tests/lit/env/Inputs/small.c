/* small.c - a region, tasks and a loop with a known result, for tests of the environment */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check.h"

int main(void) {
  long sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
  {
#pragma omp for schedule(runtime)
    for (int i = 0; i < 100; i++)
      sum += i;
#pragma omp task
    check_busy(1);
  }
  printf("sum %ld\n", sum);
  return 0;
}
