/* device.h - device numbers of calls, and which of them end the program
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_ABI_DEVICE_H
#define NTH_ABI_DEVICE_H

#include "abi/fatal.h"
#include "runtime/omp/target/device.h"

/* Whether a routine's device argument is the host, the only device that can do anything. */
static inline bool nth_abi_is_host(int number) {
  const char *text;
  enum nth_device device = nth_device_of_routine(number, &text);
  if (device == NTH_DEVICE_ENDS)
    nth_abi_fatal(text);
  return device == NTH_DEVICE_IS_HOST;
}

/* Checks a construct's device argument: returns if the host may stand in for it. */
static inline void nth_abi_check_clause(int number) {
  const char *text;
  if (nth_device_of_clause(number, &text) == NTH_DEVICE_ENDS)
    nth_abi_fatal(text);
}

#endif
