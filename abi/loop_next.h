/* loop_next.h - a member's next chunk of a loop, in the program's type
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_ABI_LOOP_NEXT_H
#define NTH_ABI_LOOP_NEXT_H

#include "runtime/omp/member/member.h"
#include "runtime/omp/worksharing/loop.h"

/* The next chunk is [*start, *end); false: none is left. */
static inline bool nth_abi_next(long *start, long *end) {
  uint64_t from, to;
  if (!nth_loop_next(nth_self, &from, &to))
    return false;
  *start = (long)from;
  *end = (long)to;
  return true;
}

static inline bool nth_abi_next_ull(unsigned long long *start, unsigned long long *end) {
  uint64_t from, to;
  if (!nth_loop_next(nth_self, &from, &to))
    return false;
  *start = from;
  *end = to;
  return true;
}

/* The first chunk; start NULL: the construct is only set up. */
static inline bool nth_abi_first(long *start, long *end) {
  return !start || nth_abi_next(start, end);
}

static inline bool nth_abi_first_ull(unsigned long long *start, unsigned long long *end) {
  return !start || nth_abi_next_ull(start, end);
}

#endif
