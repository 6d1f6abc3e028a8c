/* role.h - an initial task of its own, run by a thread that may be a member of a team
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         OpenMP 5.2, sections 1.3, 10.2, 13.8. An initial thread runs a target region, and
 *             each team of a league: level 0, member 0 of 1, a contention group of its own; in a
 *             target region also the device's initial ICVs. On the host the encountering thread
 *             plays that part, wherever it stands.
 * Use         enter(); run the region; leave(). Roles nest like the calls.
 * How         A role keeps the member's state and puts a fresh one in its place. The slot is new,
 *             so that constructs inside do not meet those around. Regions inside use the member's
 *             next team (next_team), which has no open region. The thread stays on its place, and
 *             the partition is all places.
 * Invariants  I1  m->role is the innermost entered one; `outer` leads outward
 *             I2  between enter and leave, regions and tasks inside begin and end
 * Ownership   the member's own; it lies in the frame of the call. A forked child resets the states
 *             kept here like those kept in teams (forked.c).
 * Cost        clearing the slot: under 4 KiB
 */
#ifndef NTH_OMP_ROLE_H
#define NTH_OMP_ROLE_H

#include "runtime/omp/member/member.h"

/* Enters a role. icv: the ICVs with which its initial tasks start; thread_limit 0: the one in
 * icv. */
void nth_role_enter(struct nth_member *m, struct nth_role *c, const struct nth_icv *icv,
                    uint32_t thread_limit);
void nth_role_leave(struct nth_member *m, struct nth_role *c);

/* Starts the initial task again with the role's ICVs, for the next team of a league. */
void nth_role_restart(struct nth_member *m, struct nth_role *c, uint32_t thread_limit);

#endif
