/* phases.c - flat and nested phases have the same part of the data on the same CPU */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks with 16 members flat and 4x4 in turn, on two CPUs, that the OS thread that runs flat
// member 4 * g + k is mostly the one that runs inner member k of outer member g: a kernel whose
// parts fit a cache finds them there in both phases. Members that are stolen go elsewhere, so some
// of many tries has to be good. nanogomp-only: libgomp's inner members are new threads.
// REQUIRES: members-nano, cpus-0-1
// Nor are members moved for a test's sake.
// RUN: %omp_build %s -o %t && env -u NTH_TEST_MOVE NTH_MEMBERS=nano taskset -c 0,1 %omp_run %t
// RUN: env -u NTH_TEST_MOVE NTH_MEMBERS=auto taskset -c 0,1 %omp_run %t
#define _GNU_SOURCE
#include "check.h"
#include <sys/syscall.h>
#include <unistd.h>

enum { OUTER = 4, INNER = 4, PARTS = OUTER * INNER, ROUNDS = 20 };

static long flat_on[PARTS], nested_on[PARTS];

static void work(long *on) {
  check_busy(20000);
  *on = syscall(SYS_gettid);
}

static void flat(void) {
#pragma omp parallel num_threads(PARTS)
  work(&flat_on[omp_get_thread_num()]);
}

static void nest(void) {
#pragma omp parallel num_threads(OUTER)
  {
    int g = omp_get_thread_num();
#pragma omp parallel num_threads(INNER)
    work(&nested_on[INNER * g + omp_get_thread_num()]);
  }
}

/* Parts that were where they had been, of those rounds in which both OS threads had half of the
 * parts, but for one that was stolen. */
static double kept(void) {
  int same = 0, rounds = 0;
  for (int i = 0; i < ROUNDS; i++) {
    int first = 0, equal = 0;
    nest();
    flat();
    for (int p = 0; p < PARTS; p++) {
      first += flat_on[p] == flat_on[0];
      equal += flat_on[p] == nested_on[p];
    }
    if (first >= PARTS / 2 - 1 && first <= PARTS / 2 + 1) {
      same += equal;
      rounds++;
    }
  }
  return rounds < ROUNDS / 4 ? 0 : (double)same / (rounds * PARTS);
}

int main(void) {
  double best = 0, end = check_seconds() + 20;
  omp_set_max_active_levels(2);
  nest();
  while (best < 0.8 && check_seconds() < end) {
    double now = kept();
    best = now > best ? now : best;
  }
  printf("kept: %.2f\n", best);
  CHECK(best >= 0.8);
  return 0;
}
