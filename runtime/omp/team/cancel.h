/* cancel.h - cancellation of regions
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         OpenMP 5.2, chapter 16 (cancel, cancellation point); OMP_CANCELLATION=true.
 * parallel    cancel.region of the team. Members leave at their next cancellation point or
 *             cancellable barrier and go to the region's end. Their barrier counts differ then, and
 *             the join makes them equal again (nth_cancel_leave). Every barrier of a cancelled team
 *             is open, also those of functions called in the region. Ordered and doacross waits are
 *             over too, since the member that has the turn may have left. Tasks that have not
 *             started are discarded.
 * for, sections  cancel.share of the team, or cancelled_share of the slot in a team of one: a mark
 *             made of the barrier count of the member that cancelled. A construct that can be
 *             cancelled ends with a barrier. So members with the same count are in the same
 *             construct or before it, and the mark is void after the barrier. Members clear it
 *             there, since counts come again after 2^32 barriers. Where the region's end is that
 *             barrier, the join clears the mark.
 * taskgroup   the group's own flag.
 * Orders      C   store-release -> load-acquire: what the cancelling member wrote before
 */
#ifndef NTH_OMP_CANCEL_H
#define NTH_OMP_CANCEL_H

#include "runtime/omp/member/cancelled.h"

/* Kinds of cancelled regions; numbers of the ABI. */
enum {
  NTH_CANCEL_PARALLEL = 1,
  NTH_CANCEL_FOR = 2,
  NTH_CANCEL_SECTIONS = 4,
  NTH_CANCEL_TASKGROUP = 8
};

/* Cancels the innermost region of that kind. False: cancellation is off, or there is none. */
bool nth_cancel(struct nth_member *m, uint32_t which);

/* Whether the innermost region of that kind is cancelled. */
bool nth_cancellation_point(struct nth_member *m, uint32_t which);

/* The barrier at which a cancellable construct ends. True: the team is cancelled. */
bool nth_barrier_cancel(struct nth_member *m);

/* After the join, by the master: nothing of the region is cancelled any longer. */
void nth_cancel_leave(struct nth_team *t);

#endif
