/* untied_wait_sleeps.c - an untied task that waits for dependences or an event uses no CPU */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An untied task has an undeferred child that depends on a task of another member, which sleeps;
// another one has a taskwait with a dependence, and a third one an undeferred child with an event
// that the sleeper fulfills. With the passive policy the process uses next to no CPU meanwhile. A
// task that polls would use a CPU. It is this process's CPU time, so others do not matter.
// UNSUPPORTED: sanitizer
// RUN: %omp_build %s -o %t
// RUN: env OMP_WAIT_POLICY=passive NTH_TEST_BERTHS=1 %omp_run %t
// RUN: env OMP_WAIT_POLICY=passive NTH_TEST_BERTHS=1 NTH_MEMBERS=os %omp_run %t
#include "check.h"

#include <stdatomic.h>

enum { SLEEP_MS = 500 };

static char object;
static omp_event_handle_t event;
static atomic_bool made;

/* Runs on another member than the one that waits for it. */
static void sleeper(bool fulfills) {
  while (!made)
    check_sleep_ms(1);
  check_sleep_ms(SLEEP_MS);
  if (fulfills)
    omp_fulfill_event(event);
}

static void wait_for(int how) {
  if (how == 2) {
    omp_event_handle_t mine;
#pragma omp task detach(mine) if (0)
    {
      event = mine;
      made = true;
    }
    return;
  }
  made = true;
  if (how == 1) {
#pragma omp taskwait depend(in : object)
  } else {
#pragma omp task depend(in : object) if (0)
    {}
  }
}

static void round_of(int how) {
  double before = check_cpu_seconds();
  made = false;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task untied
    {
#pragma omp task depend(out : object)
      sleeper(how == 2);
      check_sleep_ms(50); /* the other member begins it */
      wait_for(how);
    }
#pragma omp taskwait
  }
  double used = check_cpu_seconds() - before;
  printf("%d: %.3f s of CPU\n", how, used);
  CHECK(used < SLEEP_MS / 2000.0);
}

int main(void) {
  omp_set_dynamic(0);
  for (int how = 0; how < 3; how++)
    round_of(how);
  return 0;
}
