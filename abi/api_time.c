/* api_time.c - omp_get_wtime, omp_get_wtick
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenMP 5.2, section 18.10.
 */
#include <time.h>

#include "abi_protos.h"

#include "runtime/base/clock.h"

/* The monotonic clock in seconds; all threads read the same clock. 18.10.1. */
double omp_get_wtime(void) { return (double)nth_clock_ns() * 1e-9; }

/* Seconds between two ticks of the monotonic clock. 18.10.2. */
double omp_get_wtick(void) {
  struct timespec ts;
  clock_getres(CLOCK_MONOTONIC, &ts);
  return (double)ts.tv_sec + (double)ts.tv_nsec * 1e-9;
}
