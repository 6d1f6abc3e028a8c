/* devices.c - device and pause functions on a machine without devices */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the answers of the host: device numbers, omp_is_initial_device, default device, and that
// after omp_pause_resource(_all) new regions work as before.
// RUN: %omp_test
#include "check.h"

static void region(int size) {
  int sum = 0;
#pragma omp parallel num_threads(size) reduction(+ : sum)
  sum += omp_get_thread_num() + 1;
  CHECK_EQ(sum, size * (size + 1) / 2);
}

int main(void) {
  CHECK_EQ(omp_get_num_devices(), 0);
  CHECK_EQ(omp_get_initial_device(), 0);
  CHECK_EQ(omp_get_device_num(), 0);
  CHECK_EQ(omp_is_initial_device(), 1);
  CHECK_EQ(omp_get_default_device(), 0);
  omp_set_default_device(3);
  CHECK_EQ(omp_get_default_device(), 3);
  omp_set_default_device(0);
  for (int i = 0; i < 5; i++) {
    region(4);
    CHECK_EQ(omp_pause_resource(omp_pause_soft, omp_get_initial_device()), 0);
    region(3);
    CHECK_EQ(omp_pause_resource_all(omp_pause_soft), 0);
    region(4);
    CHECK_EQ(omp_pause_resource_all(omp_pause_hard), 0);
    region(2);
    CHECK_EQ(omp_pause_resource(omp_pause_hard, omp_get_initial_device()), 0);
  }
  CHECK(omp_pause_resource(omp_pause_soft, 77) != 0);
  return 0;
}
