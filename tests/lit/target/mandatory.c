/* mandatory.c - OMP_TARGET_OFFLOAD and device numbers that do not exist */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks which device numbers end the program, with which line and status 1, and that all others,
// if(0) and the host's own numbers run on the host.
// nanogomp-only: the numbers and lines are those of libgomp 13 and later.
// REQUIRES: nanogomp, base
// RUN: %omp_build %s -o %t
// RUN: env OMP_TARGET_OFFLOAD=default %omp_run %t 0 1 -1 -3 100
// RUN: env OMP_TARGET_OFFLOAD=disabled %omp_run %t 0 1 -1 -3 100
// RUN: env OMP_TARGET_OFFLOAD=mandatory %omp_run %t 0 -2
// RUN: env OMP_TARGET_OFFLOAD=mandatory OMP_DEFAULT_DEVICE=0 %omp_run %t 0 -1 -2
// RUN: env OMP_TARGET_OFFLOAD=mandatory %omp_run --status 1 %t -1 2>&1 | \
// RUN:   %FileCheck %s -check-prefix=ONLY
// RUN: env OMP_TARGET_OFFLOAD=mandatory %omp_run --status 1 %t 1 2>&1 | \
// RUN:   %FileCheck %s -check-prefix=NOT
// RUN: env OMP_TARGET_OFFLOAD=mandatory OMP_DEFAULT_DEVICE=2 %omp_run --status 1 %t -1 2>&1 | \
// RUN:   %FileCheck %s -check-prefix=NOT
// RUN: env OMP_TARGET_OFFLOAD=mandatory %omp_run --status 1 %t data 2>&1 | \
// RUN:   %FileCheck %s -check-prefix=NOT
// RUN: env OMP_TARGET_OFFLOAD=mandatory %omp_run --status 1 %t alloc 2>&1 | \
// RUN:   %FileCheck %s -check-prefix=NOT
// RUN: env OMP_TARGET_OFFLOAD=mandatory %omp_run --status 1 %t -3 2>&1 | \
// RUN:   %FileCheck %s -check-prefix=ONLY
// RUN: env OMP_TARGET_OFFLOAD=mandatory %omp_run --status 1 %t -4 2>&1 | \
// RUN:   %FileCheck %s -check-prefix=ONLY
// RUN: env OMP_TARGET_OFFLOAD=mandatory OMP_DEFAULT_DEVICE=2 %omp_run --status 1 %t -6 2>&1 | \
// RUN:   %FileCheck %s -check-prefix=ONLY
// RUN: %omp_run --status 1 %t -4 2>&1 | %FileCheck %s -check-prefix=INVALID
// RUN: %omp_run --status 1 %t copy 2>&1 | %FileCheck %s -check-prefix=INVALID
// ONLY: libgomp: OMP_TARGET_OFFLOAD is set to MANDATORY, but only the host device is available
// NOT: libgomp: OMP_TARGET_OFFLOAD is set to MANDATORY, but device not found
// INVALID: libgomp: omp_invalid_device encountered
#include "check.h"

extern void GOMP_target_ext(int, void (*)(void *), size_t, void **, size_t *, unsigned short *,
                            unsigned, void **, void **);

static int runs;
static void body(void *p) {
  (void)p;
  runs++;
}

int main(int argc, char **argv) {
  int x = 0, many = 5;
  for (int i = 1; i < argc; i++) {
#pragma omp target map(x) if (0)
    x++;
    CHECK_EQ(x, i);
    if (!strcmp(argv[i], "data")) {
#pragma omp target enter data map(to : x) device(many)
    } else if (!strcmp(argv[i], "alloc")) {
      omp_target_alloc(8, many);
    } else if (!strcmp(argv[i], "copy")) {
      omp_target_memcpy(&x, &many, 4, 0, 0, 0, -4);
    } else {
      GOMP_target_ext(atoi(argv[i]), body, 0, NULL, NULL, NULL, 0, NULL, NULL);
      CHECK_EQ(runs, i);
    }
  }
  return 0;
}
