/* trapezoid.h - trapezoid self-scheduling: chunks of a loop that shrink linearly
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Tzeng and Ni (1993): a loop's first chunk is half of an even share. Each later one is
 *             smaller by the same amount, down to a last size. So there are few chunks, and one
 *             addition to a shared counter hands out a chunk: its bounds follow from its number.
 * Use         set() once a loop, by each member for itself; start(i) for chunks 0 .. chunks - 1.
 *             Chunk i ends where the next one starts, and the last one at the loop's end.
 * How         Chunk i has first - i * d iterations, so it starts at i * first - i (i - 1) / 2 * d.
 *             All chunks together are the loop. That gives d, which need not be a whole number:
 *             it is kept as less + part / 2^32.
 * Invariants  I1  chunk i has `last` iterations or more, but for the loop's last chunk
 *             I2  start(i) < trips for each chunk. Products may wrap; the result never does, as
 *                 arithmetic is modulo 2^64
 *             I3  chunks <= 4 * NTH_TRAPEZOID_MEMBERS, so i (i - 1) / 2 < 2^32
 * Cost        start: four multiplications. A member that takes a chunk needs two starts
 * Tested by   tests/unit/loop_sizes.c
 */
#ifndef NTH_STRUCT_TRAPEZOID_H
#define NTH_STRUCT_TRAPEZOID_H

#include <stdint.h>

#include "runtime/base/check.h"

/* A larger team counts as this many members; I3. */
#define NTH_TRAPEZOID_MEMBERS 16384u

struct nth_trapezoid {
  uint64_t first, less; /* iterations of chunk 0; whole part of what a chunk has less than the one
                         * before */
  uint32_t part;        /* the rest of it, in units of 2^-32 */
  uint32_t chunks;
};

/* The first iteration of chunk i. */
static inline uint64_t nth_trapezoid_start(const struct nth_trapezoid *t, uint64_t i) {
  uint64_t sum = i * (i - 1) / 2; /* 0 for i = 0 too: the product is 0 */
  return i * t->first - (sum * t->less + (sum * t->part >> 32));
}

/* The chunks of a loop of `trips`, last > 0. */
static inline void nth_trapezoid_set(struct nth_trapezoid *t, uint64_t trips, uint32_t members,
                                     uint64_t last) {
  uint32_t n = members < NTH_TRAPEZOID_MEMBERS ? members : NTH_TRAPEZOID_MEMBERS;
  *t = (struct nth_trapezoid){0, 0, 0, 0};
  if (trips == 0)
    return;
  last = last < trips ? last : trips;
  t->first = trips / (2 * n) > last ? trips / (2 * n) : last;
  /* As many chunks of the mean size as there is room for: floor(2 * trips / (first + last)). */
  uint64_t mean2 = last > UINT64_MAX - t->first ? UINT64_MAX : t->first + last;
  uint64_t rest = trips % mean2, chunks = 2 * (trips / mean2) + (rest >= mean2 - rest ? 1 : 0);
  if (trips / t->first >= chunks) { /* first is near to last: all are equal */
    t->chunks = (uint32_t)((trips - 1) / t->first + 1);
    return;
  }
  uint64_t sum = chunks * (chunks - 1) / 2, over = chunks * t->first - trips;
  t->chunks = (uint32_t)chunks;
  t->less = over / sum;
  t->part = (uint32_t)((over % sum << 32) / sum);
  if (nth_trapezoid_start(t, chunks - 1) == trips) /* rounding has made the last one empty */
    t->chunks--;
  nth_assert(nth_trapezoid_start(t, t->chunks - 1) < trips); /* I2 */
}

#endif
