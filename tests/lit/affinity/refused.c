/* refused.c - the system refuses to bind: one message, the program goes on */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a program under a filter that refuses sched_setaffinity, from the start or after some
// regions, has all its members, and says so once; and likewise with CPUs that the process may not
// use. nanogomp-only: libgomp ends the program, "Thread creation failed".
// REQUIRES: nanogomp
// UNSUPPORTED: sanitizer, emulated
// REQUIRES: cpus-0-1
// RUN: %omp_build %s -o %t
// RUN: env OMP_PROC_BIND=close "OMP_PLACES={0},{1}" %omp_run %t 0 2> %t.0 && %FileCheck %s < %t.0
// RUN: env OMP_PROC_BIND=close "OMP_PLACES={0},{1}" %omp_run %t 1 2> %t.1 && %FileCheck %s < %t.1
// RUN: taskset -c 0 env "GOMP_CPU_AFFINITY=0 1 0" %omp_run %t 2 2> %t.2
// RUN: %FileCheck %s --check-prefix=OUTSIDE < %t.2
// CHECK: nanogomp: a thread cannot be bound to place {{[01]}}, {{.[01].}}: Operation not permitted;
// CHECK-NOT: nanogomp: a thread
// OUTSIDE: nanogomp: a thread cannot be bound to place 1, {1}: it is outside the program's
// OUTSIDE-NOT: nanogomp: a thread
#define _GNU_SOURCE
#include "check.h"
#include "refuse.h"

#include <sched.h>

static void regions(int n) {
  for (int round = 0; round < 10; round++) {
    int members = 0;
#pragma omp parallel num_threads(n) reduction(+ : members)
    members++;
    CHECK_EQ(members, n);
#pragma omp parallel num_threads(n) proc_bind(master) reduction(+ : members)
    members++;
    CHECK_EQ(members, 2 * n);
  }
}

int main(int argc, char **argv) {
  CHECK_EQ(argc, 2);
  cpu_set_t start, mask;
  sched_getaffinity(0, sizeof start, &start);
  if (argv[1][0] == '0')
    refuse_call(SYS_sched_setaffinity, 0);
  regions(3);
  if (argv[1][0] == '1')
    refuse_call(SYS_sched_setaffinity, 0);
  regions(5);
#pragma omp parallel num_threads(5) private(mask)
  { /* never more than the program started with */
    sched_getaffinity(0, sizeof mask, &mask);
    CPU_AND(&mask, &mask, &start);
    CHECK(CPU_COUNT(&mask) > 0);
    sched_getaffinity(0, sizeof mask, &mask);
    CPU_OR(&mask, &mask, &start);
    CHECK(CPU_EQUAL(&mask, &start));
  }
  return 0;
}
