/* team_size.h - how many members a region gets, and what it owes for that at its end
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         OpenMP 5.2, section 10.1.1: the clause, the ICVs, the CPUs and the contention group's
 *             limit decide together. What a region takes for itself it gives back at its join.
 * Use         nth_team_choose() before the fork; the fork calls nth_team_owe(), the join
 *             nth_team_pay(), if anything is due
 * Ownership   nth_member.due and .priced: the member's own, from nth_team_choose() to the fork;
 *             then the team's (crew.due, crew.priced), its master's own
 * Cost        nothing due: a look at a line that the fork and the join have anyway
 */
#ifndef NTH_OMP_TEAM_SIZE_H
#define NTH_OMP_TEAM_SIZE_H

#include "runtime/omp/types/team_type.h"

/* Members for a parallel construct that is met now, whose body is `site`. clause: num_threads
 * clause; 0: none. */
uint32_t nth_team_choose(struct nth_member *m, uint32_t clause, void (*site)(void *));

/* Something is due for the region of t that m begins: t owes it. */
void nth_team_owe(struct nth_team *t, struct nth_member *m);

/* The region of t has ended: gives its threads back to the contention group, and tells its time to
 * region_price.h. */
void nth_team_pay(struct nth_team *t);

#endif
