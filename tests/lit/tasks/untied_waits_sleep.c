/* untied_waits_sleep.c - several untied tasks that wait for dependences or events use no CPU */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Three untied tasks wait for events that a thread outside the team fulfills later: by a taskwait
// with a dependence, by an undeferred task with one, and by an undeferred task with an event. They
// have turns on one member, and each of them finds the others suspended there. With the passive
// policy the process uses next to no CPU meanwhile, and each wait ends.
// nanogomp-only: on libgomp one of the tasks keeps its thread.
// REQUIRES: nanogomp
// UNSUPPORTED: sanitizer
// RUN: %omp_build %s -o %t
// RUN: env OMP_WAIT_POLICY=passive NTH_TEST_BERTHS=1 %omp_run %t
// RUN: env OMP_WAIT_POLICY=passive NTH_TEST_BERTHS=1 NTH_MEMBERS=os %omp_run %t
#include "check.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#pragma GCC diagnostic ignored "-Wunused-variable" /* gcc overlooks uses in depend clauses */

enum { TASKS = 3, SLEEP_MS = 500 };

static omp_event_handle_t event[TASKS];
static atomic_int made, ended;

static double cpu_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void *outside(void *unused) {
  while (made < TASKS)
    check_sleep_ms(1);
  check_sleep_ms(SLEEP_MS);
  for (int i = 0; i < TASKS; i++)
    omp_fulfill_event(event[i]);
  return unused;
}

static void wait_for(int how) {
  char object;
  omp_event_handle_t mine;
  if (how == 2) {
#pragma omp task detach(mine) if (0)
    {
      event[how] = mine;
      made++;
    }
    return;
  }
#pragma omp task detach(mine) depend(out : object) firstprivate(how)
  {
    event[how] = mine;
    made++;
  }
  if (how == 1) {
#pragma omp taskwait depend(in : object)
  } else {
#pragma omp task depend(in : object) if (0)
    {}
  }
}

static void in_team_of(int members) {
  pthread_t thread;
  double before = cpu_seconds();
  made = ended = 0;
  CHECK_EQ(pthread_create(&thread, 0, outside, 0), 0);
#pragma omp parallel num_threads(members)
#pragma omp single
  for (int how = 0; how < TASKS; how++) {
#pragma omp task untied firstprivate(how)
    {
      wait_for(how);
      ended++;
    }
  }
  CHECK_EQ(ended, TASKS);
  CHECK_EQ(pthread_join(thread, 0), 0);
  double used = cpu_seconds() - before;
  printf("%d: %.3f s of CPU\n", members, used);
  CHECK(used < SLEEP_MS / 2000.0);
}

int main(void) {
  omp_set_dynamic(0);
  for (int members = 1; members <= 2; members++)
    in_team_of(members);
  return 0;
}
