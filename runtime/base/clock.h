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

static inline uint64_t nth_clock_ns(void) {
  struct timespec ts;
  clock_gettime(CLOCK_MONOTONIC, &ts);
  return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

#endif
