/* oacc_check.h - checks at the start of OpenACC entries; misuse ends the program
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_ABI_OACC_CHECK_H
#define NTH_ABI_OACC_CHECK_H

#include <stdio.h>

#include "abi/fatal.h"
#include "runtime/acc/device.h"

/* Ends the program if what it asked of the device was not done. */
static inline void nth_oacc_must(bool done, const struct nth_acc_error *error) {
  if (!done)
    nth_abi_fatal(error->text);
}

/* Gives the calling thread the device. */
static inline void nth_oacc_need_device(void) {
  struct nth_acc_error error;
  nth_oacc_must(nth_acc_use(&error), &error);
}

/* Checks that async is a queue: a number from 0 on, acc_async_noval or acc_async_sync. */
static inline void nth_oacc_check_async(int async) {
  struct nth_acc_error error;
  if (async >= acc_async_sync)
    return;
  snprintf(error.text, sizeof error.text, "invalid async-argument: %d", async);
  nth_abi_fatal(error.text);
}

/* Checks that the calling thread has the device and async is a queue. */
static inline void nth_oacc_check_queue(int async) {
  if (!nth_acc_attached())
    nth_abi_fatal("no device active");
  nth_oacc_check_async(async);
}

#endif
