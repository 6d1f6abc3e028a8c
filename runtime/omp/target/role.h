/* role.h - an initial task of its own inside a thread that may be a member of a team
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         OpenMP 5.2, sections 1.3, 10.2, 13.8. A target region and each team of a league are
 *             run by an initial thread: level 0, member 0 of 1, a contention group of its own, a
 *             target region with the device's initial ICVs. On the host the encountering thread
 *             plays that part, wherever it stands.
 * Use         enter(); run the region; leave(). Roles nest like the calls.
 * How         The member's state is kept here and a fresh one put in its place. The slot is new, so
 *             that constructs inside do not meet those around. Regions inside use the member's next
 *             team (next_team), which is not in use while it is the next one.
 * Invariants  I1  m->role is the innermost entered one; `outer` leads outward
 *             I2  between enter and leave, regions and tasks inside begin and end
 * Ownership   the member's own; it lies in the frame of the call. A forked child sees to the states
 *             kept here as to those kept in teams (forked.c).
 * Cost        the slot is cleared: under a kilobyte
 */
#ifndef NTH_OMP_ROLE_H
#define NTH_OMP_ROLE_H

#include "runtime/omp/member/member.h"

/* icv: what its initial tasks start with; thread_limit 0: as there. */
void nth_role_enter(struct nth_member *m, struct nth_role *c, const struct nth_icv *icv,
                    uint32_t thread_limit);
void nth_role_leave(struct nth_member *m, struct nth_role *c);

/* The initial task starts anew with the role's ICVs: for the next team of a league. */
void nth_role_restart(struct nth_member *m, struct nth_role *c, uint32_t thread_limit);

#endif
