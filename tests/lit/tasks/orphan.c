/* orphan.c - tasks outside any parallel region */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that orphaned task, taskwait, taskgroup, taskyield and nested tasks work in the initial
// thread and in plain pthreads, in inactive (one-member) regions, and with regions inside them.
// RUN: %omp_test
#include "check.h"
#include <pthread.h>

static long tree(int depth) {
  if (depth == 0)
    return 1;
  long a = 0, b = 0;
#pragma omp task shared(a) firstprivate(depth)
  a = tree(depth - 1);
#pragma omp task shared(b) firstprivate(depth)
  b = tree(depth - 1);
#pragma omp taskwait
  return a + b;
}

static void *orphaned(void *unused) {
  long sum = 0;
  (void)unused;
  CHECK_EQ(tree(8), 256);
#pragma omp taskgroup
  for (int i = 0; i < 50; i++) {
#pragma omp task shared(sum) firstprivate(i)
    {
#pragma omp task shared(sum) firstprivate(i)
#pragma omp atomic
      sum += i;
#pragma omp taskyield
    }
  }
  CHECK_EQ(sum, 1225);
#pragma omp parallel num_threads(1)
  CHECK_EQ(tree(6), 64);
#pragma omp task shared(sum)
#pragma omp parallel num_threads(3) reduction(+ : sum)
  sum += 1;
#pragma omp taskwait
  CHECK_EQ(sum, 1228);
  return NULL;
}

int main(void) {
  pthread_t threads[4];
  orphaned(NULL);
  for (int i = 0; i < 4; i++)
    CHECK_EQ(pthread_create(&threads[i], NULL, orphaned, NULL), 0);
  for (int i = 0; i < 4; i++)
    pthread_join(threads[i], NULL);
  orphaned(NULL);
  return 0;
}
