/* stall_nested.c - NTH_STALL: who is missing at a region's end or barrier is in an inner region */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a wait for the master of an inner region is told, at the end of the outer region and
// at a barrier of it, with where the inner one begins, and that circles are found through it; that
// the barriers of an inner region that is over do not count as those of the outer one.
// nanogomp-only: libgomp says nothing
// REQUIRES: base
// REQUIRES: nanogomp
// RUN: %omp_build %s -o %t
// RUN: env NTH_STALL=1 %omp_run %t end 2>&1 | %FileCheck %s -check-prefixes=IN,END
// RUN: env NTH_STALL=1 %omp_run %t barrier 2>&1 | %FileCheck %s -check-prefixes=IN,BARRIER
// RUN: env NTH_STALL=1 %omp_run %t after 2>&1 | %FileCheck %s -check-prefix=AFTER
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "Inputs/stall.h"

static atomic_int has; /* member 0 has the lock */

static void want(void) {
  while (!has)
    usleep(1000);
  stuck = 1;
  omp_set_lock(&lock);
}

static void inner(bool hangs) {
#pragma omp parallel num_threads(2)
  {
    for (int i = 0; i < 3; i++) {
#pragma omp barrier
    }
    if (hangs && omp_get_thread_num() == 1)
      want();
  }
}

int main(int argc, char **argv) {
  pthread_t rescuer;
  CHECK(argc == 2);
  bool barrier = strcmp(argv[1], "end") != 0, hangs = strcmp(argv[1], "after") != 0;
  omp_init_lock(&lock);
  omp_set_max_active_levels(2);
  if (hangs)
    pthread_create(&rescuer, 0, unlock_later, 0);
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
      omp_set_lock(&lock);
      has = 1;
    } else {
      inner(hangs);
      if (!hangs)
        sleep_long();
    }
    if (barrier) {
#pragma omp barrier
    }
  }
  if (hangs)
    pthread_join(rescuer, 0);
  puts("the program is over");
  return 0;
}

// IN: no OpenMP thread has moved for {{[0-9]+}} s (NTH_STALL); what they do:
// IN-DAG: [[C:[0-9]+]] (member 1 of 2, {{.*}} a lock for {{.*}}, for thread [[A:[0-9]+]]
// END-DAG: [[A]] (member 0 of 2, {{.*}} its region for {{.*}}, for thread [[B:[0-9]+]]
// BARRIER-DAG: [[A]] (member 0 of 2, {{.*}} a barrier for {{.*}}, for thread [[B:[0-9]+]]
// IN-DAG: thread [[B]] (member 0 of 2, {{.*}} its region for {{.*}}, for thread [[C]]
// IN-DAG: in an inner region that member 1 of 2 began at stall_nested.c.tmp+0x
// IN: a circle that cannot end: thread {{[0-9]+}} waits for thread {{[0-9]+}} waits for thread
// IN: the program is over
// AFTER-DAG: thread [[B:[0-9]+]] (member 1 of 2, {{.*}} works for
// AFTER-DAG: thread {{[0-9]+}} (member 0 of 2, {{.*}} a barrier for {{.*}}, for thread [[B]]
// AFTER-NOT: inner region
// AFTER: the program is over
