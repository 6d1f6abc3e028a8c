/* stall.c - NTH_STALL: what is said of a program that hangs, and of the circle of its waits */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a lock which is held over a barrier is named, with who has it and who waits for whom;
// the same for a task that needs the lock which its waiting maker has; that the program then goes
// on; that nothing is said of one that only works for long; and bad values.
// nanogomp-only: libgomp says nothing
// REQUIRES: base
// REQUIRES: nanogomp
// RUN: %omp_build %s -o %t
// RUN: env NTH_STALL=1 %omp_run %t barrier 2>&1 | %FileCheck %s
// RUN: env NTH_STALL=1 %omp_run %t task 2>&1 | %FileCheck %s -check-prefix=TASK
// RUN: env NTH_STALL=1 %omp_run %t works 2>&1 | %FileCheck %s -check-prefix=WORKS
// RUN: env NTH_STALL=soon %omp_run %t works 2>&1 | %FileCheck %s -check-prefix=BAD
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "Inputs/stall.h"

static void over_a_taskwait(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    omp_set_lock(&lock);
#pragma omp task
    {
      stuck = 1;
      omp_set_lock(&lock);
    }
    while (!stuck)
      usleep(1000);
#pragma omp taskwait
  }
}

static void works(void) {
#pragma omp parallel num_threads(2)
  usleep(2500000);
}

int main(int argc, char **argv) {
  pthread_t rescuer;
  CHECK(argc == 2);
  omp_init_lock(&lock);
  bool hangs = strcmp(argv[1], "works") != 0;
  if (hangs)
    pthread_create(&rescuer, 0, unlock_later, 0);
  if (!hangs)
    works();
  else if (strcmp(argv[1], "task") == 0)
    over_a_taskwait();
  else
    over_a_barrier();
  if (hangs)
    pthread_join(rescuer, 0);
  puts("the program is over");
  return 0;
}

// CHECK: no OpenMP thread has moved for {{[0-9]+}} s (NTH_STALL); what they do:
// CHECK-DAG: [[B:[0-9]+]] (member 1 {{.*}} a lock for {{.*}}.tmp+0x{{.*}} thread [[A:[0-9]+]]
// CHECK-DAG: [[A]] (member 0 {{.*}} a barrier for {{.*}}.tmp+0x{{.*}} thread [[B]]
// CHECK-DAG: has lock 0x{{[0-9a-f]+}} for {{[0-9.]+}} s, set at stall.c.tmp+0x
// CHECK: a circle that cannot end: thread [[X:[0-9]+]] waits for thread {{[0-9]+}} waits for
// CHECK: the program goes on
// CHECK: the program is over
// TASK-DAG: thread [[B:[0-9]+]] {{.*}} waits for a lock for {{.*}}stall.c.tmp+0x
// TASK-DAG: in a task made at stall.c.tmp+0x
// TASK-DAG: {{waits for the tasks that its task made .*, for thread}} [[B]]
// TASK: a circle that cannot end: thread
// TASK: the program is over
// WORKS-NOT: NTH_STALL
// WORKS: the program is over
// BAD: NTH_STALL takes a number of seconds from 1 on, not 'soon'; nothing is watched
// BAD: the program is over
