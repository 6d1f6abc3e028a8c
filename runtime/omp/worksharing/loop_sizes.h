/* loop_sizes.h - loops whose chunks differ in size: which engine, guided, trapezoid, affinity
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Apart from loop.c, so that loops with chunks of one size pay nothing for these.
 * Use         loop.c, when a loop begins and for each chunk
 * Affinity    Markatos and LeBlanc (1992). Each member owns a contiguous block of iterations. It
 *             takes 1 / parts of what it has left. A member that has none takes an even share of
 *             what the fullest range has left, from its far end, and runs that at once. So when a
 *             loop runs again, most iterations run where they ran before, where their data are.
 */
#ifndef NTH_OMP_LOOP_SIZES_H
#define NTH_OMP_LOOP_SIZES_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/omp/worksharing/loop.h"

/* The kind of a loop that is neither static nor dynamic, in a team of several. */
static inline uint8_t nth_loop_sizes_kind(const struct nth_loop_args *a) {
  if (a->sched == NTH_SCHED_TRAPEZOID)
    return NTH_LOOP_TRAPEZOID;
  if (a->sched == NTH_SCHED_AFFINITY) /* one iteration is nothing to share */
    return a->bounds.trips < 2 ? NTH_LOOP_BLOCK : NTH_LOOP_AFFINITY;
  return NTH_LOOP_GUIDED;
}

/* What a trapezoid or affinity loop needs besides; l->kind is known. */
void nth_loop_sizes_begin(struct nth_loop *l, const struct nth_loop_args *a, uint32_t members);

/* The member's next chunk. */
bool nth_loop_guided_next(struct nth_member *m, struct nth_loop *l);
bool nth_loop_trapezoid_next(struct nth_member *m, struct nth_loop *l);
bool nth_loop_affinity_next(struct nth_member *m, struct nth_loop *l);

/* The chunk that was kept out of the ranges, for the first member that finds no other one; in
 * loop.c. */
bool nth_loop_last_unit(struct nth_loop *l);

#endif
