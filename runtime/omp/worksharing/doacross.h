/* doacross.h - cross-iteration dependences of a loop nest: ordered(n)
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         OpenMP 5.2, section 15.9.6. The members share the first of n nested loops. An
 *             iteration posts when it has passed its source, and another one waits for iterations
 *             that come before it in the nest's sequential order.
 * How         Chunks go to members in increasing order, and a member runs its chunk in sequential
 *             order. So a chunk is one unit with one line (progress.h), which says how far its
 *             member has posted. That position in the whole nest is a number of mixed radix: (v0 *
 *             c1 + v1) * c2 ... A wait for an iteration of the member's own chunk is over at once.
 *             Otherwise the iteration gives the unit: nearly always the one before the own unit; a
 *             division gives one that lies further back. Guided and block chunks differ in size, so
 *             a table has their bounds. The last iteration of a finished chunk counts as posted. So
 *             no member waits for ever for an iteration without a source.
 * Units       There may be any number of chunks, so the lines of the units are a ring. A member
 *             that takes chunk u waits until chunk u - ring is finished. With 16 lines for each
 *             member that is rare. It cannot block for ever, since the earliest unfinished chunk
 *             waits for nothing.
 * Vectors     If the nest has more than 2^64 iterations, a position is a vector: v0 + 1 in the
 *             progress word, the other words after it. The writer stores the last word first, and a
 *             reader loads the first word first. An equal word leads on to words that were written
 *             with it or later (V). Words of later positions end a wait no sooner than they may.
 * Invariants  I1  the header is written before the descriptor is seen (workshare:A), and then only
 *                 read
 *             I2  the member that has the chunk writes the unit's line. It begins after it has seen
 *                 the end of the chunk that had the line before (progress:A), and stops once it has
 *                 posted the end itself. So the position only grows
 * Orders      V   words after the first: store-release -> load-acquire, one by one
 *             the rest is progress.h's
 * Cost        post: one multiplication for each dimension, one store to the member's own line;
 *             wait: one load of the line of the unit that is waited for. A team of one: nothing
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
  _Atomic(uint64_t) more[]; /* a vector's words after the first; w: the member that has the
                             * chunk; V */
};

/* One block of memory: this header, counts, bounds, lines. */
struct nth_doacross {
  size_t capacity;  /* bytes of the block */
  uint32_t ncounts; /* dimensions */
  bool packed;      /* a position is one word */
  uint64_t *counts; /* iterations of each dimension */
  uint64_t inner;   /* packed: product of counts[1..] */
  uint64_t chunk;   /* iterations of the first dimension in a unit, when bounds == NULL */
  uint64_t *bounds; /* [units + 1]: where each unit begins; NULL: all have `chunk` iterations */
  uint64_t units;   /* all units of the loop */
  uint64_t ring;    /* lines in the ring: a power of two */
  size_t stride;    /* bytes from one line to the next */
  char *lines;
};

/* Makes *at ready for the loop `a` in a team of `members`. *at: NULL, or the block of an earlier
 * loop. */
void nth_doacross_prepare(struct nth_doacross **at, const struct nth_loop_args *a,
                          uint32_t members);

/* The member's next chunk, of a loop whose chunks come from a table. */
bool nth_doacross_next(struct nth_loop *l);

/* begin: the member has taken the chunk from l->begin to l->end; done: it has finished it. */
void nth_doacross_chunk_begin(struct nth_member *m, struct nth_loop *l);
void nth_doacross_chunk_done(struct nth_loop *l);

/* Posts an iteration, [ncounts] numbers from 0, that has passed its source. */
void nth_doacross_post(struct nth_member *m, const uint64_t *iteration);
/* Waits until the iteration (first, then ncounts - 1 more numbers) is posted. */
void nth_doacross_wait(struct nth_member *m, uint64_t first, va_list *rest);

#endif
