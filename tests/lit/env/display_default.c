/* display_default.c - OMP_DISPLAY_ENV where OMP_NUM_THREADS is not set, or wrong */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that the display has the size that a region gets.
// nanogomp-only: libgomp 13 to 16 show 1 and use all CPUs; that of gcc 12 passes.
// REQUIRES: base, nanogomp
// RUN: %omp_build %s -o %t
// RUN: env -u OMP_NUM_THREADS OMP_DISPLAY_ENV=true %omp_run %t > %t.1 2>&1
// RUN: %FileCheck %s < %t.1
// RUN: env OMP_NUM_THREADS=x OMP_DISPLAY_ENV=verbose %omp_run %t > %t.2 2>&1
// RUN: %FileCheck %s < %t.2
// CHECK: {{^}}  [host] OMP_NUM_THREADS = '[[SIZE:[0-9]+]]'
// CHECK: {{^}}region: [[SIZE]] threads
#include "check.h"

int main(void) {
  int size = 0;
#pragma omp parallel
#pragma omp masked
  size = omp_get_num_threads();
  printf("region: %d threads\n", size);
  return 0;
}
