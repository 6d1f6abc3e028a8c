/* events_outside.c - threads outside end tasks of regions whose teams change all the time */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks events that threads of the program's own fulfil, as early or late as it comes, while
// region follows region with other numbers of members: at a region's end, a barrier and a taskwait
// all tasks and their successors have ended, and who ends a region's last task has nothing to do
// with the next one. nanogomp-only: libgomp 12 may hang at the end of a region with an event.
// REQUIRES: nanogomp
// RUN: %omp_build %s -o %t
// RUN: %omp_run %t
// RUN: env OMP_WAIT_POLICY=passive %omp_run %t
// RUN: env OMP_NUM_THREADS=16 %omp_run %t
#include "check.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { FULFILLERS = 3, ROOM = 1024 };

static _Atomic(omp_event_handle_t) events[ROOM]; /* 0: free */
static _Atomic(unsigned) put, got;
static _Atomic(bool) over;
static _Atomic(long) ended;
static char object[4];

static void *fulfil(void *seed) {
  uint64_t state = (uintptr_t)seed;
  while (!over) {
    unsigned at = got;
    omp_event_handle_t event = at != put ? events[at % ROOM] : 0;
    if (!event) {
      sched_yield();
      continue;
    }
    if (!atomic_compare_exchange_strong(&got, &at, at + 1))
      continue;
    events[at % ROOM] = 0;
    if (check_random(&state) % 16 == 0)
      check_sleep_ms(0);
    omp_fulfill_event(event);
  }
  return NULL;
}

static void later(omp_event_handle_t event) { events[put++ % ROOM] = event; }

/* Tasks that wait for events, with successors. */
static int make(int which, int n) {
  char *x = &object[which % 4];
  for (int i = 0; i < n; i++) {
    omp_event_handle_t event;
#pragma omp task detach(event) depend(out : *x)
    later(event);
#pragma omp task depend(in : *x)
    ended++;
  }
  return n;
}

static void region(int size, uint32_t how) {
  int n = 1 + how / 16 % 4;
  long before = ended;
#pragma omp parallel num_threads(size)
  {
    int me = omp_get_thread_num();
    int made = how % 2 || me == (int)how % size ? make(me, n) : 0;
    for (int i = 0; made && i < 60; i++) { /* ends from inside at the same time */
#pragma omp task
      check_busy(20);
    }
    if (made && how / 2 % 2) {
#pragma omp taskwait
    }
    if (how / 4 % 2) {
#pragma omp barrier
      CHECK_EQ(ended - before, (how % 2 ? size : 1) * n);
    }
    if (how / 8 % 2 && me == 0)
      check_sleep_ms(0);
  }
  CHECK_EQ(ended - before, (how % 2 ? size : 1) * n);
}

int main(void) {
  pthread_t thread[FULFILLERS];
  int most = omp_get_max_threads() + 2;
  uint64_t state = 1;
  for (long i = 0; i < FULFILLERS; i++)
    CHECK_EQ(pthread_create(&thread[i], NULL, fulfil, (void *)(i + 7)), 0);
  double end = check_seconds() + 1;
  for (int r = 0; r < 20 || check_seconds() < end; r++)
    region(1 + (int)(check_random(&state) % (unsigned)most), check_random(&state));
  over = true;
  for (int i = 0; i < FULFILLERS; i++)
    pthread_join(thread[i], NULL);
  return 0;
}
