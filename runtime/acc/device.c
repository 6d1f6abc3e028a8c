/* device.c - OpenACC's devices: the host, number 0, is the only one
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/acc/device.h"

#include <stdarg.h>
#include <stdio.h>
#include <strings.h>

#include "runtime/acc/event.h"

#define TYPES_END 9 /* each type below this number exists in some version of OpenACC */

_Atomic(uint32_t) nth_acc_epoch, nth_acc_data_open, nth_acc_fallbacks_open;

/* acc-current-device-num-var; -1: not set, ACC_DEVICE_NUM counts */
static _Atomic(int) chosen_number = -1;

__attribute__((format(printf, 2, 3))) static bool fail(struct nth_acc_error *error,
                                                       const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(error->text, sizeof error->text, format, args);
  va_end(args);
  return false;
}

int nth_acc_device_number(void) {
  int number = nth_load_rlx(&chosen_number);
  return number >= 0 ? number : nth_env.acc_device_num;
}

/* --- types --- */

static bool default_is_host(void) {
  return !nth_env.acc_device_type || !strcasecmp(nth_env.acc_device_type, "host");
}

bool nth_acc_type_is_host(int type, struct nth_acc_error *error) {
  switch (type) {
  case acc_device_host: return true;
  case acc_device_default:
    return default_is_host() ||
           fail(error, "device type %s not supported", nth_env.acc_device_type);
  case acc_device_none: return fail(error, "device type none not supported");
  case acc_device_not_host: return fail(error, "no device found");
  case acc_device_nvidia: return fail(error, "device type nvidia not supported");
  case acc_device_radeon: return fail(error, "device type radeon not supported");
  default: return fail(error, "unknown device type %u", (unsigned)type);
  }
}

int nth_acc_count(int type, struct nth_acc_error *error) {
  if (type < 0 || type >= TYPES_END) {
    fail(error, "unknown device type %u", (unsigned)type);
    return -1;
  }
  return type == acc_device_host || (type == acc_device_default && default_is_host());
}

bool nth_acc_number_is_good(int number, struct nth_acc_error *error) {
  return number == 0 || fail(error, "device %d out of range", number);
}

/* --- active or not --- */

/* Gives this thread the device. True: the device was not active before. */
static bool attach(void) {
  uint32_t epoch = nth_load_rlx(&nth_acc_epoch);
  bool first = !(epoch & 1) && nth_cas_rlx(&nth_acc_epoch, &epoch, epoch + 1);
  /* if the exchange failed, epoch is that of the thread that was faster */
  nth_member_get()->acc_epoch = first ? epoch + 1 : epoch;
  return first;
}

/* Reports the two events of an init, between which there is nothing to do. */
static void tell_init(int construct, int implicit, int type) {
  struct nth_member *m = nth_member_get();
  struct nth_acc_event e;
  m->acc_starting = true;
  nth_acc_event_start(&e, &(struct nth_acc_what){acc_ev_device_init_start, construct, implicit,
                                                 type, acc_async_sync});
  nth_acc_event_end(&e);
  m->acc_starting = false;
}

bool nth_acc_current_type(int *type, struct nth_acc_error *error) {
  bool starting = nth_self && nth_self->acc_starting;
  bool active = nth_load_rlx(&nth_acc_epoch) & 1;
  *type = starting ? acc_device_none : acc_device_host;
  return active || nth_acc_type_is_host(acc_device_default, error);
}

bool nth_acc_attach(struct nth_acc_error *error) {
  bool chosen = nth_load_rlx(&nth_acc_epoch) & 1;
  if (!chosen && (!nth_acc_type_is_host(acc_device_default, error) ||
                  !nth_acc_number_is_good(nth_acc_device_number(), error)))
    return false;
  if (attach())
    tell_init(acc_construct_parallel, 1, acc_device_default);
  return true;
}

bool nth_acc_init(int type, struct nth_acc_error *error) {
  if (!nth_acc_type_is_host(type, error))
    return false;
  if (nth_load_rlx(&nth_acc_epoch) & 1)
    return fail(error, "device already active");
  if (!nth_acc_number_is_good(nth_acc_device_number(), error))
    return false;
  if (attach())
    tell_init(acc_construct_runtime_api, 0, type);
  return true;
}

bool nth_acc_shutdown(int type, struct nth_acc_error *error) {
  uint32_t epoch = nth_load_rlx(&nth_acc_epoch);
  if (!nth_acc_type_is_host(type, error))
    return false;
  if (nth_load_rlx(&nth_acc_data_open) > 0)
    return fail(error, "shutdown in 'acc data' region");
  if (nth_load_rlx(&nth_acc_fallbacks_open) > 0)
    return fail(error, "shutdown during host fallback");
  if (!(epoch & 1) || !nth_cas_rlx(&nth_acc_epoch, &epoch, epoch + 1))
    return fail(error, "no device initialized");
  return true;
}

bool nth_acc_select(int type, struct nth_acc_error *error) {
  return nth_acc_type_is_host(type, error) && nth_acc_select_number(-1, type, error);
}

bool nth_acc_select_number(int number, int type, struct nth_acc_error *error) {
  int wanted = number >= 0 ? number : nth_acc_device_number();
  if ((type != acc_device_none && !nth_acc_type_is_host(type, error)) ||
      !nth_acc_number_is_good(wanted, error))
    return false;
  nth_store_rlx(&chosen_number, wanted);
  attach();
  return true;
}
