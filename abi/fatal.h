/* fatal.h - misuse that ends the program, as it does with libgomp
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_ABI_FATAL_H
#define NTH_ABI_FATAL_H

#include <stdlib.h>

#include "runtime/base/msg.h"

/* Prints libgomp's line and ends the program with libgomp's status. */
_Noreturn static inline void nth_abi_fatal(const char *text) {
  nth_msg_libgomp("%s", text);
  exit(EXIT_FAILURE);
}

#endif
