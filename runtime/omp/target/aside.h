/* aside.h - what a member is about in OpenMP, kept while its thread does something else
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A nano-thread of nanogomp/nth.h may wait inside a region, a task or a target region
 *             that it has opened. Its processor starts others meanwhile, which may do the same, and
 *             whoever can go on first does. So unlike roles (role.h) these states do not nest like
 *             calls.
 * Use         put(): the member is outside of all constructs, in its initial task; back(): as it
 *             was. In between: what others put aside is put aside still, or back and ended
 * How         The teams whose regions are open leave the member's list, so that its next team is
 *             always one that is free, and come back before that one.
 * Invariants  I1  where nothing is open m->teams == m->next_team
 * Ownership   the member's own; it lies in the frame of the call
 */
#ifndef NTH_OMP_ASIDE_H
#define NTH_OMP_ASIDE_H

#include "runtime/omp/member/member.h"

struct nth_aside {
  struct nth_member_state now;
  struct nth_league league;
  struct nth_role *role;
  struct nth_team *teams; /* those with an open region, outermost first; NULL: none */
  uint32_t left, left_before;
  struct nth_berth *berth; /* its stack, if that is one of task_berth.h's, */
  struct nth_stack own;    /* and where those go back to */
  uint32_t generation;     /* of fork() */
};

void nth_aside_put(struct nth_member *m, struct nth_aside *a);
void nth_aside_back(struct nth_member *m, const struct nth_aside *a);

#endif
