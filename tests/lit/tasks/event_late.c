/* event_late.c - an event that is fulfilled when its discarded task's surroundings are gone */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that fulfilling the event of a task that a cancel discarded in a target region touches
// nothing of that region's place on the stack.
// nanogomp-only: libgomp waits for the event of the discarded task.
// REQUIRES: nanogomp
// RUN: %omp_build %s -o %t
// RUN: env OMP_CANCELLATION=true %omp_run %t
#include "check.h"

static char x; /* of dependences */

static omp_event_handle_t first, second;

__attribute__((noinline)) static void region(void) {
#pragma omp target map(first, second)
#pragma omp taskgroup
  {
#pragma omp task depend(out : x) detach(first)
    {}
#pragma omp task depend(in : x) detach(second)
    CHECK(!"discarded");
#pragma omp task if (0)
    {
#pragma omp cancel taskgroup
    }
    omp_fulfill_event(first);
  }
}

__attribute__((noinline)) static void write_over(unsigned value) {
  volatile unsigned place[16384];
  for (int i = 0; i < 16384; i++)
    place[i] = value;
  CHECK_EQ(place[0], value);
}

int main(void) {
  region();
  write_over(1);
  omp_fulfill_event(second);
  return 0;
}
