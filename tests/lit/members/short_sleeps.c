/* short_sleeps.c - members that all sleep for a moment soon do so at the same time */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks regions in which each member sleeps for 0.5 ms, less than the time between two looks of
// the watchdog: within a time limit most members of a region sleep at once, though they are many
// more than the CPUs. While others use the CPUs the runtime need not help; the test goes on until
// been an idle moment, or until the time is over, and then asks whether there was one. With an
// With an argument there are twice as many members as CPUs, and barriers: at every second look of
// the watchdog no member is ready. They have to sleep at once for some regions in a row.
// RUN: %omp_build %s -o %t
// RUN: env NTH_MEMBERS=nano %omp_run %t
// RUN: env NTH_MEMBERS=auto %omp_run %t
// RUN: env NTH_MEMBERS=nano %omp_run %t few
#define _GNU_SOURCE
#include "check.h"
#include <sched.h>
#include <sys/resource.h>
#include <time.h>

enum { SLEEPERS = 24, NAP_US = 500, LIMIT_S = 10, FEW_NAP_US = 1000, ROUNDS = 3, IN_A_ROW = 20 };

static int asleep, most;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Naps; other members may look at how many do. */
static void nap(unsigned us) {
  int n = __atomic_add_fetch(&asleep, 1, __ATOMIC_RELAXED);
  int old = __atomic_load_n(&most, __ATOMIC_RELAXED);
  while (n > old &&
         !__atomic_compare_exchange_n(&most, &old, n, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
  usleep(us);
  __atomic_sub_fetch(&asleep, 1, __ATOMIC_RELAXED);
}

/* Whether some other thread takes the CPU that this one offers, nearly always: no CPU is idle. */
static bool is_busy(void) {
  int taken = 0;
  for (int i = 0; i < 20; i++) {
    struct rusage before, after;
    usleep(1000);
    getrusage(RUSAGE_THREAD, &before);
    sched_yield();
    getrusage(RUSAGE_THREAD, &after);
    taken += after.ru_nivcsw > before.ru_nivcsw;
  }
  return taken >= 5;
}

static bool many(void) {
  most = 0;
#pragma omp parallel num_threads(SLEEPERS)
  nap(NAP_US);
  return most > SLEEPERS / 2;
}

static bool few(void) {
  static int row;
  int cpus = omp_get_num_procs();
  most = 0;
#pragma omp parallel num_threads(2 * cpus)
  for (int i = 0; i < ROUNDS; i++) {
    nap(FEW_NAP_US);
    check_busy(20);
#pragma omp barrier
  }
  row = most > cpus ? row + 1 : 0;
  return row == IN_A_ROW;
}

int main(int argc, char **argv) {
  bool together = false;
  (void)argv;
  for (double end = now() + LIMIT_S; !together && now() < end;)
    together = argc > 1 ? few() : many();
  if (!together && is_busy())
    printf("the machine is busy\n");
  else
    CHECK(together);
  return 0;
}
