/* oacc_device.c - OpenACC's devices: the host, number 0
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenACC 2.6, sections 3.2.1 to 3.2.8 and 3.2.17. acc_device_default is the host unless
 * ACC_DEVICE_TYPE says otherwise; other types and numbers end the program with status 1.
 *
 * acc_get_num_devices      number of devices of a type: 1 for the host, 0 for types without
 *                          devices; an unknown type ends the program. 3.2.1
 * acc_set_device_type      the calling thread uses devices of this type from now on. 3.2.2
 * acc_get_device_type      the type in use: acc_device_host; acc_device_none within the events of
 *                          the device's initialization. 3.2.3
 * acc_set_device_num       the calling thread uses the device with this number from now on: 0, or
 *                          negative for the one in use; acc_device_none: for all types. 3.2.4
 * acc_get_device_num       the number in use: the one that was set, else ACC_DEVICE_NUM. 3.2.5
 * acc_get_property         a property as a number of bytes: 0: not known, or not a number. 3.2.6
 * acc_get_property_string  a property as a text, a constant; NULL: it is not a text. 3.2.6
 * acc_init                 makes the device active, for the calling thread; if it is active already
 *                          the program ends. 3.2.7
 * acc_shutdown             makes the device inactive, for all threads; if it is not active the
 *                          program ends. 3.2.8
 * GOACC_init, GOACC_shutdown, GOACC_set_device
 *                          the directives init, shutdown and set in programs of gcc 17 and later:
 *                          as the functions, but acc_device_none means a directive without a type,
 *                          so the default one. 2.14.1 to 2.14.3
 * acc_on_device            whether the caller runs on a device of a type: 1 for acc_device_host and
 *                          acc_device_none, 0 for any other number. 3.2.17
 */
#include "abi_protos.h"

#include "abi/oacc_check.h"

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

void acc_init(acc_device_t type) {
  struct nth_acc_error error;
  nth_oacc_must(nth_acc_init(type, &error), &error);
}

void acc_shutdown(acc_device_t type) {
  struct nth_acc_error error;
  nth_oacc_must(nth_acc_shutdown(type, &error), &error);
}

/* The type that a directive names. number: of its device_num clause, negative without one. */
static acc_device_t type_of_directive(int number, int type) {
  struct nth_acc_error error;
  acc_device_t wanted = type == acc_device_none ? acc_device_default : type;
  nth_oacc_must(nth_acc_type_is_host(wanted, &error), &error);
  nth_oacc_must(number < 0 || nth_acc_number_is_good(number, &error), &error);
  return wanted;
}

void GOACC_init(int number, int type) { acc_init(type_of_directive(number, type)); }

void GOACC_shutdown(int number, int type) { acc_shutdown(type_of_directive(number, type)); }

void GOACC_set_device(int number, int type) {
  acc_set_device_num(number, type_of_directive(number, type));
}

/* --- queries --- */

/* The host is no offload device. The compiler itself replaces calls with a constant. */
int acc_on_device(int type) { return type == acc_device_host || type == acc_device_none; }

/* With acc_device_current the number does not count. */
static void check_property_of(int number, acc_device_t type) {
  struct nth_acc_error error;
  nth_oacc_need_device();
  if (type == acc_device_current)
    return;
  nth_oacc_must(nth_acc_type_is_host(type, &error), &error);
  nth_oacc_must(nth_acc_number_is_good(number, &error), &error);
}

size_t acc_get_property(int number, acc_device_t type, acc_device_property_t property) {
  (void)property;
  check_property_of(number, type);
  return 0;
}

/* The texts are those of libgomp's host device, since programs compare them. */
const char *acc_get_property_string(int number, acc_device_t type, acc_device_property_t property) {
  check_property_of(number, type);
  switch (property) {
  case acc_property_name: return "GOMP";
  case acc_property_vendor: return "GNU";
  case acc_property_driver: return "1.0";
  default: return 0;
  }
}
