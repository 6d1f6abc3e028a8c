/* counters.h - what the library has done so far in this process, in numbers
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * In nanogomp's libgomp.so.1 at version node NTH_1.0. The same numbers are printed at the process's
 * end with NTH_VERBOSE=2, and are PAPI's events sde:::nanogomp::NAME. docs/counters.md tells what
 * each one means.
 *
 *   struct nth_counter all[64];
 *   size_t n = nth_counters(all, 64, sizeof *all);
 *   for (size_t i = 0; i < n && i < 64; i++)
 *     printf("%s %llu\n", all[i].name, (unsigned long long)all[i].value);
 */
#ifndef NANOGOMP_COUNTERS_H
#define NANOGOMP_COUNTERS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  NTH_COUNTER_SUM = 0, /* it only grows: a difference of two readings is what happened between */
  NTH_COUNTER_MOST = 1 /* the largest number at one time */
};

/* Later versions add fields at the end, and counters in any place: go by the names, which stay. */
struct nth_counter {
  const char *name; /* lower case, for programs; */
  const char *what; /* and in words. Both live as long as the library */
  uint64_t value;
  uint32_t kind; /* NTH_COUNTER_ */
  uint32_t unused;
};

/* Fills in the first `room` counters, as structs of `bytes` bytes (sizeof(struct nth_counter) of
 * the caller's header). Returns how many counters there are; 0: `bytes` is too small to be one.
 * Any thread may call it at any time, also a signal handler. The child of a fork begins at 0. */
size_t nth_counters(struct nth_counter *counter, size_t room, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
