/* ticks.h - the clock of all tools: the processor's counter where it is steady, else nanoseconds
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Use   ticks_choose() first. A tool defines ticks_steady, once
 * Cost  about 10 ns; clock_gettime() takes two to four times as long
 */
#ifndef NTH_OMPT_TICKS_H
#define NTH_OMPT_TICKS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

extern bool ticks_steady; /* ticks are the counter's */

static inline uint64_t ticks_ns(clockid_t which) {
  struct timespec t;
  clock_gettime(which, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static inline uint64_t ticks_now(void) {
#if defined(__x86_64__)
  if (__builtin_expect(ticks_steady, 1))
    return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  if (__builtin_expect(ticks_steady, 1)) {
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
  }
#endif
  return ticks_ns(CLOCK_MONOTONIC);
}

/* Both at once, if possible: a thread may lose its CPU between them. So the shortest of some
 * readings counts. A process that is killed in its first second has its rate from two pairs that
 * are 200 us apart: a microsecond in one of them is half a percent of all times. */
static inline void ticks_pair(uint64_t *ticks, uint64_t *ns) {
  enum { TRIES = 10, SHORT = 300 }; /* ticks of a reading that is not interrupted: 0.1 to 0.3 us */
  uint64_t least = UINT64_MAX;
  for (int i = 0; i < TRIES && least > SHORT; i++) {
    uint64_t before = ticks_now(), at = ticks_ns(CLOCK_MONOTONIC), took = ticks_now() - before;
    if (took >= least)
      continue;
    least = took;
    *ticks = before + took / 2;
    *ns = at;
  }
}

static inline void ticks_choose(void) {
#if defined(__x86_64__)
  unsigned a, b, c, d; /* advanced power management: the counter never stops nor changes its rate */
  ticks_steady = __get_cpuid(0x80000007, &a, &b, &c, &d) && d & 1u << 8;
#elif defined(__aarch64__)
  ticks_steady = true;
#endif
}

#endif
