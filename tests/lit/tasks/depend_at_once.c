/* depend_at_once.c - a member alone, far ahead: tasks with dependences run as they are made */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that each task has run when the next one is made, once many were made since the last wait:
// in a chain, without one, and under a task that such a maker runs. Queued, a cell of a wavefront
// costs twice as much. With priorities a better task might come, so they wait.
// REQUIRES: nanogomp
// RUN: %omp_test
// RUN: env OMP_MAX_TASK_PRIORITY=3 %omp_run %t
#include "check.h"

#pragma GCC diagnostic ignored "-Wunused-variable" /* gcc overlooks uses in depend clauses */

enum { MANY = 3000, AHEAD = 1000 };

static int make(int n, int from) {
  int x = 0, y[MANY] = {0}, late = 0;
  for (int i = 0; i < n; i++) {
#pragma omp task depend(inout : x) shared(x)
    x++;
#pragma omp task depend(out : y[i]) depend(in : x) shared(x, y)
    y[i] = x;
    if (i >= from)
      late += x != i + 1 || y[i] != i + 1;
  }
#pragma omp taskwait
  CHECK_EQ(x, n);
  for (int i = 0; i < n; i++)
    CHECK_EQ(y[i], i + 1);
  return late;
}

int main(void) {
  int late = 0, x = 0;
#pragma omp parallel num_threads(1)
  {
    late += make(MANY, AHEAD);
    for (int i = 0; i < AHEAD; i++) {
#pragma omp task depend(inout : x) shared(x, late)
      {
        x++;
        if (i % 100 == 0)
          late += make(MANY, AHEAD);
      }
    }
  }
  CHECK_EQ(x, AHEAD);
  CHECK_EQ(late > 0, omp_get_max_task_priority() > 0);
  return 0;
}
