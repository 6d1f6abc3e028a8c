/* zones.c - an outer member that its OS thread cannot run soon is run by another one that is
 * idle */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks with four zones of unequal work, each an inner region, laid along two domains of two
// processors, on two CPUs: the OS thread that has done its own zones takes over what waits behind
// the largest one. Then the busier of the two has, in at least one of many tries, within 10 % of
// half of the work.
// nanogomp-only: libgomp's members are OS threads, which the kernel moves.
// REQUIRES: members-nano, cpus-0-1
// RUN: %omp_build %s -o %t
// RUN: env NTH_MEMBERS=nano NTH_DOMAINS=2x2 taskset -c 0,1 %omp_run %t
// RUN: env NTH_MEMBERS=nano NTH_DOMAINS=2x1 taskset -c 0,1 %omp_run %t
#define _GNU_SOURCE
#include "check.h"
#include <sys/syscall.h>
#include <unistd.h>

enum { ZONES = 4 };

static const int work[ZONES] = {40, 10, 10, 20}; /* member 2 waits behind member 0 */

static long ran_on[ZONES];

static int busier(void) {
  int most = 0;
#pragma omp parallel num_threads(ZONES)
  {
    int zone = omp_get_thread_num();
#pragma omp parallel num_threads(1)
    {
      ran_on[zone] = syscall(SYS_gettid);
      check_busy(work[zone] * 50000);
    }
  }
  for (int i = 0; i < ZONES; i++) {
    int sum = 0;
    for (int k = 0; k < ZONES; k++)
      sum += ran_on[k] == ran_on[i] ? work[k] : 0;
    most = sum > most ? sum : most;
  }
  return most;
}

int main(void) {
  int best = 80;
  double end = check_seconds() + 20;
  omp_set_max_active_levels(2);
  while (best * 10 > 40 * 11 && check_seconds() < end) {
    int now = busier();
    best = now < best ? now : best;
  }
  printf("busier: %d of 80\n", best);
  CHECK(best * 10 <= 40 * 11);
  return 0;
}
