/* scope.c - scope: reductions, and GOMP_scope_start with task reductions */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks scope with reduction (every member runs the block), scope reduction(task, ..) whose tasks
// join in with in_reduction, and scope nowait.
// RUN: %omp_test
#include "check.h"

static long work(long k) {
#pragma omp atomic
  k += 1;
  return k - 1;
}

int main(void) {
  int n = omp_get_max_threads();
  double end = check_seconds() + 1.5;
  for (int round = 0; round < 200 && check_seconds() < end; round++) {
    long sum = 100, tasks = 0, product = 1, passed = 0;
#pragma omp parallel
    {
#pragma omp scope reduction(+ : sum)
      sum += omp_get_thread_num() + 1;
      CHECK_EQ(sum, 100 + (long)n * (n + 1) / 2);
#pragma omp scope nowait
#pragma omp atomic
      passed++;
#pragma omp scope reduction(task, + : tasks) reduction(task, * : product)
      {
        for (int i = 0; i < 5; i++) {
#pragma omp task in_reduction(+ : tasks)
          tasks += work(i);
        }
#pragma omp task in_reduction(* : product) in_reduction(+ : tasks)
        {
          product *= omp_get_num_threads() == n ? -1 : 0;
          tasks += 1;
        }
      }
      CHECK_EQ(tasks, 11 * n);
      CHECK_EQ(product, n % 2 ? -1 : 1);
    }
    CHECK_EQ(passed, n);
  }
  return 0;
}
