/* cut.h - how a loop is cut into chunks: an even share, a part of what is left
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         OpenMP's loops and those of nanogomp/nth.h have the same schedules (OpenMP 5.2,
 *             section 11.5.3).
 * Cost        a division each
 * Tested by   tests/unit/loop_sizes.c
 */
#ifndef NTH_STRUCT_CUT_H
#define NTH_STRUCT_CUT_H

#include <stdbool.h>
#include <stdint.h>

/* Even share i of n; the first shares have one iteration more. May be empty. */
static inline void nth_cut_block(uint64_t trips, uint32_t i, uint32_t n, uint64_t *begin,
                                 uint64_t *end) {
  uint64_t size = trips / n, more = trips % n;
  *begin = size * i + (i < more ? i : more);
  *end = *begin + size + (i < more ? 1 : 0);
}

/* A guided chunk is 1 / parts of what is left: half of an even share. So a member that is late or
 * slow with its first chunk does not hold half of the loop (section 11.5.3 leaves the proportion
 * open). With gss, the classic form, it is an even share. */
static inline uint32_t nth_cut_parts(bool gss, uint32_t members) {
  return gss ? members : 2 * members;
}

/* Iterations in the next chunk if `left` > 0 are left: 1 / parts of them, `least` at least. */
static inline uint64_t nth_cut_guided(uint64_t left, uint32_t parts, uint64_t least) {
  uint64_t size = (left - 1) / parts + 1;
  return size >= least ? size : least < left ? least : left;
}

#endif
