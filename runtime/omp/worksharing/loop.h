/* loop.h - work-sharing loops and sections: one engine for all kinds
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         OpenMP 5.2, section 11.5. A loop over long or unsigned long long, upward or downward,
 *             is normalised to {base, step, trips} in unsigned 64-bit arithmetic: iteration i has
 *             the value base + i * step. So every entry point runs the same code.
 * Use         each member: nth_loop_begin() once, then nth_loop_next() until it returns false.
 * Kinds       static      block or cyclic; nothing is shared, except with schedule(runtime)
 *             team of one the whole loop is one chunk, but for sections
 *             dynamic     a shared counter of chunks. Programs count on the loop's order, though
 *                         gcc's default is nonmonotonic
 *             dynamic     (nonmonotonic, NTH_RANGES=on) a range for each member, which steals half
 *                         of another one when its own is empty (range.h). The last chunk is kept
 *                         out: it goes to a member that finds no other one. gcc decides lastprivate
 *                         by whether the member's own last chunk was the loop's last
 *             guided      a CAS on the next iteration. gss, the classic form, differs only in how
 *                         large a part of what is left a chunk is
 *             trapezoid   a shared counter of chunks, whose bounds have a closed form (trapezoid.h)
 *             affinity    a range of iterations for each member, which takes a part of what is left
 *                         in its own, else of what is left in the fullest one. The last chunk is
 *                         kept out as above
 *             ordered     the turn passes with each chunk, or after its last ordered region
 *             doacross    (doacross.h) the chunks are those of the nest's first dimension, in
 *                         increasing order; those of unequal size come from a table
 *             A member with short chunks claims several of a range or a counter at once (claim.h),
 *             or its share of a short loop, whose chunks are then on the counter (loop_site.h).
 *             They are one chunk to the program. Sections, doacross loops, and loops of which a
 *             tool hears keep single chunks
 * Cost        a claim from the own range: one locked operation on an owned line
 */
#ifndef NTH_OMP_LOOP_H
#define NTH_OMP_LOOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/omp/types/icv.h"
#include "runtime/omp/types/share_type.h"

struct nth_member;

enum {
  NTH_LOOP_DONE,
  NTH_LOOP_BLOCK,
  NTH_LOOP_CYCLIC,
  NTH_LOOP_SERIAL,
  NTH_LOOP_FIRST, /* a counter's first chunks, which the maker of the descriptor has claimed */
  NTH_LOOP_COUNTER,
  NTH_LOOP_RANGES,
  NTH_LOOP_TABLE,
  NTH_LOOP_GUIDED,
  NTH_LOOP_TRAPEZOID,
  NTH_LOOP_AFFINITY
};

/* start, end (exclusive), incr of a long loop. */
void nth_loop_args_long(struct nth_loop_args *a, long start, long end, long incr);
/* As above for unsigned long long; up: it counts up (incr wraps if not). */
void nth_loop_args_ull(struct nth_loop_args *a, bool up, unsigned long long start,
                       unsigned long long end, unsigned long long incr);
/* The loop, over 0..counts[0), is the first one of a doacross nest. */
void nth_loop_args_doacross(struct nth_loop_args *a, uint32_t ncounts, const uint64_t *counts);
/* The schedule for the ABI's number: NTH_SCHED_RUNTIME to NTH_SCHED_GUIDED, or
 * NTH_SCHED_RUNTIME_NONMONOTONIC. NTH_SCHED_MONOTONIC is set with the monotonic modifier.
 * a->ordered is set before. chunk 0: the schedule's default. */
void nth_loop_args_sched(struct nth_loop_args *a, uint32_t abi_sched, uint64_t chunk);
/* The caller has set its run-sched-var. The members' must be the same (OpenMP 5.2, 11.5.3). Where
 * one member sets it alone, the schedule of the first one at the loop counts for all: each loop of
 * schedule(runtime) has a descriptor, by which the others know it. After this call they compare
 * whole schedules. */
void nth_loop_args_mix(void);
/* A chunk that the program gives as a long: below 1 it is the default. */
static inline uint64_t nth_loop_chunk(long chunk) { return chunk > 0 ? (uint64_t)chunk : 0; }

/* With a tool: what it hears when a member begins a loop or sections, asks for a chunk, has it,
 * leaves the loop.
 * NULL: there is no tool. w: the start of the library. args: at the begin only. */
enum nth_loop_event { NTH_LOOP_BEGIN, NTH_LOOP_NEXT, NTH_LOOP_CHUNK, NTH_LOOP_LEAVE };
extern void (*nth_loop_told)(struct nth_member *m, enum nth_loop_event event,
                             const struct nth_loop_args *args);

void nth_loop_begin(struct nth_member *m, const struct nth_loop_args *a);

/* The member's next chunk as values [*from, *to); false: none left. */
bool nth_loop_next(struct nth_member *m, uint64_t *from, uint64_t *to);

/* The member leaves the construct. */
void nth_loop_leave(struct nth_member *m);

/* Begins or ends an ordered region of the current chunk: waits for the chunk's turn; passes it on
 * after the last region. */
void nth_ordered_begin(struct nth_member *m);
void nth_ordered_end(struct nth_member *m);
/* The chunk is finished: its turn passes, even if it had no ordered region. */
void nth_ordered_chunk_done(struct nth_member *m);

#endif
