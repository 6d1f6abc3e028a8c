/* futex.h - sleeping on a word of memory, and waking its sleepers
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Private futexes by raw system call; errno is left as it was. A sleep may end for no reason
 * (signals, reuse of an address), so a caller always looks at its condition again. Waking an
 * address that is no longer mapped is harmless.
 *
 * A member's waits sleep by nth_sleep() and wake by nth_rouse() (base/sleep.h). These functions are
 * for OS threads: for the runtime's own locks, and for the layers below members.
 */
#ifndef NTH_BASE_FUTEX_H
#define NTH_BASE_FUTEX_H

#include <stdint.h>

/* One of several words to sleep on: the kernel's structure, which older headers lack. */
struct nth_futex_one {
  uint64_t value, word; /* 32 bits; an address */
  uint32_t flags, reserved;
};
enum { NTH_FUTEX_ANY_MOST = 128, NTH_FUTEX_ANY_FLAGS = 0x82 /* 32 bits, private */ };

#ifdef NTH_MODEL
#include "runtime/base/atomic.h" /* the model checker's bridge has the calls */
#else

#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

#include "runtime/base/check.h"
#include "runtime/base/clock.h"
#include "runtime/base/syscall.h"

#ifndef SYS_futex_waitv
#define SYS_futex_waitv 449
#endif

/* Sleeps while *word == value, at most timeout_ns (0: no limit). True: that time is over. */
static inline bool nth_futex_wait(_Atomic(uint32_t) *word, uint32_t value, uint64_t timeout_ns) {
  struct timespec ts = {(time_t)(timeout_ns / 1000000000u), (long)(timeout_ns % 1000000000u)};
  return nth_syscall(SYS_futex, (long)word, FUTEX_WAIT_PRIVATE, (long)value,
                     timeout_ns ? (long)&ts : 0, 0) == -ETIMEDOUT;
}

/* Wakes at most `count` sleepers of word (INT_MAX: all). */
static inline void nth_futex_wake(_Atomic(uint32_t) *word, int count) {
  nth_syscall(SYS_futex, (long)word, FUTEX_WAKE_PRIVATE, count, 0, 0);
}

/* A time of nth_clock_ns() as one of the kernel's clock. */
static inline uint64_t nth_futex_until(uint64_t until) {
  uint64_t kernel = nth_clock_kernel_ns(), now = nth_clock_ns();
  return kernel == 0 ? until : kernel + (until > now ? until - now : 0);
}

/* Sleeps while all n words have their values, at most until a time of nth_clock_ns() (0: no
 * limit). */
static inline long nth_futex_wait_any(const struct nth_futex_one *all, uint32_t n, uint64_t until) {
  nth_assert(n > 0 && n <= NTH_FUTEX_ANY_MOST);
  until = until ? nth_futex_until(until) : 0;
  struct timespec ts = {(time_t)(until / 1000000000u), (long)(until % 1000000000u)};
  return nth_syscall(SYS_futex_waitv, (long)all, n, 0, until ? (long)&ts : 0, CLOCK_MONOTONIC);
}

/* Whether this kernel has the call of nth_futex_wait_any(). */
static inline bool nth_futex_has_any(void) {
  return nth_syscall(SYS_futex_waitv, 0, 0, 0, 0, 0) == -EINVAL;
}
#endif /* NTH_MODEL */

#endif
