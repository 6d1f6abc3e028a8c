/* watch_refused_alone.c - a master that runs all members alone, and nobody watches over them */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a wake-up costs more than the bodies, the master's OS thread runs all members. It must not
// count on itself for members at places that it cannot go to, nor for members that meet by flags of
// their own. Otherwise nobody would wake these: the system has refused the watchdog.
// nanogomp-only: libgomp has no such thread, and ends the program when one is refused.
// REQUIRES: members-nano
// UNSUPPORTED: sanitizer, emulated
// RUN: %omp_build %S/Inputs/refuse_odd.c -o %t.so -shared -fPIC -fno-openmp -ldl
// RUN: %omp_build %s -o %t
// RUN: env -u NTH_TEST_MOVE NTH_MEMBERS=nano %omp_run --preload %t.so %t 2> %t.says
// RUN: %FileCheck %s < %t.says
// RUN: env -u NTH_TEST_MOVE NTH_MEMBERS=nano OMP_PLACES=threads OMP_PROC_BIND=spread \
// RUN:   %omp_run --preload %t.so %t places 2> %t.says
// RUN: %FileCheck %s < %t.says
// CHECK: nanogomp: no thread to watch over nano-thread members (Resource temporarily unavailable)
#include <stdatomic.h>

#include "check.h"

enum { ROUNDS = 600 };

static void work_us(int us) {
  double end = omp_get_wtime() + us * 1e-6;
  while (omp_get_wtime() < end) {}
}

/* Short regions, each after a gap that the leaders may sleep through. */
static void gaps(int members) {
  int sum = 0;
  for (int i = 0; i < ROUNDS; i++) {
    work_us(i % 4 == 0 ? i * 37 % 2000 : i * 7 % 300);
#pragma omp parallel num_threads(members) reduction(+ : sum)
    {
      sum++;
#pragma omp barrier
    }
  }
  CHECK_EQ(sum, ROUNDS * members);
}

static void meet(int members) {
  for (int i = 0; i < ROUNDS; i++) {
    atomic_int here = 0;
    work_us(i * 7 % 300);
#pragma omp parallel num_threads(members)
    {
      here++;
      while (i % 20 == 19 && here < omp_get_num_threads()) {}
    }
    CHECK_EQ(here, members);
  }
}

int main(int argc, char **argv) {
  (void)argv;
  if (argc > 1)
    gaps(3);
  else
    meet(8);
  return 0;
}
