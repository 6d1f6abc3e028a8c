/* error.c - the error directive at execution time
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenMP 5.2, section 8.5. The message is not NUL-terminated; NULL: none.
 */
#include "abi_protos.h"

#include "abi/fatal.h"

void GOMP_warning(const char *message, size_t length) {
  if (message)
    nth_msg_libgomp("error directive encountered: %.*s", (int)length, message);
  else
    nth_msg_libgomp("error directive encountered");
}

void GOMP_error(const char *message, size_t length) {
  if (message)
    nth_msg_libgomp("fatal error: error directive encountered: %.*s", (int)length, message);
  else
    nth_msg_libgomp("fatal error: error directive encountered");
  exit(EXIT_FAILURE);
}
