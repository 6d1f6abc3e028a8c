/* stall_many.c - NTH_STALL: its report ends however many ways lead from member to member */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that the report of a team in which some members wait at one barrier, some at another one,
// and one never comes, is over at once, though each way from a thread outside, which wants a
// member's lock, is followed. The member that never comes is the only one that is waited for at
// the barriers: those that have come do not wait for each other, so there is no circle.
// nanogomp-only: libgomp says nothing
// REQUIRES: base
// REQUIRES: nanogomp
// RUN: %omp_build %s -o %t
// RUN: env NTH_STALL=1 %omp_run %t 2>&1 | %FileCheck %s
// CHECK: no OpenMP thread has moved
// CHECK-NOT: circle
// CHECK: waits at a barrier for {{.*}}, for thread [[LATE:[0-9]+]]{{$}}
// CHECK-NOT: circle
// CHECK: thread [[LATE]] {{.*}} works
// CHECK-NOT: circle
// CHECK: the program goes on
// CHECK: the program is over
#include <omp.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

#include "check.h"
#include "Inputs/stall.h"

enum { MEMBERS = 24 };

static sem_t come;

static void *team(void *none) {
#pragma omp parallel num_threads(MEMBERS)
  {
    int me = omp_get_thread_num();
    if (me == 1)
      omp_set_lock(&lock);
    if (me == 0) {
      sem_post(&come);
      sleep_long();
    }
    if (me % 2) {
#pragma omp barrier
    } else {
#pragma omp single
      (void)me;
    }
    if (me == 1)
      omp_unset_lock(&lock);
  }
  return none;
}

int main(void) {
  pthread_t thread;
  omp_init_lock(&lock);
  sem_init(&come, 0, 0);
  CHECK(pthread_create(&thread, NULL, team, NULL) == 0);
  CHECK(sem_wait(&come) == 0);
  usleep(100000);
  omp_set_lock(&lock);
  omp_unset_lock(&lock);
  CHECK(pthread_join(thread, NULL) == 0);
  fprintf(stderr, "the program is over\n");
  return 0;
}
