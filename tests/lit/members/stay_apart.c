/* stay_apart.c - members that wait elsewhere soon stay on OS threads of their own
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * In each region one member works while the others wait in a barrier; then all meet by sched_yield,
 * so each needs an OS thread. The watchdog has to help some times at first, and then at most once
 * each time that it has tried whether members can take turns again. Counted are the times in 2000
 * regions after the first 1000. Where others take the CPUs members may be late without fault, so
 * a new process tries it again.
 */
// REQUIRES: nanogomp
// REQUIRES: base
// RUN: %omp_build %s -o %t -I%S/../../../abi/include
// RUN: env OMP_WAIT_POLICY=passive OMP_NUM_THREADS=4 %omp_run %t 0
// RUN: env OMP_NUM_THREADS=4 %omp_run %t 0
#include <omp.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "counter.h"

enum { FIRST = 1000, REGIONS = 2000, MOST = 10, TRIES = 20, WORK_NS = 10000 };

static int64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static void regions(int n) {
  for (int i = 0; i < n; i++) {
    int here = 0;
#pragma omp parallel
    {
#pragma omp single
      for (int64_t end = now() + WORK_NS; now() < end;)
        ;
      __atomic_add_fetch(&here, 1, __ATOMIC_ACQ_REL);
      while (__atomic_load_n(&here, __ATOMIC_ACQUIRE) < omp_get_num_threads())
        sched_yield();
    }
  }
}

int main(int argc, char **argv) {
  int tries = argc > 1 ? atoi(argv[1]) : 0;
  regions(FIRST);
  int64_t before = counter_read("watch_acts");
  regions(REGIONS);
  int64_t acts = counter_read("watch_acts") - before;
  if (before >= 0 && acts > MOST && tries < TRIES) {
    char next[16];
    (void)snprintf(next, sizeof next, "%d", tries + 1);
    execv("/proc/self/exe", (char *[]){argv[0], next, NULL});
  }
  printf("%lld times in %d regions\n", (long long)acts, REGIONS);
  return before < 0 || acts > MOST;
}
