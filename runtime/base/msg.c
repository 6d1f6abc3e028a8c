/* msg.c - prints the runtime's messages
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/base/msg.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "runtime/base/syscall.h"

#define LIBGOMP "\nlibgomp: "

bool nth_verbose;

/* Writes all pieces, in one system call if the kernel takes them at once. Returns a negated errno
 * value if it takes no more. It is no cancellation point: a thread that the program cancels is to
 * leave the runtime first. */
static long put(struct iovec *piece, int count) {
  while (count > 0) {
    long n = nth_syscall(SYS_writev, STDERR_FILENO, (long)piece, count, 0, 0);
    if (n == -EINTR)
      continue;
    if (n < 0)
      return n;
    size_t done = (size_t)n;
    for (; count > 0 && done >= piece->iov_len; count--)
      done -= piece++->iov_len;
    if (count > 0) {
      piece->iov_base = (char *)piece->iov_base + done;
      piece->iov_len -= done;
    }
  }
  return 0;
}

/* Where nobody reads stderr any more, the line is lost, and the program goes on: a write into such
 * a pipe sends SIGPIPE, which is taken here, unless the program has one pending itself. */
static void write_pieces(struct iovec *piece, int count) {
  const uint64_t broken = UINT64_C(1) << (SIGPIPE - 1);
  uint64_t old = 0, pending = 0;
  (void)nth_syscall(SYS_rt_sigprocmask, SIG_BLOCK, (long)&broken, (long)&old, sizeof old, 0);
  (void)nth_syscall(SYS_rt_sigpending, (long)&pending, sizeof pending, 0, 0, 0);
  if (put(piece, count) == -EPIPE && !(pending & broken)) {
    struct timespec none = {0, 0};
    (void)nth_syscall(SYS_rt_sigtimedwait, (long)&broken, 0, (long)&none, sizeof broken, 0);
  }
  (void)nth_syscall(SYS_rt_sigprocmask, SIG_SETMASK, (long)&old, 0, sizeof old, 0);
}

static struct iovec piece(const char *text, size_t length) {
  return (struct iovec){(void *)(uintptr_t)text, length};
}

void nth_msg_raw(const char *text) {
  struct iovec all = piece(text, strlen(text));
  write_pieces(&all, 1);
}

/* Prints prefix, text and end. A long text is cut only if there is no memory for it. */
static void say(const char *prefix, const char *format, va_list args, const char *end) {
  char line[1024], *text = line;
  int saved = errno;
  va_list again;
  va_copy(again, args);
  int n = vsnprintf(line, sizeof line, format, args);
  size_t length = n > 0 ? (size_t)n : 0;
  if (length >= sizeof line) {
    text = malloc(length + 1);
    if (text) {
      vsnprintf(text, length + 1, format, again);
    } else {
      text = line;
      length = sizeof line - 1;
    }
  }
  va_end(again);
  write_pieces(
      (struct iovec[]){piece(prefix, strlen(prefix)), piece(text, length), piece(end, strlen(end))},
      3);
  if (text != line)
    free(text);
  errno = saved;
}

void nth_msg(const char *format, ...) {
  va_list args;
  va_start(args, format);
  say("nanogomp: ", format, args, "\n");
  va_end(args);
}

void nth_msg_verbose(const char *format, ...) {
  if (!nth_verbose)
    return;
  va_list args;
  va_start(args, format);
  say("nanogomp: ", format, args, "\n");
  va_end(args);
}

void nth_msg_vlibgomp(const char *format, va_list args) { say(LIBGOMP, format, args, "\n"); }

void nth_msg_libgomp(const char *format, ...) {
  va_list args;
  va_start(args, format);
  nth_msg_vlibgomp(format, args);
  va_end(args);
}

void nth_msg_libgomp_bytes(const char *text, const char *bytes, size_t length) {
  write_pieces((struct iovec[]){piece(LIBGOMP, strlen(LIBGOMP)), piece(text, strlen(text)),
                                piece(bytes, length), piece("\n", 1)},
               4);
}

void nth_msg_vplain(const char *format, va_list args) { say("", format, args, ""); }
