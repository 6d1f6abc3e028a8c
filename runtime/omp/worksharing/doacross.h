/* doacross.h - cross-iteration dependences of a loop nest: ordered(n)
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         OpenMP 5.2, section 15.9.6. In a nest of n loops, the first of which is shared among
 *             the members, an iteration posts when it has passed its source, and another waits for
 *             iterations that come before it in the nest's sequential order.
 * How         Chunks go to members in increasing order, and a member runs its chunk in sequential
 *             order. So a chunk is one unit with one line (progress.h) that says up to where its
 *             member has posted: the position in the whole nest, as a number of mixed radix (v0 *
 *             c1 + v1) * c2 ... A wait for an iteration of the member's own chunk is over at once.
 *             Else the unit follows from the iteration: nearly always the one before the own; by a
 *             division when it lies further back; guided and block chunks, which differ in size,
 *             are in a table of bounds. When the chunk is finished its last iteration counts as
 *             posted, so nobody waits for ever for an iteration that has no source.
 * Units       There may be any number of chunks, so the units' lines are a ring. A member that
 *             takes chunk u waits until chunk u - ring is finished: with 16 lines a member that is
 *             rare, and it cannot block for ever, since the earliest unfinished chunk waits for
 *             nothing.
 * Vectors     Should the number of iterations of the nest exceed 64 bits, a position is a vector:
 *             v0 + 1 in the progress word, the others behind it. Its writer stores the last word
 *             first, a reader loads the first word first: an equal word leads on to the words
 *             written with it or later ones (V), and those of later positions say no sooner than
 *             they may.
 * Invariants  I1  the header is written before the descriptor is seen (workshare:A) and read-only
 *                 then
 *             I2  a unit's line is written by the member that has the chunk, after it has seen the
 *                 end of the chunk that used the line before (progress:A), and not once it has
 *                 itself posted the end; so the position only grows
 * Orders      V   words behind the first: store-release -> load-acquire, one by one
 *             the rest is progress.h's
 * Cost        post: a multiplication a dimension, one store to the member's own line; wait: one
 *             load of the line of the unit waited for. A team of one: nothing
 * Tested by   tests/lit/worksharing/doacross*.c, tests/model/progress
 */
#ifndef NTH_OMP_DOACROSS_H
#define NTH_OMP_DOACROSS_H

#include <stdarg.h>

#include "runtime/struct/progress.h"

struct nth_loop_args;
struct nth_member;
struct nth_loop;

struct nth_doacross_unit {
  struct nth_progress progress;
  _Atomic(uint64_t) more[]; /* a vector's words after the first; w: who has the chunk; V */
};

/* One block of memory: this, counts, bounds, units. */
struct nth_doacross {
  size_t capacity;  /* bytes of the block */
  uint32_t ncounts; /* dimensions */
  bool packed;      /* a position is one word */
  uint64_t *counts; /* iterations of each dimension */
  uint64_t inner;   /* packed: product of counts[1..] */
  uint64_t chunk;   /* iterations of the first dimension in a unit, when bounds == NULL */
  uint64_t *bounds; /* NULL, or [units + 1]: where each unit begins */
  uint64_t units;   /* chunks in all */
  uint64_t ring;    /* lines: a power of two */
  size_t stride;    /* bytes from line to line */
  char *lines;
};

/* Makes *at (NULL, or what an earlier loop left there) ready for the loop `a` in a team of
 * `members`. */
void nth_doacross_prepare(struct nth_doacross **at, const struct nth_loop_args *a,
                          uint32_t members);

/* The member has taken, has finished the chunk that l->begin and l->end say. */
void nth_doacross_chunk_begin(struct nth_member *m, struct nth_loop *l);
void nth_doacross_chunk_done(struct nth_loop *l);

/* This iteration, [ncounts] numbers from 0, has passed its source. */
void nth_doacross_post(struct nth_member *m, const uint64_t *iteration);
/* Returns when the iteration (first, then ncounts - 1 more) has. */
void nth_doacross_wait(struct nth_member *m, uint64_t first, va_list *rest);

#endif
