/* device.h - OpenACC's devices: there is the host, number 0, and no other
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         OpenACC 2.6, sections 2.3 and 3.2. Nothing has to be set up on the host, but
 *             programs see whether the device is active (acc_init, acc_shutdown) and whether their
 *             thread has it (acc_wait needs it), so both are kept.
 * Use         use() at the start of whatever needs the device; init, shutdown, select from the
 *             API. What the program did wrong comes back as a text; abi/ ends the program with it.
 * Invariants  I1  the epoch is odd while the device is active; each init and shutdown adds one
 *             I2  a thread has the device  <=>  its member's acc_epoch is the epoch and odd
 * Orders      the epoch is a number of its own: relaxed accesses; an init or shutdown is a
 *             compare-and-swap, so that one thread does it
 * Cost        use(): two loads and a compare
 * Tested by   tests/lit/oacc/device.c, device_errors.test, threads.c
 */
#ifndef NTH_ACC_DEVICE_H
#define NTH_ACC_DEVICE_H

#include <stdbool.h>

#include "runtime/acc/prof_types.h"
#include "runtime/omp/member/member.h"

/* Why it cannot be done. */
struct nth_acc_error {
  char text[128];
};

/* w: init, shutdown; r: all */
extern _Atomic(uint32_t) nth_acc_epoch;

/* Whether this thread has the device. */
static inline bool nth_acc_attached(void) {
  const struct nth_member *m = nth_self;
  uint32_t epoch = nth_load_rlx(&nth_acc_epoch);
  return nth_likely(m && (epoch & 1) && m->acc_epoch == epoch);
}

/* Gives this thread the device of the ICVs acc-current-device-type-var and -num-var, and makes it
 * active, with the events of that. false: ACC_DEVICE_TYPE or ACC_DEVICE_NUM is none of ours. */
bool nth_acc_attach(struct nth_acc_error *error);
static inline bool nth_acc_use(struct nth_acc_error *error) {
  return nth_acc_attached() || nth_acc_attach(error);
}

/* Whether a type means the host: by name or by default. false: error says why not. */
bool nth_acc_type_is_host(int type, struct nth_acc_error *error);

/* acc-current-device-type-var: the host while it is active, whoever chose it and whatever the
 * environment says; acc_device_none within the events of its init. */
bool nth_acc_current_type(int *type, struct nth_acc_error *error);

/* Whether a number is that of a host device. */
bool nth_acc_number_is_good(int number, struct nth_acc_error *error);

/* Number of devices of a type, 0 or 1; -1: no such type. */
int nth_acc_count(int type, struct nth_acc_error *error);

/* acc_init, acc_shutdown; the events of the first. */
bool nth_acc_init(int type, struct nth_acc_error *error);
bool nth_acc_shutdown(int type, struct nth_acc_error *error);

/* acc_set_device_type, acc_set_device_num: the thread has the device, without events. A negative
 * number means the current one; acc_device_none all types. */
bool nth_acc_select(int type, struct nth_acc_error *error);
bool nth_acc_select_number(int number, int type, struct nth_acc_error *error);

/* acc-current-device-num-var; ACC_DEVICE_NUM until it is set. */
int nth_acc_device_number(void);

#endif
