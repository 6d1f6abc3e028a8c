/* syscall.h - system calls that leave errno alone
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         errno lies in TLS. A parked thread (sched/identity.h) must not touch its TLS, which another
 *             OS thread is using; and who sleeps for the program should leave its errno as it was.
 * Use         nth_syscall(number, a, b, c, d, e): the result, or a negated errno value
 */
#ifndef NTH_BASE_SYSCALL_H
#define NTH_BASE_SYSCALL_H

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
static inline long nth_syscall(long number, long a, long b, long c, long d, long e) {
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = 0;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}
#elif defined(__aarch64__)
static inline long nth_syscall(long number, long a, long b, long c, long d, long e) {
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0") = a;
  register long x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = d;
  register long x4 __asm__("x4") = e;
  register long x5 __asm__("x5") = 0;
  __asm__ volatile("svc 0"
                   : "+r"(x0)
                   : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                   : "memory");
  return x0;
}
#else
static inline long nth_syscall(long number, long a, long b, long c, long d, long e) {
  int saved = errno;
  long result = syscall(number, a, b, c, d, e, 0);
  result = result < 0 ? -(long)errno : result;
  errno = saved;
  return result;
}
#endif

#endif
