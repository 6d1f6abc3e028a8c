/* help.h - calls members to help with their team's tasks: wakes one, or recalls a docked slave
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Use         nth_team_call_help() by whoever has queued a task; the nth_team_search_ functions by
 *             whoever waits for tasks
 * Orders      H   search. A maker that leaves it to a searcher: the pushed task, full fence,
 *                 search; the searcher before it sleeps: search, full fence, its last look for
 *                 tasks. Who calls: search, full fence, bell.sleepers; who leaves the bell:
 *                 sleepers, full fence, search
 *             team:G, team:C, team:S: recalls, and a master that sleeps
 * Tested by   tests/model/search, recall, tests/lit/tasks
 */
#ifndef NTH_OMP_HELP_H
#define NTH_OMP_HELP_H

#include "runtime/omp/member/member.h"
#include "runtime/omp/types/team_type.h"
#include "runtime/place/places/allowed.h"
#include "runtime/sched/wait/ready.h"

/* A task was made: wake a sleeper, or recall a docked slave of the team. */
void nth_team_call_help(struct nth_member *m, struct nth_team *t);
/* The same for who does not call again for each task: looks at all slaves. */
void nth_team_call_any_help(struct nth_member *m, struct nth_team *t);
/* The same where only a sleeping master is wanted; by any thread, behind a full fence (team:S). */
void nth_team_rouse_master(struct nth_team *t);
/* The same for a docked slave; by a thread outside the team while it finishes a task of it. */
void nth_team_recall_one(struct nth_team *t);

/* --- who is woken for tasks --- */

/* While one member that was woken for tasks looks for them, or is on its way, nobody else is
 * called. It has the search from the moment it leaves the bell until it gets a task, leaves the
 * wait, or gives up. Before that it looks some times more, after a short sleep each: where tasks
 * are made one by one and run by their maker, to be called for each of them would be most of the
 * work. */
enum { NTH_SEARCH_NONE, NTH_SEARCH_CALLED, NTH_SEARCH_RUNS };

/* What a member's slot says of it: it has the search; it had it, and no task since; it counts as
 * idle. */
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
  if (nth_load_rlx(&t->search) == called &&
      nth_cas_acqrel(&t->search, &called, NTH_SEARCH_RUNS)) /* H */
    nth_team_searches(mine, NTH_SEARCHES);
}

/* A member that may have been woken for tasks has left t->bell. */
static inline void nth_team_search_begin(struct nth_team *t, struct nth_slot *mine) {
  nth_fence_full(); /* H */
  nth_team_search_claim(t, mine);
}

/* The search is over; what mine->searches is from now on the caller says. */
void nth_team_search_end(struct nth_team *t, struct nth_slot *mine);

/* A member that waits for tasks has entered the bell and is about to sleep. Returns how long it may
 * do so and keep the search, ns. 0: it has none, and looks for tasks once more before it sleeps. */
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

/* Whether a searcher had better leave the CPUs to members that run tasks: there are enough of
 * these. Not for ever, since they may be waiting for something. */
static inline bool nth_team_search_waits(const struct nth_team *t, const struct nth_slot *mine) {
  return nth_unlikely(mine->searches & NTH_SEARCHES) && t->crowded &&
         mine->naps < NTH_SEARCH_NAPS &&
         t->size - nth_load_rlx(&t->bell.sleepers) > nth_load_rlx(&nth_allowed.cpus);
}

/* A member of a team that waited for tasks has one, or goes on: it is idle no more. If it was the
 * searcher, lately, and there are more, another one is called. */
void nth_team_search_over_slow(struct nth_member *m);
static inline void nth_team_search_over(struct nth_member *m) {
  if (nth_unlikely(m->now.slot->searches))
    nth_team_search_over_slow(m);
}

#endif
