/* stall_unseen.c - NTH_STALL: waits for an ordered block's end, for a thread outside regions */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that the member in a loop's ordered block is named as the one for whom the next waits;
// that a wait for an iteration of a doacross loop is seen as one; and that a thread which has only
// set a lock is told with its number and a time that can be.
// nanogomp-only: libgomp says nothing
// REQUIRES: base
// REQUIRES: nanogomp
// RUN: %omp_build %s -o %t
// RUN: env NTH_STALL=1 %omp_run %t ordered 2>&1 | %FileCheck %s -check-prefix=ORDERED
// RUN: env NTH_STALL=1 %omp_run %t doacross 2>&1 | %FileCheck %s -check-prefix=DOACROSS
// RUN: env NTH_STALL=1 %omp_run %t lock 2>&1 | %FileCheck %s -check-prefix=LOCK
// ORDERED: no OpenMP thread has moved
// ORDERED: thread {{[0-9]+}} {{.*}} waits for its turn in a loop for {{.*}}, for thread
// ORDERED: the program is over
// DOACROSS: no OpenMP thread has moved
// DOACROSS: waits for its turn in a loop for
// DOACROSS: the program is over
// LOCK: no OpenMP thread has moved
// LOCK: (member 0 of 1, OS thread {{[1-9][0-9]*}}) works outside regions for {{[0-9]\.[0-9]}} s
// LOCK-NEXT: has lock
// LOCK: the program is over
#include <omp.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "Inputs/stall.h"

static sem_t taken;

static void in_order(void) {
#pragma omp parallel for ordered schedule(static, 1) num_threads(2)
  for (int i = 0; i < 2; i++) {
#pragma omp ordered
    if (i == 0)
      sleep_long();
  }
}

static void across(void) {
#pragma omp parallel for ordered(1) schedule(static, 1) num_threads(2)
  for (int i = 0; i < 2; i++) {
#pragma omp ordered depend(sink : i - 1)
    if (i == 0)
      sleep_long();
#pragma omp ordered depend(source)
  }
}

/* Has met no construct of OpenMP but the lock. */
static void *holder(void *arg) {
  (void)arg;
  omp_set_lock(&lock);
  sem_post(&taken);
  sleep_long();
  omp_unset_lock(&lock);
  return 0;
}

static void locked(void) {
  pthread_t thread;
  omp_init_lock(&lock);
  sem_init(&taken, 0, 0);
  pthread_create(&thread, 0, holder, 0);
  sem_wait(&taken);
#pragma omp parallel num_threads(2)
  {
    omp_set_lock(&lock);
    omp_unset_lock(&lock);
  }
  pthread_join(thread, 0);
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  if (strcmp(argv[1], "ordered") == 0)
    in_order();
  else if (strcmp(argv[1], "doacross") == 0)
    across();
  else
    locked();
  puts("the program is over");
  return 0;
}
