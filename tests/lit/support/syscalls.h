/* syscalls.h - for tests: takes the library's calls of syscall(), in place of the C library
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The program is linked with -rdynamic, and defines syscalls_take().
 */
#ifndef NTH_TEST_SYSCALLS_H
#define NTH_TEST_SYSCALLS_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* RTLD_NEXT */
#endif
#include <dlfcn.h>
#include <stdarg.h>
#include <sys/syscall.h>

enum { SYSCALLS_ARGS = 6 };

/* The test's answer to a call; syscalls_pass() is that of the system. */
static long syscalls_take(long number, const long a[SYSCALLS_ARGS]);

static inline long syscalls_pass(long number, const long a[SYSCALLS_ARGS]) {
  static long (*next)(long, ...);
  if (!next)
    *(void **)&next = dlsym(RTLD_NEXT, "syscall");
  return next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

long syscall(long number, ...) {
  long a[SYSCALLS_ARGS];
  va_list list;
  va_start(list, number);
  for (int i = 0; i < SYSCALLS_ARGS; i++)
    a[i] = va_arg(list, long);
  va_end(list);
  return syscalls_take(number, a);
}

#endif
