/* team.h - a team of members: fork, join, and what its constructs share
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         GOMP_parallel puts one work descriptor into the array of each processor of the group
 *             (LWD) or of the group (GWD) and joins through the DJS. The team object stays with its
 *             master and nesting depth (hot team), so the next region finds everything in place;
 *             regions of one member use it too.
 * Use         t = nth_team_mine(); nth_team_fork(t); fn(data); nth_team_join(t)
 * Invariants  I1  the config line is written by the master while no region of the team runs, and only
 *                 when something in it changes
 *             I2  pjv[i] = descriptors given to slave i, >= the slave's DJS count
 *             I3  a team object is never freed (late readers of its lines see valid memory)
 *             I4  all members of a region agree on slot->epoch, slot->singles at its start
 * Orders      wdarray:A publishes the config line and the slots' private parts to the slaves, djs:A the
 *             members' writes to the master
 *             G   pjv: a recaller's CAS -> the next one's load: one producer after the other. The
 *                 fork's counts come before its first descriptor, through which (wdarray:A) a slave
 *                 sees them all: none is recalled before its own descriptor is put
 *             C   recalls: a recaller's addition -> the join's look: the raised pjv. A count, since a
 *                 flag that the master clears may hide a recall that is made meanwhile. The join looks
 *                 after the slaves' arrivals and after the tasks' ends, through which recallers publish it
 *             S   master: master_sleeps, sleep bit, full fence, looks at tasked, and if it is set has a
 *                 fence made in all threads (task:F), looks for tasks; a task's maker: tasked, full
 *                 fence, when it is the region's first; pushes, light fence, reads master_sleeps, takes
 *                 the bit off
 *             H   search. A maker that leaves it to a searcher: the pushed task, full fence, search; the
 *                 searcher before it sleeps: search, full fence, its last look for tasks. Who calls: search,
 *                 full fence, bell.sleepers; who leaves the bell: sleepers, full fence, search
 * Cost        per slave: one line out (descriptor), one line back (DJS); shared lines unchanged
 * Tested by   tests/model/team, recall, search, tests/lit/parallel, tests/lit/tasks
 */
#ifndef NTH_OMP_TEAM_H
#define NTH_OMP_TEAM_H

#include "runtime/omp/member/member.h"
#include "runtime/omp/team/lay.h"
#include "runtime/omp/types/team_type.h"
#include "runtime/omp/worksharing/loop.h"
#include "runtime/omp/worksharing/workshare.h"
#include "runtime/place/allowed.h"
#include "runtime/sched/threads/holder.h"
#include "runtime/struct/bell.h"

/* Members for a parallel construct met now. clause: num_threads clause, 0: none. */
uint32_t nth_team_choose(struct nth_member *m, uint32_t clause);

/* What the members' seats hang on besides the ICVs: the master's seat and the proc_bind clause, which
 * means nothing to a thread that is not bound. */
static inline uint64_t nth_team_seating(const struct nth_member *m, uint32_t bind) {
  return m->now.seat ? m->now.seat | (uint64_t)bind << NTH_SEAT_POLICY_SHIFT : 0;
}

/* The team the caller forks next, made ready for n members. The system may give fewer: size says how
 * many. bind: the region's proc_bind clause, NTH_BIND_; 0: none. */
struct nth_team *nth_team_mine(struct nth_member *m, uint32_t n, uint32_t bind);
/* Starts a region of that team and makes the caller its member 0. fn(data) is what the others run;
 * the caller runs it itself. */
void nth_team_fork(struct nth_member *m, struct nth_team *t, void (*fn)(void *), void *data);

/* The implicit barrier and the end of the region; the caller is its encountering task again. */
void nth_team_join(struct nth_member *m, struct nth_team *t);

/* A whole parallel construct: GOMP_parallel. clause: num_threads, bind: proc_bind clause, 0: none.
 * Returns the number of members it had. */
uint32_t nth_team_parallel(void (*fn)(void *), void *data, uint32_t clause, uint32_t bind);

/* Outside any region: ends the thread's held processors. False inside one. */
bool nth_team_pause(struct nth_member *m);

/* Regions of more than one member that the process has opened so far. */
uint64_t nth_team_regions(void);

/* What a processor does with a region's descriptor (nth_holder_config.run). */
void nth_team_run(struct nth_processor *p, const struct nth_wd *wd);

/* A task was made: wake a sleeper, or recall a docked slave of the team. */
void nth_team_call_help(struct nth_member *m, struct nth_team *t);
/* The same for who does not call again for each task: looks at all slaves. */
void nth_team_call_any_help(struct nth_member *m, struct nth_team *t);
/* The same where only a sleeping master is wanted; by any thread, behind a full fence (S). */
void nth_team_rouse_master(struct nth_team *t);
/* The same for a docked slave; by a thread outside the team while it finishes a task of it. */
void nth_team_recall_one(struct nth_team *t);

/* --- who is woken for tasks --- */

/* While one member that was woken for tasks looks for them, or is on its way, nobody else is called. It has
 * the search from the moment it leaves the bell until it gets a task, leaves the wait, or gives up. Before that
 * it looks some times more, after a short sleep each: where tasks are made one by one and run by their maker,
 * to be called for each of them would be most of the work. */
enum { NTH_SEARCH_NONE, NTH_SEARCH_CALLED, NTH_SEARCH_RUNS };

/* What a member's slot says of it: it has the search; it had it, and no task since; it counts as idle. */
enum { NTH_SEARCHES = 1, NTH_SEARCHED = 2, NTH_IDLE = 4 };

static inline void nth_team_searches(struct nth_slot *mine, uint32_t what) {
  mine->searches = (uint8_t)((mine->searches & NTH_IDLE) | what);
}

/* A member has looked for any task in vain for a while, or is about to sleep. */
static inline void nth_team_idle(const struct nth_team *t, struct nth_slot *mine) {
  if (mine->searches & NTH_IDLE)
    return;
  mine->searches |= NTH_IDLE;
  nth_ready_idle(&t->ready, &mine->route, 1);
}

/* If somebody is called, this member is. */
static inline void nth_team_search_claim(struct nth_team *t, struct nth_slot *mine) {
  uint32_t called = NTH_SEARCH_CALLED;
  if (nth_load_rlx(&t->search) == called && nth_cas_acqrel(&t->search, &called, NTH_SEARCH_RUNS)) /* H */
    nth_team_searches(mine, NTH_SEARCHES);
}

/* A member that may have been woken for tasks has left t->bell. */
static inline void nth_team_search_begin(struct nth_team *t, struct nth_slot *mine) {
  nth_fence_full(); /* H */
  nth_team_search_claim(t, mine);
}

/* The search is over; what mine->searches is from now on the caller says. */
void nth_team_search_end(struct nth_team *t, struct nth_slot *mine);

/* A member that waits for tasks has entered the bell and is about to sleep. Returns how long it may do so and
 * keep the search, ns. 0: it has none, and looks for tasks once more before it sleeps. */
static inline uint64_t nth_team_search_nap(struct nth_team *t, struct nth_slot *mine) {
  nth_team_idle(t, mine);
  nth_team_search_claim(t, mine); /* a ring that came before it could hear it */
  if (nth_likely(!(mine->searches & NTH_SEARCHES)))
    return 0;
  if (mine->naps++ < NTH_SEARCH_NAPS)
    return NTH_SEARCH_NAP_NS;
  nth_team_search_end(t, mine);
  nth_team_searches(mine, NTH_SEARCHED); /* what it gets yet may not be all */
  return 0;
}

/* Whether a searcher had better leave the CPUs to members that run tasks: there are enough of these. Not for
 * ever, since they may be waiting for something. */
static inline bool nth_team_search_waits(const struct nth_team *t, const struct nth_slot *mine) {
  return nth_unlikely(mine->searches & NTH_SEARCHES) && t->crowded && mine->naps < NTH_SEARCH_NAPS &&
         t->size - nth_load_rlx(&t->bell.sleepers) > nth_load_rlx(&nth_allowed.cpus);
}

/* A member of a team that waited for tasks has one, or goes on: it is idle no more. If it was the searcher,
 * lately, and there are more, another one is called. */
void nth_team_search_over_slow(struct nth_member *m);
static inline void nth_team_search_over(struct nth_member *m) {
  if (nth_unlikely(m->now.slot->searches))
    nth_team_search_over_slow(m);
}

#endif
