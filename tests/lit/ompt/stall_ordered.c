/* stall_ordered.c - NTH_STALL: who holds up the order of an ordered or doacross loop */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that members which wait for their turn are told the member that has the turn, also where
// it has an inner region open, has not begun the loop, or they leave out their ordered regions; a
// circle through an ordered region; and the wait of a doacross loop.
// nanogomp-only: libgomp says nothing
// REQUIRES: base
// REQUIRES: nanogomp
// RUN: %omp_build %s -o %t
// RUN: env NTH_STALL=1 %omp_run %t works 2>&1 | %FileCheck %s -check-prefixes=ALL,WORKS
// RUN: env NTH_STALL=1 %omp_run %t late 2>&1 | %FileCheck %s -check-prefixes=ALL,WORKS
// RUN: env NTH_STALL=1 %omp_run %t skip 2>&1 | %FileCheck %s -check-prefixes=ALL,WORKS
// RUN: env NTH_STALL=1 %omp_run %t inner 2>&1 | %FileCheck %s -check-prefixes=ALL,INNER
// RUN: env NTH_STALL=1 %omp_run %t circle 2>&1 | %FileCheck %s -check-prefixes=ALL,CIRCLE
// RUN: env NTH_STALL=1 %omp_run %t doacross 2>&1 | %FileCheck %s -check-prefixes=ALL,DOACROSS
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "Inputs/stall.h"

static atomic_int taken; /* iterations that are begun */
static const char *how;

static bool is(const char *name) { return strcmp(how, name) == 0; }

static void hang(void) {
#pragma omp parallel num_threads(2) if (is("inner"))
  if (!is("inner") || omp_get_thread_num() == 1)
    sleep_long();
}

/* The first iteration holds up the others. */
static void any_order(void) {
#pragma omp for ordered schedule(dynamic)
  for (int i = 0; i < 3; i++) {
    taken++;
    while (taken < 3)
      usleep(1000);
    if (i == 0)
      hang();
    if (i == 0 || !is("skip")) {
#pragma omp ordered
      (void)i;
    }
  }
}

static void begins_late(void) {
  if (omp_get_thread_num() == 0)
    hang();
#pragma omp for ordered schedule(static)
  for (int i = 0; i < 6; i++) {
#pragma omp ordered
    (void)i;
  }
}

/* Member 1 has the lock that the ordered region before its own wants. */
static void circle(void) {
  if (omp_get_thread_num() == 1) {
    omp_set_lock(&lock);
    stuck = 1; /* member 1 has the lock */
  }
#pragma omp for ordered schedule(static, 1)
  for (int i = 0; i < 3; i++) {
    while (!stuck)
      usleep(1000);
#pragma omp ordered
    if (i == 0)
      omp_set_lock(&lock);
  }
}

static void nest(void) {
#pragma omp for ordered(1) schedule(static, 1)
  for (int i = 0; i < 3; i++) {
#pragma omp ordered depend(sink : i - 1)
    if (i == 0)
      hang();
#pragma omp ordered depend(source)
  }
}

int main(int argc, char **argv) {
  pthread_t rescuer;
  CHECK(argc == 2);
  how = argv[1];
  omp_init_lock(&lock);
  omp_set_dynamic(0);
  omp_set_max_active_levels(2);
  if (is("circle"))
    pthread_create(&rescuer, 0, unlock_later, 0);
#pragma omp parallel num_threads(3)
  {
    if (is("late"))
      begins_late();
    else if (is("circle"))
      circle();
    else if (is("doacross"))
      nest();
    else
      any_order();
  }
  if (is("circle"))
    pthread_join(rescuer, 0);
  puts("the program is over");
  return 0;
}

// ALL: no OpenMP thread has moved for {{[0-9]+}} s (NTH_STALL); what they do:
// WORKS-DAG: thread [[A:[0-9]+]] (member {{.*}} works for
// WORKS-DAG: its turn in a loop for {{.*}}, for thread [[A]]{{$}}
// WORKS-DAG: its turn in a loop for {{.*}}, for thread [[A]]{{$}}
// INNER-DAG: thread [[A:[0-9]+]] (member {{.*}} at the end of its region for
// INNER-DAG: in an inner region that member {{[0-2]}} of 3 began at
// INNER-DAG: its turn in a loop for {{.*}}, for thread [[A]]{{$}}
// INNER-DAG: its turn in a loop for {{.*}}, for thread [[A]]{{$}}
// CIRCLE-DAG: thread [[A:[0-9]+]] (member 0 {{.*}} a lock for {{.*}}, for thread [[B:[0-9]+]]{{$}}
// CIRCLE-DAG: [[B]] (member 1 {{.*}} its turn in a loop for {{.*}}, for thread [[A]]{{$}}
// CIRCLE-DAG: (member 2 {{.*}} its turn in a loop for {{.*}}, for thread [[A]]{{$}}
// CIRCLE: a circle that cannot end: thread
// DOACROSS-DAG: [[A:[0-9]+]] (member 0 {{.*}} works for
// DOACROSS-DAG: [[B:[0-9]+]] (member 1 {{.*}} its turn in a loop for {{.*}}, for thread [[A]]{{$}}
// DOACROSS-DAG: (member 2 {{.*}} its turn in a loop for {{.*}}, for thread [[B]]{{$}}
// ALL: the program is over
