/* gaps_foreseen.c - an idle slave is awake when a region is due, be it an OS thread or not
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The master works for equally long times between regions, by the clock; the library counts the
 * regions that it foresaw. Where others take the CPUs the gaps are not equal, and nothing is
 * foreseen: only gaps that were equal count against the library.
 */
// REQUIRES: nanogomp
// REQUIRES: base
// RUN: %omp_build %s -o %t -I%S/../../../abi/include
// RUN: env NTH_MEMBERS=os OMP_NUM_THREADS=2 %omp_run %t
// RUN: env NTH_MEMBERS=nano OMP_NUM_THREADS=2 %omp_run %t
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include "counter.h"

enum { GAP_NS = 5000000, MORE_NS = 100000, RUN = 40, WANTED = 20, RUNS = 60, SECONDS = 25 };

static int64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* RUN regions; whether the gaps between most of them, and these themselves, lasted as meant. */
static int is_regular(int *right) {
  int good = 0;
  for (int i = 0; i < RUN; i++) {
    int sum = 0;
    int64_t begin = now();
#pragma omp parallel num_threads(2) reduction(+ : sum)
    sum = i;
    *right &= sum == 2 * i || sum == i;
    int64_t joined = now(), end = joined + GAP_NS;
    while (now() < end) {}
    good += joined - begin < GAP_NS && now() - end < MORE_NS;
  }
  return good >= RUN - RUN / 10;
}

int main(void) {
  int64_t end = now() + (int64_t)SECONDS * 1000000000;
  int right = 1, runs = 0;
  while (right && counter_read("foreseen") < WANTED && runs < RUNS && now() < end)
    runs += is_regular(&right);
  if (right && (counter_read("foreseen") >= WANTED || runs < RUNS))
    return 0;
  printf("%s, %d of regions were foreseen, in %d regular runs\n", right ? "right" : "wrong",
         (int)counter_read("foreseen"), runs);
  return 1;
}
