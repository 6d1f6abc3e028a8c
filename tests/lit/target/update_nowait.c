/* update_nowait.c - target update nowait with dependences, while an event is being fulfilled */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that the construct, a task that runs nothing, may begin while the only unfinished child of
// a thread outside any region, or of the member of a team of one, is finished by another thread at
// any moment; also enter data.
// RUN: %omp_test
#include <pthread.h>
#include <stdatomic.h>

#include "check.h"

int x, y; /* for their addresses */
static _Atomic(uintptr_t) box;
static _Atomic(int) stop, fulfilled;

static void *fulfil(void *unused) {
  while (!stop) {
    uintptr_t event = atomic_exchange(&box, 0);
    if (event) {
      omp_fulfill_event((omp_event_handle_t)event);
      fulfilled = 1;
    }
  }
  return unused;
}

/* The constructs follow one another closely until the event is fulfilled among them. */
static void rounds(double end) {
  for (int n = 0; n % 16 || check_seconds() < end; n++) {
    omp_event_handle_t event;
    fulfilled = 0;
#pragma omp task detach(event)
    box = (uintptr_t)event;
    for (int tries = 0; tries < 1000 && !fulfilled; tries++) {
#pragma omp target update to(x) depend(inout : y) nowait
#pragma omp target enter data map(to : x) depend(inout : y) nowait
    }
#pragma omp taskwait
    CHECK_WAIT_UNTIL(fulfilled);
  }
}

int main(void) {
  pthread_t thread;
  CHECK_EQ(pthread_create(&thread, NULL, fulfil, NULL), 0);
  rounds(check_seconds() + 0.3);
#pragma omp parallel num_threads(1)
  rounds(check_seconds() + 0.3);
  stop = 1;
  CHECK_EQ(pthread_join(thread, NULL), 0);
  return 0;
}
