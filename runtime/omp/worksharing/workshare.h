/* workshare.h - shared descriptors of work-sharing constructs, a chain without an end
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         With nowait a member may be any number of constructs ahead of another. A fixed ring
 *             would make it wait, so each region has a chain. The first member at a construct
 *             appends a descriptor, and the others follow. Constructs that share nothing (loops of
 *             schedule(static), singles) have no descriptor.
 * Use         nth_workshare_next() when a construct begins; it never waits.
 * Invariants  I1  ids grow along the chain and from region to region
 *             I2  slot->share_id: this member no longer touches a descriptor with a smaller id. It
 *                 is shares.id, or that of a scope which the member is still in (nth_workshare_pin)
 *             I3  the member that made a descriptor reuses it once all share_ids are beyond its id
 *             I4  descriptors begin at multiples of NTH_APART: a link has bits for more
 * Orders      A   append: CAS release -> follow: load-acquire of next: publishes the descriptor
 *             B   share_id: store-release -> reuse scan: load-acquire
 *             C   reductions: CAS release -> load-acquire: the addresses of the copies
 * Cost        first member: one CAS; others: one miss on the link, and none on the descriptor: ids
 *             are counted, not read, and the maker's wish is in the link
 * Tested by   tests/model/workshare, tests/lit/loops
 */
#ifndef NTH_OMP_WORKSHARE_H
#define NTH_OMP_WORKSHARE_H

#include <stddef.h>

#include "runtime/omp/types/share_type.h"
#include "runtime/omp/types/team_type.h"

struct nth_member;
struct nth_slot;
struct nth_team;

/* The needs of a construct, equal in all members but for `claimed` and `on_counter`. Loops may
 * differ in their schedules and bounds. */
struct nth_workshare_spec {
  uint32_t units;                       /* > 0: ranges, one for each member, over this many
                                         * chunks */
  size_t mem;                           /* bytes of zeroed memory for the program, 0: none */
  const struct nth_loop_args *doacross; /* NULL: not a doacross loop */
  uint64_t claimed;                     /* chunks of the counter that its maker has claimed, */
  bool on_counter; /* and that maker has all chunks there, none in ranges. Before the call: whether
                    * this member would */
  const struct nth_loop_args *loop; /* NULL: another construct */
  bool differs;                     /* after the call: the maker has another schedule */
};

/* The member's next descriptor. The first member to call appends it. Sets spec->on_counter to that
 * one's wish, and spec->differs. A code in the link, which is read anyway, shows that the kinds of
 * two schedules differ, and mostly that their chunks do. A loop of schedule(runtime) shows each
 * difference after a member has set its schedule. A difference that is not seen leaves the member
 * with its own chunk in a static loop; in others it takes the maker's (loop_bounds.h). */
struct nth_workshare *nth_workshare_next(struct nth_member *m, struct nth_workshare_spec *spec);
/* The member's last descriptor stays in use until nth_workshare_unpin() of it, though the member
 * goes on to other constructs inside: that of a scope. One in another one is in use as long. */
void nth_workshare_pin(struct nth_slot *s);
void nth_workshare_unpin(struct nth_slot *s, const struct nth_workshare *w);
/* Whether another member has appended it already. False may be over at once. */
static inline bool nth_workshare_there(const struct nth_team *t, const struct nth_slot_shares *s) {
  return nth_load_rlx(&(s->last ? s->last : &t->shares.anchor)->next) != 0;
}
/* Whether this member has made it; of the one that it uses. */
static inline bool nth_workshare_is_mine(const struct nth_slot_shares *s,
                                         const struct nth_workshare *w) {
  return s->made_last == w;
}

/* A member enters a region: all descriptors that it made before are free. */
void nth_workshare_enter_region(struct nth_slot *s);

/* After the join: whether a construct of the region has appended to the chain. */
static inline bool nth_workshare_used(const struct nth_team *t) {
  return nth_load_rlx(&t->shares.anchor.next) != 0;
}
/* Then, by the master: the next region's chain starts empty, with greater ids. */
void nth_workshare_leave_region(struct nth_team *t);

/* A descriptor of the member's own, for a construct in a team of one; valid until the next call. */
struct nth_workshare *nth_workshare_alone(struct nth_member *m,
                                          const struct nth_workshare_spec *spec);
/* Frees that descriptor; the slot ends. */
void nth_workshare_free_alone(struct nth_slot *s);

#endif
