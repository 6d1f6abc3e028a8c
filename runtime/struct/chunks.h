/* chunks.h - a loop that is cut into chunks, by any schedule, for those who come and go
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         The schedules of the papers and of OpenMP, as one object that hands out chunks: for
 *             loops without a team. OpenMP's own engine (omp/worksharing/loop.h) keeps each
 *             member's position in its slot, and knows order, lastprivate and cancellation besides.
 * Use         set(), before others see it; then take(owner) by any number of threads, of which one
 *             at a time is owner i, until all have returned false. An owner may stop, and another
 *             thread go on as that owner later, ordered by the caller
 * Kinds       BLOCK       an even share for each owner, one chunk
 *             CYCLIC      chunks go around the owners. Nobody takes another owner's
 *             DYNAMIC     each owner has a range of chunks of its own; when it is empty the owner
 *                         takes half of another's
 *             GUIDED      1 / parts of what is left, `chunk` iterations at least
 *             TRAPEZOID   chunks that shrink linearly, to `chunk` iterations
 *             AFFINITY    each owner takes 1 / parts of what is left in its even share, then
 *                         1 / owners of what is left in the fullest
 * Invariants  I1  each iteration is in exactly one chunk
 *             I2  all fields but next and the ranges never change after set()
 * Orders      none of its own: a chunk is numbers, and one atomic operation claims it (range.h)
 * Cost        one locked operation a chunk: on the owner's line, or for GUIDED and TRAPEZOID on a
 *             shared one
 * Tested by   tests/unit/chunks.c, tests/model/range
 */
#ifndef NTH_STRUCT_CHUNKS_H
#define NTH_STRUCT_CHUNKS_H

#include <stddef.h>

#include "runtime/struct/range.h"
#include "runtime/struct/trapezoid.h"

enum nth_chunks_kind {
  NTH_CHUNKS_BLOCK,
  NTH_CHUNKS_CYCLIC,
  NTH_CHUNKS_DYNAMIC,
  NTH_CHUNKS_GUIDED,
  NTH_CHUNKS_TRAPEZOID,
  NTH_CHUNKS_AFFINITY
};

struct nth_chunks {
  enum nth_chunks_kind kind;
  uint32_t owners, parts;
  uint64_t trips; /* iterations */
  uint64_t chunk; /* iterations of a chunk, or of the smallest; AFFINITY: of a unit */
  struct nth_trapezoid trapezoid;
  _Alignas(NTH_APART) _Atomic(uint64_t) next; /* GUIDED: iteration; TRAPEZOID: chunk; w, r: all */
  struct nth_range range[];                   /* [owners] */
};

/* Bytes of a loop for so many owners. */
static inline size_t nth_chunks_size(uint32_t owners) {
  return sizeof(struct nth_chunks) + owners * sizeof(struct nth_range);
}

/* kind, trips, owners > 0, chunk and parts are in *c. chunk 0: 1. Makes chunks longer where a loop
 * has more of them than a range can count. */
void nth_chunks_set(struct nth_chunks *c);

/* The next chunk, iterations *begin .. *end - 1; false: there is none for this owner. */
bool nth_chunks_take(struct nth_chunks *c, uint32_t owner, uint64_t *begin, uint64_t *end);

#endif
