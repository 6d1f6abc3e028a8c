/* workshare.h - shared descriptors of work-sharing constructs, a chain without an end
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         With nowait a member may be any number of constructs ahead of another. A fixed ring
 *             would make it wait; so each region has a chain: the first member at a construct
 *             appends a descriptor, the others follow. Constructs that need nothing shared (static
 *             loops, singles) do not appear here.
 * Use         nth_workshare_next() when a construct begins; it never waits.
 * Invariants  I1  ids grow along the chain and from region to region
 *             I2  slot->share_id: this member touches no descriptor with a smaller id any more
 *             I3  a descriptor is reused by the member that made it once all share_ids are beyond
 *                 it
 * Orders      A   append: CAS release -> follow: load-acquire of next: publishes the descriptor
 *             B   share_id: store-release -> reuse scan: load-acquire
 *             C   reductions: CAS release -> load-acquire: the bases in the room
 * Cost        first member: one CAS; others: one miss on the link, one on the descriptor
 * Tested by   tests/model/workshare, tests/lit/loops
 */
#ifndef NTH_OMP_WORKSHARE_H
#define NTH_OMP_WORKSHARE_H

#include <stddef.h>

#include "runtime/omp/types/share_type.h"

struct nth_member;
struct nth_slot;
struct nth_team;

/* What a construct wants of its descriptor; equal in all members. */
struct nth_workshare_spec {
  uint32_t units;                       /* > 0: own ranges over this many chunks */
  size_t mem;                           /* bytes of zeroed memory for the program, 0: none */
  const struct nth_loop_args *doacross; /* NULL: not a doacross loop */
};

/* The member's next descriptor: appended by it, or by another before. */
struct nth_workshare *nth_workshare_next(struct nth_member *m,
                                         const struct nth_workshare_spec *spec);

/* A member enters a region: all descriptors it made before are free. */
void nth_workshare_enter_region(struct nth_slot *s);

/* The master after the join: the next region's chain starts empty, with greater ids. */
void nth_workshare_leave_region(struct nth_team *t);

/* For a construct in a team of one: a descriptor of the member's own, good until its next. */
struct nth_workshare *nth_workshare_alone(struct nth_member *m,
                                          const struct nth_workshare_spec *spec);
/* The slot ends: frees that descriptor. */
void nth_workshare_free_alone(struct nth_slot *s);

#endif
