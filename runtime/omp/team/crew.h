/* crew.h - the workers of a team whose OS threads may end, and the masters that they work for
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A program that once had large or many teams and now has small ones should not hold
 *             their threads for ever. OpenMP (5.2, section 5.2) asks only that two teams of one
 *             size, one after the other and not nested, have the same threads as members. So
 *             threads of an outermost team stay while the team has a place for them.
 * Use         The master enrols new workers. A worker that has been idle for long asks
 *             nth_crew_spares() (nth_holder_config.idle), and its thread ends if the answer is
 *             true.
 * Invariants  I1  if the root's crew.wanted has NTH_CREW_KEPT, each worker with a number below its
 *                 size has a thread
 *             I2  if it has not, a worker below that size may be without a thread. Then
 *                 crew.allowed is NTH_TEAM_IDLE, so that the next region is prepared, which gives
 *                 the worker a thread or makes the team smaller. Or the worker has left since then,
 *                 and the fork gives it a thread (nth_holder_return_surely)
 * Cost        nothing while regions run: `allowed` is compared anyway
 * Tested by   tests/model/dock, tests/lit/nested/threads_leave.c, threads_return.c,
 *             threads_refused_again.c
 */
#ifndef NTH_OMP_CREW_H
#define NTH_OMP_CREW_H

#include "runtime/omp/team/team.h"

/* The parts of crew.wanted. */
#define NTH_CREW_KEPT 1u   /* the members stay the same threads */
#define NTH_CREW_MASTER 2u /* the master counts here: it is no slave, and runs no created thread */
#define NTH_CREW_LENT 4u   /* the slaves are processors of nth.h now */
#define NTH_CREW_SIZE(wanted) ((wanted) >> 3) /* members of the last region of more than one */

/* Notes a region of n members. By the master, m, before the region. */
static inline void nth_crew_want(const struct nth_member *m, struct nth_team *t, uint32_t n) {
  uint32_t kept = m->now.level == 0 ? NTH_CREW_KEPT : 0,
           master = m->now.active_level == 0 && !m->proc->created ? NTH_CREW_MASTER : 0;
  if (n > 1) /* a region of one between two others is no reason to let workers go */
    nth_store_rlx(&t->crew.wanted, n << 3 | kept | master);
}

/* The team's slaves are processors of nth.h until the master takes them back. */
static inline void nth_crew_lend(struct nth_team *t) {
  nth_store_rlx(&t->crew.wanted, nth_load_rlx(&t->crew.wanted) | NTH_CREW_LENT);
}

/* Whether the team's workers wait docked for its next region. A hint, for any thread. */
static inline bool nth_crew_rests(const struct nth_team *t) {
  return nth_load_rlx(&t->regions) % 2 == 0 && !(nth_load_rlx(&t->crew.wanted) & NTH_CREW_LENT);
}

/* How many members the open region of t has beside those of other counts; 0: none is open. A hint,
 * for any thread. */
static inline uint32_t nth_crew_at_work(struct nth_team *t) {
  if (nth_load_rlx(&t->regions) % 2 == 0)
    return 0;
  uint32_t wanted = nth_load_rlx(&t->crew.wanted), size = NTH_CREW_SIZE(wanted);
  return wanted & NTH_CREW_MASTER || size == 0 ? size : size - 1;
}

/* A value of crew.allowed: some workers are idle and want to leave, or have left. */
#define NTH_TEAM_IDLE UINT32_MAX

/* Lets the first n workers of the team's group leave when they are idle. By the master, before they
 * have had work. */
void nth_crew_enrol(struct nth_team *t, uint32_t n);

/* Hooks of struct nth_holder_config, told there. */
bool nth_crew_spares(struct nth_worker *p, uint32_t looks);
void nth_crew_lost(struct nth_group *g);
void nth_crew_move(struct nth_worker *from, struct nth_worker *to);
void nth_crew_carried(struct nth_worker *p);
void nth_crew_renew(struct nth_worker *p);
void nth_crew_relinquish(struct nth_worker *p);

#endif
