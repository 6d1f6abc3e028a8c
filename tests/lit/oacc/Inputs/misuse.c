/* misuse.c - OpenACC calls that are errors, by name */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <openacc.h>

#include "check.h"

static int data;
static int queue = -3;

static void wait_directive(void) {
#pragma acc wait(queue)
}

static void parallel(void) {
#pragma acc parallel
  {}
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
#define CASE(name, call)                                                                           \
  if (!strcmp(what, name))                                                                         \
  call
  CASE("count-unknown", acc_get_num_devices((acc_device_t)9));
  CASE("count-negative", acc_get_num_devices((acc_device_t)-5));
  CASE("type-not-host", acc_set_device_type(acc_device_not_host));
  CASE("type-nvidia", acc_set_device_type(acc_device_nvidia));
  CASE("type-radeon", acc_init(acc_device_radeon));
  CASE("type-unknown", acc_shutdown((acc_device_t)77));
  CASE("number", acc_set_device_num(1, acc_device_host));
  CASE("number-property", acc_get_property(1, acc_device_host, acc_property_memory));
  CASE("init-twice", (acc_init(acc_device_host), acc_init(acc_device_default)));
  CASE("init-used", (parallel(), acc_init(acc_device_host)));
  CASE("shutdown", acc_shutdown(acc_device_host));
  CASE("shutdown-twice",
       (acc_init(acc_device_host), acc_shutdown(acc_device_host), acc_shutdown(acc_device_host)));
  CASE("wait-early", acc_wait(1));
  CASE("test-early", acc_async_test(1));
  CASE("wait-queue", (parallel(), acc_wait(-3)));
  CASE("test-queue", (parallel(), acc_async_test(-3)));
  CASE("wait-async-queue", (parallel(), acc_wait_async(-3, 1)));
  CASE("wait-all-queue", (parallel(), acc_wait_all_async(-3)));
  CASE("directive-queue", wait_directive());
  CASE("copyin-null", acc_copyin(0, 4));
  CASE("create-empty", acc_create(&data, 0));
  CASE("map", acc_map_data(&data, (char *)&data + 4, 4));
  CASE("use", parallel());
  CASE("get-type", acc_get_device_type());
  puts("survived");
  return 0;
}
