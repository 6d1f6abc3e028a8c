/* untied_wait_below.c - a taskwait ends though an untied task waits above it on the stack */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A taskwait of a tied task begins an untied grandchild, which waits for dependences or an event.
// The task's children end meanwhile, on another member, and the taskwait returns: what the
// grandchild waits for comes only after that. A member that slept for the grandchild alone would
// never look.
// RUN: %omp_test
// RUN: env NTH_TEST_BERTHS=1 %omp_run %t
// RUN: env NTH_TEST_BERTHS=1 OMP_WAIT_POLICY=passive %omp_run %t
#include "check.h"

#include <stdatomic.h>

enum { LONG_MS = 100 };

static omp_event_handle_t event;
static atomic_bool long_began, waits;
static char object;

static void wait_for(int how) {
  omp_event_handle_t mine;
  if (how == 0) {
#pragma omp task detach(mine) if (0)
    {
      event = mine;
      waits = true;
    }
    return;
  }
#pragma omp task detach(mine) depend(out : object)
  {
    event = mine;
    waits = true;
  }
  if (how == 1) {
#pragma omp taskwait depend(in : object)
  } else {
#pragma omp task depend(in : object) if (0)
    {}
  }
}

static void children(int how) {
#pragma omp task
  {
    long_began = true;
    check_sleep_ms(LONG_MS);
  }
  while (!long_began) /* on the other member */
    check_sleep_ms(1);
#pragma omp task firstprivate(how)
  {
#pragma omp task untied firstprivate(how)
    wait_for(how);
  }
#pragma omp taskwait
}

static void round_of(int how) {
  long_began = waits = false;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    children(how);
    while (!waits) /* the grandchild need not have begun */
      check_sleep_ms(1);
    check_sleep_ms(10); /* it has set `event`, and waits */
    omp_fulfill_event(event);
  }
}

int main(void) {
  omp_set_dynamic(0);
  for (int how = 0; how < 3; how++)
    round_of(how);
  return 0;
}
