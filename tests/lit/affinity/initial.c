/* initial.c - the place of a thread that shows it before any region; the partition in target */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that omp_capture_affinity and omp_display_affinity show the place of a thread that has
// asked for nothing before, also from Fortran's entries; that a target region has all places as its
// partition, whatever its region has; and that the region's partition is back after it.
// REQUIRES: cpus-0-1
// RUN: %omp_build %s -o %t
// RUN: env OMP_PROC_BIND=spread "OMP_PLACES={1},{0}" %omp_run %t capture
// RUN: env OMP_PROC_BIND=spread "OMP_PLACES={1},{0}" %omp_run %t fortran
// RUN: env OMP_PROC_BIND=spread "OMP_PLACES={1},{0}" %omp_run %t display 2> %t.text
// RUN: %FileCheck %s < %t.text
// RUN: env OMP_PROC_BIND=spread "OMP_PLACES={1},{0}" %omp_run %t target
// CHECK: {{^on 1[.]$}}
#include "bound.h"

extern int omp_capture_affinity_(char *, const char *, size_t, size_t);

static void target_regions(void) {
#pragma omp parallel num_threads(2)
  {
    int place = bound_check();
    CHECK_EQ(bound_partition().count, 1);
#pragma omp target
    {
      CHECK_EQ(bound_check(), place);
      CHECK_EQ(bound_partition().count, 2);
      CHECK_EQ(bound_partition().first, 0);
    }
    CHECK_EQ(bound_check(), place);
    CHECK_EQ(bound_partition().count, 1);
  }
}

int main(int argc, char **argv) {
  char text[8] = "";
  CHECK_EQ(argc, 2);
  if (strcmp(argv[1], "capture") == 0) {
    CHECK_EQ(omp_capture_affinity(text, sizeof text, "%A"), 1);
    CHECK_STREQ(text, "1");
  } else if (strcmp(argv[1], "fortran") == 0) {
    CHECK_EQ(omp_capture_affinity_(text, "%A", 7, 2), 1);
    CHECK_STREQ(text, "1      ");
  } else if (strcmp(argv[1], "display") == 0) {
    omp_display_affinity("on %A.");
  } else {
    target_regions();
  }
  return 0;
}
