/* start_calls.c - the start and a first region call none of the C library's large functions */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a start formats no text by printf's machinery and asks no sysconf(): each is a part
// of the C library that no other step of a start maps, 64 KiB and more of memory.
// nanogomp-only: libgomp asks sysconf().
// REQUIRES: nanogomp
// Nano-threads ask for the size of signal stacks. A tool prints.
// UNSUPPORTED: tool, sanitizer, emulated
// RUN: %omp_build %s -o %t -rdynamic
// RUN: env NTH_MEMBERS=os %omp_run %t
// RUN: env NTH_MEMBERS=os OMP_NUM_THREADS=2 %omp_run %t
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

static const char *called; /* the last of these functions that was called */

#define COUNTS(result, name, parameters)                                                           \
  result name parameters;                                                                          \
  result name parameters {                                                                         \
    called = #name;                                                                                \
    return 0;                                                                                      \
  }
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wbuiltin-declaration-mismatch"
COUNTS(int, snprintf, (char *text, size_t size, const char *format, ...))
COUNTS(int, vsnprintf, (char *text, size_t size, const char *format, va_list args))
COUNTS(int, __snprintf_chk, (char *text, size_t room, int flag, size_t size, const char *f, ...))
COUNTS(int, __vsnprintf_chk,
       (char *text, size_t room, int flag, size_t size, const char *f, va_list args))
COUNTS(long, sysconf, (int name))

static void say(const char *text) {
  size_t length = 0;
  while (text[length])
    length++;
  if (write(1, text, length) < 0)
    _exit(2);
}

int main(void) {
#pragma omp parallel
  __asm__ volatile("" ::: "memory");
  if (!called)
    return 0;
  say(called);
  say(" was called\n");
  return 1;
}
