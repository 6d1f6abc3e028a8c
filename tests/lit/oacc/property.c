/* property.c - acc_get_property of the current device takes any number */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenACC 3.1, section 3.2.6: with acc_device_current the number is ignored. Another number ends
// the program for the host by name.
// nanogomp-only: libgomp knows no acc_device_current here
// REQUIRES: nanogomp
// RUN: %acc_build %s -o %t
// RUN: %omp_run %t
// RUN: %omp_run --status 1 %t 1 2>&1 | %FileCheck %s
// CHECK: libgomp: device 1 out of range
#include <openacc.h>

#include "check.h"

int main(int argc, char **argv) {
  (void)argv;
  if (argc > 1)
    acc_get_property_string(1, acc_device_host, acc_property_name);
  CHECK_STREQ(acc_get_property_string(1, acc_device_current, acc_property_name), "GOMP");
  CHECK_STREQ(acc_get_property_string(-1, acc_device_current, acc_property_vendor), "GNU");
  CHECK_EQ(acc_get_property(7, acc_device_current, acc_property_memory), 0);
  return 0;
}
