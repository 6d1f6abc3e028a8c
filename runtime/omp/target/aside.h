/* aside.h - a member's OpenMP state, kept while its thread does something else
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A nano-thread of nanogomp/nth.h may wait inside a region, a task or a target region
 *             that it has opened. Its processor then starts others, which may do so too, and the
 *             one that can go on first does. So unlike roles (role.h) these states do not nest like
 *             calls.
 * Use         put(): the member is outside all constructs, in its initial task; back(): as it was.
 *             In between, the states of others are still aside, or were taken back and have ended
 * How         The teams with open regions leave the member's list, so that its next team is always
 *             a free one. They come back before that one.
 * Invariants  I1  while no region is open m->teams == m->next_team
 * Ownership   the member's own; it lies in the frame of the call
 */
#ifndef NTH_OMP_ASIDE_H
#define NTH_OMP_ASIDE_H

#include "runtime/omp/member/member.h"
#include "runtime/omp/told/told.h"

struct nth_aside {
  struct nth_member_state now;
  struct nth_league league;
  struct nth_role *role;
  struct nth_team *teams; /* the teams with an open region, outermost first; NULL: none */
  uint32_t left, left_before;
  struct nth_berth *berth; /* its berth, if it runs on one; task_berth.h */
  struct nth_stack own;    /* the stack to which its berths return */
  uint32_t generation;     /* generation of fork() */
  struct nth_told_aside told;
};

void nth_aside_put(struct nth_member *m, struct nth_aside *a);
void nth_aside_back(struct nth_member *m, const struct nth_aside *a);

#endif
