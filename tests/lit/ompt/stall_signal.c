/* stall_signal.c - NTH_STALL_SIGNAL: the report of NTH_STALL when a signal asks for it */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that the report names the circle of a hang, twice when it is asked for twice, without
// NTH_STALL; that a signal's other meaning is left alone; and bad values.
// nanogomp-only: libgomp says nothing
// REQUIRES: base
// REQUIRES: nanogomp
// RUN: %omp_build %s -o %t
// RUN: env NTH_STALL_SIGNAL=USR1 %omp_run %t 2>&1 | %FileCheck %s
// RUN: env NTH_STALL_SIGNAL=SIGUSR1 NTH_STALL=1000 %omp_run %t 2>&1 | %FileCheck %s
// RUN: env NTH_STALL_SIGNAL=SEGV %omp_run %t quiet 2>&1 | %FileCheck %s -check-prefix=BAD
// RUN: sh -c "trap '' USR1; env NTH_STALL_SIGNAL=USR1 %omp_run %t quiet" 2>&1 | \
// RUN:   %FileCheck %s -check-prefix=TAKEN
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "check.h"
#include "Inputs/stall.h"

/* Asks, and ends the hang after a while, as no OpenMP thread can. */
static void *rescue(void *arg) {
  (void)arg;
  while (!stuck)
    usleep(1000);
  for (int i = 0; i < 2; i++) {
    usleep(1000000);
    raise(SIGUSR1); /* of this thread: the thread sanitizer holds back those of sleepers */
  }
  usleep(1000000);
  omp_unset_lock(&lock);
  return 0;
}

int main(int argc, char **argv) {
  pthread_t rescuer;
  (void)argv;
  omp_init_lock(&lock);
  if (argc == 1) {
    pthread_create(&rescuer, 0, rescue, 0);
    over_a_barrier();
    pthread_join(rescuer, 0);
  } else {
#pragma omp parallel num_threads(2)
    stuck = 1;
  }
  puts("the program is over");
  return 0;
}

// CHECK: asked by a signal (NTH_STALL_SIGNAL) what the OpenMP threads do:
// CHECK-DAG: [[B:[0-9]+]] (member 1 {{.*}} a lock for {{.*}}.tmp+0x{{.*}} thread [[A:[0-9]+]]
// CHECK-DAG: [[A]] (member 0 {{.*}} a barrier for {{.*}}.tmp+0x{{.*}} thread [[B]]
// CHECK: a circle that cannot end: thread
// CHECK: the program goes on
// CHECK: asked by a signal
// CHECK: a circle that cannot end: thread
// CHECK: the program is over
// BAD: NTH_STALL_SIGNAL takes USR1, {{.*}}, not 'SEGV'; no signal is heard
// BAD: the program is over
// TAKEN: NTH_STALL_SIGNAL: signal {{[0-9]+}} has another meaning in this program; it is not heard
// TAKEN: the program is over
