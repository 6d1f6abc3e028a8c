/* msg.c - the only place that prints
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/base/msg.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool nth_verbose;

void nth_msg_raw(const char *text) {
  size_t left = strlen(text);
  int saved = errno;
  while (left > 0) {
    ssize_t n = write(STDERR_FILENO, text, left);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      break;
    text += n;
    left -= (size_t)n;
  }
  errno = saved;
}

/* PREFIX, the text, a newline; a text that does not fit is cut, never lost. */
static void say(const char *prefix, const char *format, va_list args) {
  char line[1024];
  size_t at = (size_t)snprintf(line, sizeof line, "%s", prefix);
  int n = vsnprintf(line + at, sizeof line - at - 1, format, args);
  if (n > 0)
    at = strlen(line);
  line[at] = '\n';
  line[at + 1] = 0;
  nth_msg_raw(line);
}

void nth_msg(const char *format, ...) {
  va_list args;
  va_start(args, format);
  say("nanogomp: ", format, args);
  va_end(args);
}

void nth_msg_verbose(const char *format, ...) {
  if (!nth_verbose)
    return;
  va_list args;
  va_start(args, format);
  say("nanogomp: ", format, args);
  va_end(args);
}

void nth_msg_vlibgomp(const char *format, va_list args) { say("\nlibgomp: ", format, args); }

void nth_msg_libgomp(const char *format, ...) {
  va_list args;
  va_start(args, format);
  nth_msg_vlibgomp(format, args);
  va_end(args);
}
