/* backlog_both.c - one member makes tasks with a priority and dependences faster than all run them */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that 30000 such tasks of four kilobytes, all ready, need less than half of 120 MB.
// UNSUPPORTED: asan, tsan
// RUN: %omp_build %s -o %t
// RUN: env OMP_MAX_TASK_PRIORITY=10 %omp_run %t
#include "check.h"

#include <sys/resource.h>

#define TASKS 30000

struct page {
  char byte[4096];
};

static char object[TASKS];

int main(void) {
  struct page argument = {{1}};
  struct rusage use;
  long sum = 0;
#pragma omp parallel
#pragma omp single
  for (int t = 0; t < TASKS; t++) {
#pragma omp task shared(sum) firstprivate(argument) priority(1 + t % 3) depend(out : object[t])
    {
      check_busy(10000);
#pragma omp atomic
      sum += argument.byte[0];
    }
  }
  CHECK_EQ(sum, TASKS);
  CHECK_EQ(getrusage(RUSAGE_SELF, &use), 0);
  CHECK(use.ru_maxrss < 60000);
  return 0;
}
