/* crew.h - which workers of a team may lose their OS threads, and who works for whom
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A program that once had large or many teams, and now has small ones, should not hold
 *             the threads of the large ones for ever. What OpenMP asks for (5.2, section 5.2) is
 *             that the members of two teams of the same size, one after the other and not nested,
 *             are the same threads; so those in outermost teams stay while the team has a place for
 *             them.
 * Use         The master enrols new workers; a worker that has been idle for long asks
 *             nth_crew_spares() (nth_holder_config.idle), and its thread ends if that says so.
 * Invariants  I1  where the wanted of the root's team says so, a worker with a number below it has
 *                 a thread
 *             I2  another one below it without a thread: team->allowed is NTH_TEAM_IDLE, so that
 *                 the next region is prepared, which gives it a thread or makes the team smaller;
 *                 or it has left since then, and the fork gives it one (nth_holder_return_surely)
 * Cost        nothing while regions run: `allowed` is compared anyway
 * Tested by   tests/model/dock, tests/lit/nested/threads_leave.c, threads_return.c,
 *             threads_refused_again.c
 */
#ifndef NTH_OMP_CREW_H
#define NTH_OMP_CREW_H

#include "runtime/omp/team/team.h"

/* team->wanted: the members of the last region of more than one, and whether they stay the same
 * threads. */
#define NTH_CREW_KEPT 1u
#define NTH_CREW_SIZE(wanted) ((wanted) >> 1)

/* By the master, before a region of n members. */
static inline void nth_crew_want(struct nth_team *t, uint32_t n, bool outermost) {
  if (n > 1) /* a serialised region between two others is no reason to let members go */
    nth_store_rlx(&t->wanted, n << 1 | (outermost ? NTH_CREW_KEPT : 0));
}

/* In team->allowed: some workers are idle and want to leave, or have left. */
#define NTH_TEAM_IDLE UINT32_MAX

/* The first n workers of the team's group may leave when they are idle. By the master, before they
 * have had work. */
void nth_crew_enrol(struct nth_team *t, uint32_t n);

/* See struct nth_holder_config. */
bool nth_crew_spares(struct nth_worker *p, uint32_t looks);
void nth_crew_lost(struct nth_group *g);
void nth_crew_move(struct nth_worker *from, struct nth_worker *to);
void nth_crew_renew(struct nth_worker *p);
void nth_crew_relinquish(struct nth_worker *p);

#endif
