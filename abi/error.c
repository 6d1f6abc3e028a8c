/* error.c - the error directive at execution time
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenMP 5.2, section 8.5. A message need not be NUL-terminated, then length
 * counts; SIZE_MAX: it is. NULL: none. It is shown in full, however long it is.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "abi_protos.h"

#include "abi/fatal.h"

static void say(const char *what, const char *message, size_t length) {
  static const char format[] = "\nlibgomp: %serror directive encountered%s%.*s\n";
  if (message && length == SIZE_MAX)
    length = strlen(message);
  int shown = !message ? 0 : length < INT_MAX / 2 ? (int)length : INT_MAX / 2;
  size_t room = sizeof format + strlen(what) + (size_t)shown;
  char *text = malloc(room);
  if (text)
    snprintf(text, room, format, what, message ? ": " : "", shown, message ? message : "");
  nth_msg_raw(text ? text : "\nlibgomp: error directive encountered\n");
  free(text);
}

void GOMP_warning(const char *message, size_t length) { say("", message, length); }

void GOMP_error(const char *message, size_t length) {
  say("fatal error: ", message, length);
  exit(EXIT_FAILURE);
}
