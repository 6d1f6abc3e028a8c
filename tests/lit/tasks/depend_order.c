/* depend_order.c - tasks with dependences run after their predecessors */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks chains of in, out and inout dependences between sibling tasks.
// RUN: %omp_test
#include "check.h"

enum { ROUNDS = 300, CHAIN = 20 };

int main(void) {
  for (int round = 0; round < ROUNDS; round++) {
    int value = 0, seen[CHAIN];
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < CHAIN; i++) {
#pragma omp task depend(out : value) shared(value) firstprivate(i)
      value = i + 1;
#pragma omp task depend(in : value) depend(inout : seen) shared(value, seen) firstprivate(i)
      seen[i] = value;
    }
    for (int i = 0; i < CHAIN; i++)
      CHECK_EQ(seen[i], i + 1);
  }
  return 0;
}
