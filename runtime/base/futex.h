/* futex.h - sleeping and waking on a word
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Private futexes by raw system call; errno is left as it was. Both calls may return for no reason
 * (signals, reuse of an address): a caller always looks at its condition again. Waking an address
 * that is no longer mapped is harmless.
 */
#ifndef NTH_BASE_FUTEX_H
#define NTH_BASE_FUTEX_H

#ifdef NTH_MODEL
#include "runtime/base/atomic.h" /* the model checker's bridge has both calls */
#else

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Sleeps while *word == value, at most timeout_ns (0: no limit). Whether that time is over. */
static inline bool nth_futex_wait(_Atomic(uint32_t) *word, uint32_t value, uint64_t timeout_ns) {
  struct timespec ts = {(time_t)(timeout_ns / 1000000000u), (long)(timeout_ns % 1000000000u)};
  int saved = errno;
  bool over = syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, timeout_ns ? &ts : 0, 0, 0) != 0 &&
              errno == ETIMEDOUT;
  errno = saved;
  return over;
}

/* Wakes up to count sleepers of word (INT_MAX: all). */
static inline void nth_futex_wake(_Atomic(uint32_t) *word, int count) {
  int saved = errno;
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, 0, 0, 0);
  errno = saved;
}
#endif /* NTH_MODEL */

#endif
