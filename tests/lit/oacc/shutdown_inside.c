/* shutdown_inside.c - acc_shutdown in a data region, and in a region with if(false) */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Both end the program. After the regions, and between them, a shutdown is right.
// REQUIRES: base
// RUN: %acc_build %s -o %t
// RUN: %omp_run %t none
// RUN: %omp_run --status 1 %t data 2>&1 | %FileCheck %s -check-prefix=DATA
// RUN: %omp_run --status 1 %t fallback 2>&1 | %FileCheck %s -check-prefix=FALLBACK
// DATA: libgomp: shutdown in 'acc data' region
// FALLBACK: libgomp: shutdown during host fallback
#include <openacc.h>

#include "check.h"

static void regions(int *a, const char *where) {
  acc_init(acc_device_host);
#pragma acc data copy(a[0 : 8])
  {
#pragma acc data create(a[0 : 4])
    a[0]++;
    if (strcmp(where, "data") == 0)
      acc_shutdown(acc_device_host);
  }
#pragma acc parallel copy(a[0 : 8]) if (0)
  {
    a[0]++;
    if (where[0] == 'f')
      acc_shutdown(acc_device_host);
  }
  acc_shutdown(acc_device_host);
}

int main(int argc, char **argv) {
  int a[8] = {0};
  CHECK(argc > 1);
  regions(a, argv[1]);
  regions(a, "none");
  CHECK_EQ(a[0], 4);
  return 0;
}
