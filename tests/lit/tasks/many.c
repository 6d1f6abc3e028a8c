/* many.c - a great many tasks, and very deep recursion of included tasks */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks 300,000 tasks from one creator, the same from all, and chains of tasks 2,000 deep where
// each waits for its child: counts are exact and memory stays bounded.
// RUN: %omp_test
#include "check.h"
#include <sys/resource.h>

static long count;

static void create(long tasks) {
  for (long i = 0; i < tasks; i++) {
#pragma omp task
#pragma omp atomic
    count++;
  }
}

static int chain(int depth) {
  int below = 0;
  if (depth == 0)
    return 0;
#pragma omp task shared(below) firstprivate(depth)
  below = chain(depth - 1);
#pragma omp taskwait
  return below + 1;
}

static long peak_kilobytes(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

int main(void) {
  long tasks = CHECK_TIMES(300000), before = peak_kilobytes();
  int deepest = 0;
#pragma omp parallel
#pragma omp single
  create(tasks);
  CHECK_EQ(count, tasks);
  count = 0;
#pragma omp parallel
  create(tasks / omp_get_num_threads());
  CHECK_EQ(count, tasks / omp_get_max_threads() * omp_get_max_threads());
#pragma omp parallel reduction(max : deepest)
  deepest = chain(2000);
  CHECK_EQ(deepest, 2000);
#if CHECK_SLOWER == 1
  CHECK(peak_kilobytes() - before < 400 * 1024);
#else
  (void)before;
#endif
  return 0;
}
