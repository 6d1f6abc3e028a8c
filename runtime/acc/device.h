/* device.h - OpenACC's devices: the host, number 0, is the only one
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         OpenACC 2.6, sections 2.3 and 3.2. On the host nothing needs to be set up. But
 *             programs see whether the device is active (acc_init, acc_shutdown) and whether their
 *             thread has it (acc_wait needs it), so both are kept.
 * Use         use() at the start of each entry that needs the device; init, shutdown and select
 *             from the API. A mistake of the program's comes back as a text; abi/ ends the program
 *             with it.
 * Invariants  I1  the epoch is odd while the device is active; each init and shutdown adds one
 *             I2  a thread has the device  <=>  its member's acc_epoch is the epoch and odd
 * Orders      the epoch and the counts publish nothing: their accesses are relaxed. An init or
 *             shutdown is a compare-and-swap, so that only one thread does it
 * Cost        use(): two loads and a compare
 * Tested by   tests/lit/oacc/device.c, device_errors.test, threads.c
 */
#ifndef NTH_ACC_DEVICE_H
#define NTH_ACC_DEVICE_H

#include <stdbool.h>

#include "runtime/acc/prof_types.h"
#include "runtime/omp/member/member.h"

/* What the program did wrong, in libgomp's words. */
struct nth_acc_error {
  char text[128];
};

/* w: init, shutdown; r: all */
extern _Atomic(uint32_t) nth_acc_epoch;

/* Regions that are open in any thread, in which a shutdown is a mistake: those of data constructs,
 * and compute regions with if(false). w: threads that begin and end them; r: shutdown */
extern _Atomic(uint32_t) nth_acc_data_open, nth_acc_fallbacks_open;

/* Whether this thread has the device. */
static inline bool nth_acc_attached(void) {
  const struct nth_member *m = nth_self;
  uint32_t epoch = nth_load_rlx(&nth_acc_epoch);
  return nth_likely(m && (epoch & 1) && m->acc_epoch == epoch);
}

/* Gives this thread the device of the ICVs acc-current-device-type-var and -num-var. If the device
 * was not active it becomes so, with its events. False: ACC_DEVICE_TYPE or ACC_DEVICE_NUM is not
 * the host's. */
bool nth_acc_attach(struct nth_acc_error *error);
static inline bool nth_acc_use(struct nth_acc_error *error) {
  return nth_acc_attached() || nth_acc_attach(error);
}

/* Whether a type means the host, by name or by default. False: error says why not. */
bool nth_acc_type_is_host(int type, struct nth_acc_error *error);

/* acc-current-device-type-var. While the device is active this is the host, whatever the
 * environment says; within the events of its init it is acc_device_none. */
bool nth_acc_current_type(int *type, struct nth_acc_error *error);

/* Whether a number is the host's. */
bool nth_acc_number_is_good(int number, struct nth_acc_error *error);

/* The number of devices of a type, 0 or 1; -1: no such type. */
int nth_acc_count(int type, struct nth_acc_error *error);

/* acc_init, which reports its events, and acc_shutdown. */
bool nth_acc_init(int type, struct nth_acc_error *error);
bool nth_acc_shutdown(int type, struct nth_acc_error *error);

/* acc_set_device_type, acc_set_device_num: the thread has the device from now on, without events. A
 * negative number means the current one; acc_device_none means all types. */
bool nth_acc_select(int type, struct nth_acc_error *error);
bool nth_acc_select_number(int number, int type, struct nth_acc_error *error);

/* acc-current-device-num-var: ACC_DEVICE_NUM until the program sets it. */
int nth_acc_device_number(void);

#endif
