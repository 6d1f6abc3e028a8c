/* backlog_urgent.c - one member makes tasks with a priority faster than all run them: memory is
 * bounded */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that 30000 tasks of four kilobytes with a priority need only a small part of 120 MB, and
// with dependences, too, though all are ready, less than half.
// UNSUPPORTED: asan, tsan
// RUN: %omp_build %s -o %t
// RUN: env OMP_MAX_TASK_PRIORITY=10 %omp_run %t
// RUN: %omp_build -DDEPENDS %s -o %t.depends
// RUN: env OMP_MAX_TASK_PRIORITY=10 %omp_run %t.depends
#include "check.h"

#include <sys/resource.h>

#define TASKS 30000
#ifdef DEPENDS
#define DEPEND depend(out : object[t])
#define MOST_KB 60000
static char object[TASKS];
#else
#define DEPEND
#define MOST_KB 30000
#endif

struct page {
  char byte[4096];
};

int main(void) {
  struct page argument = {{1}};
  struct rusage use;
  long sum = 0;
#pragma omp parallel
#pragma omp single
  for (int t = 0; t < TASKS; t++) {
#pragma omp task shared(sum) firstprivate(argument) priority(1 + t % 3) DEPEND
    {
      check_busy(10000);
#pragma omp atomic
      sum += argument.byte[0];
    }
  }
  CHECK_EQ(sum, TASKS);
  CHECK_EQ(getrusage(RUSAGE_SELF, &use), 0);
  CHECK(use.ru_maxrss < MOST_KB);
  return 0;
}
