/* clock.h - monotonic time in nanoseconds
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A reading costs about 25 ns through the vDSO. So the clock is never read on a hot path, and in a
 * wait once every NTH_SPIN_POLLS polls.
 */
#ifndef NTH_BASE_CLOCK_H
#define NTH_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

#include "runtime/base/syscall.h"
#include "runtime/watch/tsan.h"

static inline uint64_t nth_clock_of(const struct timespec *t) {
  return (uint64_t)t->tv_sec * 1000000000u + (uint64_t)t->tv_nsec;
}

/* The kernel's own time, by a system call; 0: a filter refuses the call. A preloaded library
 * (libfaketime) may show the program another time. */
static inline uint64_t nth_clock_kernel_ns(void) {
  struct timespec t = {0, 0};
  (void)nth_syscall(SYS_clock_gettime, CLOCK_MONOTONIC, (long)&t, 0, 0, 0);
  return nth_clock_of(&t);
}

static inline uint64_t nth_clock_ns(void) {
#ifdef NTH_SANITIZED
  /* the sanitizer's clock_gettime() uses TLS, which between members is another OS thread's
   * (docs/sanitizers.md) */
  return nth_clock_kernel_ns();
#else
  if (nth_tsan_here())
    return nth_clock_kernel_ns();
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return nth_clock_of(&t);
#endif
}

#endif
