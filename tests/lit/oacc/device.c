/* device.c - OpenACC: devices and their properties */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks numbers and types of devices, init and shutdown in every allowed order, properties, and
// acc_on_device with constants and variables, on the host device.
// REQUIRES: base
// RUN: %acc_test
// RUN: %acc_build %s -o %t.nobuiltin -fno-builtin-acc_on_device && %omp_run %t.nobuiltin
#include <openacc.h>

#include "check.h"

static volatile int opaque;

static acc_device_t type_of(int type) { return (acc_device_t)(type + opaque); }

static void counts(void) {
  CHECK_EQ(acc_get_num_devices(acc_device_none), 0);
  CHECK_EQ(acc_get_num_devices(acc_device_host), 1);
  CHECK_EQ(acc_get_num_devices(acc_device_default), 1);
  CHECK_EQ(acc_get_device_type(), acc_device_host);
  CHECK_EQ(acc_get_device_num(acc_device_host), 0);
  CHECK_EQ(acc_get_device_num(acc_device_default), 0);
}

static void on_device(void) {
  CHECK_EQ(acc_on_device(acc_device_none), 1);
  CHECK_EQ(acc_on_device(acc_device_host), 1);
  CHECK_EQ(acc_on_device(acc_device_default), 0);
  CHECK_EQ(acc_on_device(acc_device_not_host), 0);
  CHECK_EQ(acc_on_device(acc_device_nvidia), 0);
  for (int type = -2; type < 12; type++)
    CHECK_EQ(acc_on_device(type_of(type)), type == acc_device_none || type == acc_device_host);
  int host = 0, other = 1;
#pragma acc parallel copy(host, other)
  {
    host = acc_on_device(acc_device_host);
    other = acc_on_device(acc_device_not_host);
  }
  CHECK_EQ(host, 1);
  CHECK_EQ(other, 0);
}

static void lifetime(void) {
  acc_init(acc_device_host);
  counts();
  acc_shutdown(acc_device_host);
  acc_init(acc_device_default);
  acc_wait(1);
  acc_shutdown(acc_device_default);
  counts();
  acc_init(acc_device_host);
  acc_set_device_type(acc_device_host);
  acc_set_device_type(acc_device_default);
  acc_set_device_num(0, acc_device_host);
  acc_set_device_num(-1, acc_device_host);
  acc_set_device_num(0, acc_device_default);
  acc_set_device_num(0, acc_device_none);
  counts();
  acc_shutdown(acc_device_host);
  acc_set_device_type(acc_device_host); /* makes it active */
  acc_wait(acc_async_noval);
  acc_shutdown(acc_device_host);
}

static void properties(void) {
  char stream[1];
  CHECK_EQ(acc_get_property(0, acc_device_host, acc_property_memory), 0);
  CHECK_EQ(acc_get_property(0, acc_device_host, acc_property_free_memory), 0);
  CHECK_EQ(acc_get_property(0, acc_device_host, acc_property_name), 0);
  CHECK_STREQ(acc_get_property_string(0, acc_device_host, acc_property_name), "GOMP");
  CHECK_STREQ(acc_get_property_string(0, acc_device_default, acc_property_vendor), "GNU");
  CHECK_STREQ(acc_get_property_string(0, acc_device_host, acc_property_driver), "1.0");
  CHECK(!acc_get_property_string(0, acc_device_host, acc_property_memory));
  CHECK(!acc_get_property_string(0, acc_device_host, (acc_device_property_t)0x10099));
  CHECK(!acc_get_current_cuda_device());
  CHECK(!acc_get_current_cuda_context());
  CHECK(!acc_get_cuda_stream(1));
  CHECK_EQ(acc_set_cuda_stream(1, stream), -1);
  CHECK_EQ(acc_set_cuda_stream(1, 0), 0);
}

int main(void) {
  counts();
  lifetime();
  on_device();
  properties();
  return 0;
}
