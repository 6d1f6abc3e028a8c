/* oacc_device.c - OpenACC's devices: the host, number 0
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenACC 2.6, sections 3.2.1 to 3.2.8 and 3.2.17. acc_device_default is the host unless
 * ACC_DEVICE_TYPE says otherwise; other types and numbers end the program.
 */
#include "abi_protos.h"

#include "abi/oacc_check.h"

/* Number of devices of a type: 1 for the host, 0 for types without devices. */
int acc_get_num_devices(acc_device_t type) {
  struct nth_acc_error error;
  int count = nth_acc_count(type, &error);
  nth_oacc_must(count >= 0, &error);
  return count;
}

/* --- acc-current-device-type-var and acc-current-device-num-var --- */

void acc_set_device_type(acc_device_t type) {
  struct nth_acc_error error;
  nth_oacc_must(nth_acc_select(type, &error), &error);
}

acc_device_t acc_get_device_type(void) {
  struct nth_acc_error error;
  int type;
  nth_oacc_must(nth_acc_current_type(&type, &error), &error);
  return type;
}

/* A negative number means the current one; acc_device_none: for all types. */
void acc_set_device_num(int number, acc_device_t type) {
  struct nth_acc_error error;
  nth_oacc_must(nth_acc_select_number(number, type, &error), &error);
}

int acc_get_device_num(acc_device_t type) {
  struct nth_acc_error error;
  nth_oacc_must(nth_acc_type_is_host(type, &error), &error);
  return nth_acc_device_number();
}

/* --- beginning and end --- */

/* Makes the device active; it must not be. */
void acc_init(acc_device_t type) {
  struct nth_acc_error error;
  nth_oacc_must(nth_acc_init(type, &error), &error);
}

/* It must be active; all threads lose it. */
void acc_shutdown(acc_device_t type) {
  struct nth_acc_error error;
  nth_oacc_must(nth_acc_shutdown(type, &error), &error);
}

/* --- queries --- */

/* Where the caller runs: on the host, which is no offload device. Calls with a constant are the
 * compiler's own business. */
int acc_on_device(int type) {
  return type == acc_device_host || type == acc_device_none;
}

static void check_property_of(int number, acc_device_t type) {
  struct nth_acc_error error;
  nth_oacc_need_device();
  if (type != acc_device_current)
    nth_oacc_must(nth_acc_type_is_host(type, &error), &error);
  nth_oacc_must(nth_acc_number_is_good(number, &error), &error);
}

/* Numbers in bytes; 0: not known, or not a number's property. */
size_t acc_get_property(int number, acc_device_t type, acc_device_property_t property) {
  (void)property;
  check_property_of(number, type);
  return 0;
}

/* The texts of libgomp's host device, which programs compare; NULL: not a text's property. */
const char *acc_get_property_string(int number, acc_device_t type,
                                    acc_device_property_t property) {
  check_property_of(number, type);
  switch (property) {
  case acc_property_name:
    return "GOMP";
  case acc_property_vendor:
    return "GNU";
  case acc_property_driver:
    return "1.0";
  default:
    return 0;
  }
}
