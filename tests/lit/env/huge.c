/* huge.c - OMP_NUM_THREADS beyond any machine is clamped, said, and works */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a huge OMP_NUM_THREADS (or list) gives a message on stderr and a working, smaller
// team; and that a huge num_threads clause and omp_set_num_threads work. A preloaded pthread_create
// refuses after 200 threads: the machine is for others too.
// nanogomp-only: libgomp dies of SIGSEGV or ends with status 1.
// REQUIRES: nanogomp, base
// UNSUPPORTED: sanitizer
// RUN: %omp_build %S/../process/Inputs/refuse.c -o %t.so -shared -fPIC -fno-openmp -ldl
// RUN: %omp_build %s -o %t
// RUN: env REFUSE_AFTER=200 OMP_NUM_THREADS=99999999 %omp_run --preload %t.so %t plain 2> %t.1
// RUN: %FileCheck %s < %t.1
// RUN: env REFUSE_AFTER=200 OMP_NUM_THREADS=2147483647 %omp_run --preload %t.so %t plain 2> %t.2
// RUN: %FileCheck %s < %t.2
// RUN: env REFUSE_AFTER=200 OMP_NUM_THREADS=9999999,99 %omp_run --preload %t.so %t plain 2> %t.3
// RUN: %FileCheck %s < %t.3
// RUN: env REFUSE_AFTER=200 OMP_NUM_THREADS=2 %omp_run --preload %t.so %t set
// CHECK: nanogomp: {{.*}}OMP_NUM_THREADS
#include "check.h"

static void region(int request) {
  long members = 0, sum = 0;
  int size = 0;
#pragma omp parallel num_threads(request) reduction(+ : members)
  {
    members++;
#pragma omp single
    size = omp_get_num_threads();
#pragma omp for schedule(dynamic) reduction(+ : sum)
    for (int i = 0; i < 1000; i++)
      sum += i;
  }
  CHECK(size >= 1 && size < 100000);
  CHECK_EQ(members, size);
  CHECK_EQ(sum, 499500);
}

int main(int argc, char **argv) {
  CHECK_EQ(argc, 2);
  if (strcmp(argv[1], "set") == 0) {
    region(50000000);
    omp_set_num_threads(2147483647);
  }
  region(omp_get_max_threads());
  region(2);
  return 0;
}
