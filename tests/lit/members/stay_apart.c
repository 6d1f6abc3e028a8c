/* stay_apart.c - members that wait elsewhere soon stay on OS threads of their own
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * In each region one member works while the others wait in a barrier. Then all members meet by
 * sched_yield, so each of them needs an OS thread. The watchdog has to help some times at first.
 * After that it lets members take turns again now and then, and each time has to help once. The
 * test counts how often the watchdog helps in 2000 regions after the first 1000. Where others take
 * the CPUs, members may be late without fault, so a new process tries it again.
 */
// REQUIRES: nanogomp
// REQUIRES: base
// RUN: %omp_build %s -o %t -I%S/../../../abi/include
// RUN: env OMP_WAIT_POLICY=passive OMP_NUM_THREADS=4 %omp_run %t 0
// RUN: env OMP_NUM_THREADS=4 %omp_run %t 0
#include <sched.h>

#include "again.h"
#include "check.h"
#include "counter.h"

enum { FIRST = 1000, REGIONS = 2000, MOST = 10, TRIES = 20 };
#define WORK_S 1e-5

static void regions(int n) {
  for (int i = 0; i < n; i++) {
    int here = 0;
#pragma omp parallel
    {
#pragma omp single
      for (double end = check_seconds() + WORK_S; check_seconds() < end;) {}
      __atomic_add_fetch(&here, 1, __ATOMIC_ACQ_REL);
      while (__atomic_load_n(&here, __ATOMIC_ACQUIRE) < omp_get_num_threads())
        sched_yield();
    }
  }
}

int main(int argc, char **argv) {
  regions(FIRST);
  int64_t before = counter_read("watch_acts");
  regions(REGIONS);
  int64_t acts = counter_read("watch_acts") - before;
  if (before >= 0 && acts > MOST)
    again(argc, argv, TRIES);
  printf("%lld times in %d regions\n", (long long)acts, REGIONS);
  return before < 0 || acts > MOST;
}
