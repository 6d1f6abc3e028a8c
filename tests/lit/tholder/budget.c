/* budget.c - created threads beside members of regions: who has the CPUs */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a created thread waits for the time after which it starts anyway while members of a
// region compute on all CPUs, and need not wait when no region is open; and that members that join
// threads, and threads with regions of their own, all come to their ends, however many they are.
// REQUIRES: nanogomp, base
// UNSUPPORTED: emulated
// RUN: %th_build %s -o %t && env NTH_MEMBERS=os %omp_run %t
#include "names.h"
#include <omp.h>

enum { STUCK_NS = 100000, TURNS = 300 }; /* NTH_HOLD_STUCK_NS of config_more.h */

static int over;

static double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static int started;

static void *starts(void *argument) {
  *(double *)argument = now_ns();
  th_set(&started, 1);
  return argument;
}

/* How long a created thread waits for its start. Its creator polls. */
static double start_ns(void) {
  double begin = now_ns(), began = 0;
  th_set(&started, 0);
  tholder_t t = th_start(starts, &began);
  CHECK_WAIT_UNTIL(th_is_set(&started));
  CHECK(th_result(t) == &began);
  return began - begin;
}

/* All members compute. */
static double in_full_region(void) {
  double waited = 0;
  th_set(&over, 0);
#pragma omp parallel num_threads(omp_get_num_procs())
  {
#pragma omp master
    {
      waited = start_ns();
      th_set(&over, 1);
    }
    while (!th_is_set(&over)) {}
  }
  return waited;
}

static double least_of(double (*f)(void)) {
  double least = f();
  for (int i = 0; i < 200; i++) {
    double t = f();
    least = t < least ? t : least;
  }
  return least;
}

static void *compute(void *argument) {
  for (volatile int i = 0; i < 1000; i++) {}
  return argument;
}

static void *opens(void *argument) {
#pragma omp parallel num_threads(2)
  compute(argument);
  return argument;
}

/* Every member creates threads and joins them, some with regions of their own. */
static void all_join(int members) {
  long ran = 0;
#pragma omp parallel num_threads(members) reduction(+ : ran)
  for (int i = 0; i < CHECK_TIMES(TURNS); i++) {
    tholder_t t[3] = {th_start(compute, &ran), th_start(i % 8 ? compute : opens, &ran),
                      th_start(compute, &ran)};
    for (int k = 0; k < 3; k++)
      CHECK(th_result(t[k]) == &ran);
    ran++;
  }
  CHECK_EQ(ran, members * CHECK_TIMES(TURNS));
}

int main(void) {
  omp_set_dynamic(0);
  CHECK_EQ(tholder_config(THOLDER_IDLE_NS, INT64_C(600000000000)), 0);
  CHECK(th_call(compute, &over) == &over);
  check_sleep_ms(10); /* the OS thread is idle now */
  CHECK(in_full_region() >= STUCK_NS);
  if (CHECK_SLOWER == 1)
    CHECK(least_of(start_ns) < STUCK_NS); /* one of 200 times at least */
  for (int members = 1; members <= 8; members *= 2)
    all_join(members);
  return 0;
}
