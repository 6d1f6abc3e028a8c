/* backlog.c - one member makes tasks faster than all of them run: memory stays bounded */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that 300000 tasks of a kilobyte, whose makers are far ahead of those that run them, need
// only a small part of 300 MB: as task, taskloop, and with dependences.
// nanogomp-only: libgomp needs more for those with dependences.
// REQUIRES: nanogomp
// UNSUPPORTED: asan, tsan
// RUN: %omp_test
#include "check.h"

#include <sys/resource.h>

#define TASKS 100000

static char object[64]; /* of dependences */

struct kilobyte {
  char byte[1024];
};

static long most_memory_mb(void) {
  struct rusage use;
  CHECK(getrusage(RUSAGE_SELF, &use) == 0);
  return use.ru_maxrss / 1024;
}

int main(void) {
  struct kilobyte argument = {{1}};
  long sum = 0;
#pragma omp parallel
#pragma omp single
  {
    for (int t = 0; t < TASKS; t++) {
#pragma omp task shared(sum) firstprivate(argument)
      {
        check_busy(1000);
#pragma omp atomic
        sum += argument.byte[0];
      }
    }
    for (int t = 0; t < TASKS; t++) {
#pragma omp task shared(sum) firstprivate(argument) depend(inout : object[t % 64])
      {
        check_busy(1000);
#pragma omp atomic
        sum += argument.byte[0];
      }
    }
    for (int loop = 0; loop < 100; loop++) {
#pragma omp taskloop num_tasks(TASKS / 100) shared(sum) firstprivate(argument) nogroup
      for (int t = 0; t < TASKS / 100; t++) {
        check_busy(1000);
#pragma omp atomic
        sum += argument.byte[0];
      }
    }
  }
  CHECK_EQ(sum, 3L * TASKS);
  CHECK(most_memory_mb() < 40);
  return 0;
}
