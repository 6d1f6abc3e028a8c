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

static inline uint64_t nth_clock_ns(void) {
  struct timespec ts;
#ifdef NTH_SANITIZED
  /* the sanitizer's clock_gettime() uses TLS, which between members is another OS thread's
   * (docs/sanitizers.md) */
  (void)nth_syscall(SYS_clock_gettime, CLOCK_MONOTONIC, (long)&ts, 0, 0, 0);
#else
  if (nth_tsan_here())
    (void)nth_syscall(SYS_clock_gettime, CLOCK_MONOTONIC, (long)&ts, 0, 0, 0);
  else
    clock_gettime(CLOCK_MONOTONIC, &ts);
#endif
  return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

#endif
