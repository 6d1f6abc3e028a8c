/* display.c - OMP_DISPLAY_AFFINITY of bound threads */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that each member shows the CPUs of its own place, in the first region and again, and only
// then, when it was moved; and that omp_capture_affinity agrees.
// REQUIRES: cpus-0-1
// RUN: %omp_build %s -o %t
// RUN: env OMP_PROC_BIND=close "OMP_PLACES={0},{1},{0,1}" OMP_DISPLAY_AFFINITY=true \
// RUN:   "OMP_AFFINITY_FORMAT=%%n of %%N on %%A." %omp_run %t 2> %t.text
// RUN: %FileCheck %s < %t.text
// CHECK-DAG: {{^0 of 3 on 0[.]$}}
// CHECK-DAG: {{^1 of 3 on 1[.]$}}
// CHECK-DAG: {{^2 of 3 on 0-1[.]$}}
// CHECK: moved
// CHECK-DAG: {{^1 of 3 on 0[.]$}}
// CHECK-DAG: {{^2 of 3 on 0[.]$}}
// CHECK: end
#include "bound.h"

static void region(void) {
  char text[64];
#pragma omp parallel num_threads(3) private(text)
  {
    int place = bound_check();
    omp_capture_affinity(text, sizeof text, "%A");
    CHECK_STREQ(text, place == 0 ? "0" : place == 1 ? "1" : "0-1");
  }
}

int main(void) {
  region();
  region();
  fprintf(stderr, "moved\n");
  for (int round = 0; round < 3; round++) {
#pragma omp parallel num_threads(3) proc_bind(master)
    CHECK_EQ(bound_check(), 0);
  }
  fprintf(stderr, "end\n");
  return 0;
}
