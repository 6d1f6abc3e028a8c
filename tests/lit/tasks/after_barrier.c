/* after_barrier.c - a member that sees late that a barrier is open, and tasks made behind it */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that in a taskwait of an implicit task no task of another member starts (OpenMP 5.2,
// section 12.9), where that member made it behind a barrier that this one had not left yet: it may
// take it then, but not keep others of it for later. Signals stop members wherever they are.
// nanogomp-only: libgomp 12 may hang in taskwait for an event.
// REQUIRES: nanogomp
// RUN: %omp_test
// RUN: env OMP_WAIT_POLICY=active %omp_run %t
#include "check.h"

#include <pthread.h>
#include <signal.h>

enum { MOST = 64, TASKS = 20 };

static _Thread_local bool in_taskwait;
static pthread_t who[MOST];
static _Atomic(omp_event_handle_t) pending[MOST];
static _Atomic(bool) over;
static int members;

static void nap_us(long us) { nanosleep(&(struct timespec){0, us * 1000}, NULL); }
static void stop(int signal) {
  (void)signal;
  nap_us(200);
}

/* Stops a member at random, and ends what the others wait for. */
static void *disturb(void *unused) {
  uint64_t state = 1;
  while (!over) {
    pthread_kill(who[check_random(&state) % (uint32_t)members], SIGUSR1);
    nap_us(50);
    for (int i = 0; i < members; i++) {
      omp_event_handle_t event = pending[i];
      if (!event)
        continue;
      pending[i] = 0;
      omp_fulfill_event(event);
    }
  }
  return unused;
}

/* Not inline: a task may run in another thread than its maker. */
__attribute__((noinline)) static bool *waiting(void) { return &in_taskwait; }

static void one_makes(void) {
  for (int i = 0; i < TASKS; i++) {
#pragma omp task
    {
      CHECK(!*waiting());
      check_busy(5000);
    }
  }
#pragma omp taskwait
}

static void others_wait(int me) {
  omp_event_handle_t event;
#pragma omp task detach(event)
  pending[me] = event;
  *waiting() = true;
#pragma omp taskwait
  *waiting() = false;
}

int main(void) {
  pthread_t disturber;
  signal(SIGUSR1, stop);
#pragma omp parallel
  {
    int me = omp_get_thread_num();
    who[me] = pthread_self();
#pragma omp barrier
#pragma omp master
    {
      members = omp_get_num_threads();
      CHECK(members <= MOST);
      CHECK_EQ(pthread_create(&disturber, NULL, disturb, NULL), 0);
    }
    for (int r = 0; r < CHECK_TIMES(2000); r++) {
#pragma omp barrier
      if (me == 0)
        one_makes();
      else
        others_wait(me);
    }
#pragma omp barrier
    over = true;
  }
  pthread_join(disturber, NULL);
  return 0;
}
