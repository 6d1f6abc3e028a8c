/* event_next_region.c - the thread that ends a region's last task is late, and the team another
 * one */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a thread outside the team that fulfils the last event of a region does not look at
// the team's members afterwards: the next region has more of them. The thread sanitizer sees it.
// nanogomp-only: libgomp 12 may hang at the end of a region with an event.
// REQUIRES: nanogomp
// RUN: %omp_test
// RUN: env OMP_WAIT_POLICY=passive %omp_run %t
#include "check.h"

#include <pthread.h>

enum { REGIONS = 60 };

static _Atomic(omp_event_handle_t) pending;
static _Atomic(bool) over;

static void *fulfil(void *unused) {
  while (!over) {
    omp_event_handle_t event = pending;
    check_sleep_ms(1); /* by now the members may sleep */
    if (event) {
      pending = 0;
      omp_fulfill_event(event);
    }
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  CHECK_EQ(pthread_create(&thread, NULL, fulfil, NULL), 0);
  for (int r = 0; r < REGIONS; r++) {
    int ended = 0;
#pragma omp parallel num_threads(2 + r) reduction(+ : ended)
    {
      if (omp_get_thread_num() == 1) {
        omp_event_handle_t event;
#pragma omp task detach(event)
        pending = event;
      }
      ended++;
    }
    CHECK_EQ(ended, 2 + r);
  }
  over = true;
  pthread_join(thread, NULL);
  return 0;
}
