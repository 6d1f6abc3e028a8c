/* outside_regions.c - tasks outside any region: what runs at once and what is waited for */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a task with detach does not hold up its maker until its event is fulfilled, that
// taskwait and a barrier do, that a task which depends on it waits for it, and that other tasks and
// target regions with nowait have run when the construct is left.
// nanogomp-only: libgomp waits for the event at the construct, for ever where the maker fulfils it,
// and defers target regions.
// REQUIRES: nanogomp
// RUN: %omp_test
#include "check.h"
#include <pthread.h>

static int step;

static void *fulfill_later(void *event) {
  check_busy(20000);
  __atomic_store_n(&step, 1, __ATOMIC_RELEASE);
  omp_fulfill_event(*(omp_event_handle_t *)event);
  return NULL;
}

/* The end of a single construct has a barrier, too. */
static void barriers(bool single) {
  omp_event_handle_t event;
  pthread_t helper;
  int x, followed = 0;
  (void)x; /* gcc 12 does not see it in the clauses */
  step = 0;
#pragma omp task detach(event) depend(out : x)
  ;
#pragma omp task depend(in : x) shared(followed)
  followed = 1 + __atomic_load_n(&step, __ATOMIC_ACQUIRE);
  CHECK_EQ(pthread_create(&helper, NULL, fulfill_later, &event), 0);
  if (single) {
#pragma omp single
    ;
  } else {
#pragma omp barrier
  }
  CHECK_EQ(followed, 2);
  CHECK_EQ(pthread_join(helper, NULL), 0);
}

int main(void) {
  omp_event_handle_t event;
  int ran = 0, followed = 0;
#pragma omp task detach(event) shared(ran)
  ran++;
  CHECK_EQ(ran, 1);
  omp_fulfill_event(event);

  pthread_t helper;
#pragma omp task detach(event) depend(out : ran)
  ;
#pragma omp task depend(in : ran) shared(followed)
  followed = 1 + __atomic_load_n(&step, __ATOMIC_ACQUIRE);
  CHECK_EQ(followed, 0);
  CHECK_EQ(pthread_create(&helper, NULL, fulfill_later, &event), 0);
#pragma omp taskwait
  CHECK_EQ(followed, 2);
  CHECK_EQ(pthread_join(helper, NULL), 0);

#pragma omp task shared(ran)
  ran++;
  CHECK_EQ(ran, 2);
#pragma omp target nowait map(tofrom : ran)
  ran++;
  CHECK_EQ(ran, 3);
  barriers(false);
  barriers(true);
  return 0;
}
