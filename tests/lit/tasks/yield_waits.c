/* yield_waits.c - a tied task that waits by yields in a team of one */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a loop of taskyield begins the descendants for which it waits, where nobody else
// does, one after the other.
// nanogomp-only: libgomp's taskyield does nothing, so such a loop has no end there.
// REQUIRES: nanogomp
// RUN: %omp_test
#include "check.h"

enum { TASKS = 50 };

static int done;

int main(void) {
#pragma omp parallel num_threads(1)
#pragma omp single
  for (int turn = 0; turn < 3; turn++) {
    done = 0;
    for (int i = 0; i < TASKS; i++) {
#pragma omp task
      __atomic_add_fetch(&done, 1, __ATOMIC_RELAXED);
    }
    while (__atomic_load_n(&done, __ATOMIC_RELAXED) < TASKS) {
#pragma omp taskyield
    }
#pragma omp taskwait
  }
  return 0;
}
