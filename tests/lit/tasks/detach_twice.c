/* detach_twice.c - an event is fulfilled twice */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the message and the exit status 1.
// nanogomp-only: libgomp 12 checks only events of its own team.
// REQUIRES: base
// REQUIRES: nanogomp
// RUN: %omp_build %s -o %t
// RUN: %omp_run --status 1 %t 2>&1 | %FileCheck %s
// CHECK: omp_fulfill_event: {{.*}} event is invalid or has already been fulfilled
#include "check.h"

int main(void) {
#pragma omp parallel
#pragma omp single
  {
    omp_event_handle_t event;
#pragma omp task detach(event)
    {
      omp_fulfill_event(event);
      omp_fulfill_event(event);
    }
  }
  return 0;
}
