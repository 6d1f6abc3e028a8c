/* backlog_depend.c - many tasks with dependences: the work for each does not grow with their
 * number */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks values; a cost that is the square of the number would run into the time limit: of tasks
// that exclude each other, and of taskwaits after a phase with many objects.
// RUN: %omp_test
#include "check.h"

#define TASKS CHECK_TIMES(200000)
#define OBJECTS (1 << 20)
#define WAITS CHECK_TIMES(50000)

static char object[OBJECTS];

static void exclusion(void) {
  long sum = 0;
  for (long t = 0; t < TASKS; t++) {
#pragma omp task depend(mutexinoutset : sum) shared(sum)
    sum += t;
  }
#pragma omp taskwait
  CHECK_EQ(sum, (long)TASKS * (TASKS - 1) / 2);
}

static void phases(void) {
  long last = 0;
  for (long t = 0; t < OBJECTS; t++) {
#pragma omp task depend(out : object[t])
    object[t] = 1;
  }
#pragma omp taskwait
  for (long t = 0; t < WAITS; t++) {
#pragma omp task depend(out : last) shared(last)
    last++;
#pragma omp taskwait
  }
  CHECK_EQ(last, WAITS);
  for (long t = 0; t < OBJECTS; t++)
    CHECK_EQ(object[t], 1);
}

int main(void) {
#pragma omp parallel
#pragma omp single
  {
    exclusion();
    phases();
  }
  return 0;
}
