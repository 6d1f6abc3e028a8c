/* error.c - the error directive at execution time
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenMP 5.2, section 8.5. If the compiler knows the message's length, as in Fortran, the message
 * has length bytes and no terminator. length SIZE_MAX: it ends with a NUL. message NULL: there is
 * none.
 */
#include <stdint.h>
#include <string.h>

#include "abi_protos.h"

#include "abi/fatal.h"
#include "abi/tool.h"

static size_t bytes(const char *message, size_t length) {
  return length == SIZE_MAX ? strlen(message) : length;
}

/* What a tool hears, before the message is there. */
NTH_WITHIN void tell(ompt_severity_t severity, const char *message, size_t length) {
  if (nth_tool_on())
    nth_told_error(severity, message, message ? bytes(message, length) : 0, NTH_RA);
}

/* severity(warning): prints the message on stderr; the program goes on. */
void GOMP_warning(const char *message, size_t length) {
  tell(ompt_warning, message, length);
  if (message)
    nth_msg_libgomp_bytes("error directive encountered: ", message, bytes(message, length));
  else
    nth_msg_libgomp("error directive encountered");
}

/* severity(fatal): prints the message on stderr, then ends the program with status 1. */
void GOMP_error(const char *message, size_t length) {
  tell(ompt_fatal, message, length);
  if (message)
    nth_msg_libgomp_bytes("fatal error: error directive encountered: ", message,
                          bytes(message, length));
  else
    nth_msg_libgomp("fatal error: error directive encountered");
  exit(EXIT_FAILURE);
}
