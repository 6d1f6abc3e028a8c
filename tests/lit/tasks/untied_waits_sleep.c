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
#include <pthread.h>

#include "Inputs/untied_ways.h"

enum { SLEEP_MS = 500 };

static atomic_int ended;

static void *outside(void *unused) {
  while (waiting < WAYS)
    check_sleep_ms(1);
  check_sleep_ms(SLEEP_MS);
  for (enum way way = 0; way < WAYS; way++)
    omp_fulfill_event(event[way]);
  return unused;
}

static void in_team_of(int members) {
  pthread_t thread;
  double before = check_cpu_seconds();
  waiting = ended = 0;
  CHECK_EQ(pthread_create(&thread, 0, outside, 0), 0);
#pragma omp parallel num_threads(members)
#pragma omp single
  for (enum way way = 0; way < WAYS; way++) {
#pragma omp task untied firstprivate(way)
    {
      wait_in(way);
      ended++;
    }
  }
  CHECK_EQ(ended, WAYS);
  CHECK_EQ(pthread_join(thread, 0), 0);
  double used = check_cpu_seconds() - before;
  printf("%d: %.3f s of CPU\n", members, used);
  CHECK(used < SLEEP_MS / 2000.0);
}

int main(void) {
  omp_set_dynamic(0);
  for (int members = 1; members <= 2; members++)
    in_team_of(members);
  return 0;
}
