/* untied_wait_below.c - a taskwait ends though an untied task waits above it on the stack */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A taskwait of a tied task begins an untied grandchild, which waits for dependences or an event.
// The task's children end meanwhile, on another member, and the taskwait returns: what the
// grandchild waits for comes only after that. A member that slept for the grandchild alone would
// never look.
// RUN: %omp_test
// RUN: env NTH_TEST_BERTHS=1 %omp_run %t
// RUN: env NTH_TEST_BERTHS=1 OMP_WAIT_POLICY=passive %omp_run %t
#include "Inputs/untied_ways.h"

enum { LONG_MS = 100 };

static atomic_bool long_began;

static void children(enum way way) {
#pragma omp task
  {
    long_began = true;
    check_sleep_ms(LONG_MS);
  }
  while (!long_began) /* on the other member */
    check_sleep_ms(1);
#pragma omp task firstprivate(way)
  {
#pragma omp task untied firstprivate(way)
    wait_in(way);
  }
#pragma omp taskwait
}

static void round_of(enum way way) {
  long_began = false;
  waiting = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    children(way);
    end_wait(way); /* the grandchild need not have begun */
  }
}

int main(void) {
  omp_set_dynamic(0);
  for (enum way way = 0; way < WAYS; way++)
    round_of(way);
  return 0;
}
