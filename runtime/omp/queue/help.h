/* help.h - calls members to help with their team's tasks: wakes one, or recalls a docked slave
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Use         nth_team_call_help() after a task was queued; the nth_team_search_ functions in
 *             waits for tasks
 * Orders      H   search. A maker that leaves its task to a searcher: the pushed task, full fence,
 *                 search; the searcher before it sleeps: search, full fence, its last look for
 *                 tasks. A caller: search, full fence, bell.sleepers; a member that leaves the
 *                 bell: sleepers, full fence, search
 *             team:G, team:S: recalls, and a master that sleeps
 * Tested by   tests/model/search, recall, tests/unit/help.c, tests/lit/tasks
 */
#ifndef NTH_OMP_HELP_H
#define NTH_OMP_HELP_H

#include "runtime/base/check.h"
#include "runtime/omp/member/member.h"
#include "runtime/omp/queue/task_queue.h"
#include "runtime/omp/types/team_type.h"
#include "runtime/place/places/allowed.h"
#include "runtime/sched/wait/ready.h"

/* A task was made: wakes a sleeper, or recalls a docked slave of the team. */
void nth_team_call_help(struct nth_member *m, struct nth_team *t);
/* nth_team_call_any_help: nth_team_call_help for a caller that does not call again for each task;
 * looks at all slaves. */
void nth_team_call_any_help(struct nth_member *m, struct nth_team *t);
/* Wakes the master, if it sleeps. By any thread, after a full fence (team:S); the region may have
 * ended (team.h I3). */
void nth_team_rouse_master(struct nth_team *t);
/* Recalls a docked slave. By a thread outside the team, while it finishes a task of the team. */
void nth_team_recall_one(struct nth_team *t);

/* --- fences between makers and sleepers --- */

/* task:F. A member has queued or finished a task, and looks for sleepers next; another one has said
 * that it sleeps, and looks for tasks next. The fence of the first one is light, and the second one
 * pays for both with a fence in all threads. Members of a crowded team go to sleep all the time,
 * since others want their CPU, and a fence in all threads takes 4 to 10 us: there the first one has
 * a full fence, and the one that each announcement has is enough. t: NULL outside regions. */
static inline void nth_team_fence(const struct nth_team *t) {
  if (nth_unlikely(t && t->crowded))
    nth_fence_full(); /* task:F */
  else
    nth_fence_light(); /* task:F */
}

/* The caller has announced its sleep. It has a full fence between that and its look for tasks.
 * crowded: that of the region for whose tasks it looks. False: the fence in all threads was
 * refused, so the caller must not sleep without a limit. */
static inline bool nth_team_fence_sleeper(bool crowded) {
  return crowded || nth_os_fence_all(); /* task:F */
}

/* --- which member is woken for tasks --- */

/* The search. While one member that was woken for tasks looks for them, or is on its way, no other
 * member is called. The searcher has the search from the moment when it leaves the bell until it
 * gets a task, leaves the wait, or gives up. Before it gives up it looks some more times, each
 * after a short sleep: where tasks are made one by one and run by their maker, a call for each of
 * them would be most of the work. */
enum { NTH_SEARCH_NONE, NTH_SEARCH_CALLED, NTH_SEARCH_RUNS };

/* What a member's slot says of the member: it has the search; it had the search, and no task since;
 * it counts as idle. */
enum { NTH_SEARCHES = 1, NTH_SEARCHED = 2, NTH_IDLE = 4 };

static inline void nth_team_searches(struct nth_slot *mine, uint32_t what) {
  nth_assert((what & ~(uint32_t)(NTH_SEARCHES | NTH_SEARCHED)) == 0);
  mine->help.searches = (uint8_t)((mine->help.searches & NTH_IDLE) | what);
}

/* The member counts as idle: it has looked in vain for any task for a while, or is about to
 * sleep. */
static inline void nth_team_idle(const struct nth_team *t, struct nth_slot *mine) {
  if (mine->help.searches & NTH_IDLE)
    return;
  mine->help.searches |= NTH_IDLE;
  nth_ready_idle(&t->ready, &mine->route, 1);
}

/* Takes the search, if a member is called. */
static inline void nth_team_search_claim(struct nth_team *t, struct nth_slot *mine) {
  uint32_t called = NTH_SEARCH_CALLED;
  if (nth_load_rlx(&t->help.search) == called &&
      nth_cas_acqrel(&t->help.search, &called, NTH_SEARCH_RUNS)) /* H */
    nth_team_searches(mine, NTH_SEARCHES);
}

/* The member, which may have been woken for tasks, has left help.bell. */
static inline void nth_team_search_begin(struct nth_team *t, struct nth_slot *mine) {
  nth_fence_full(); /* H */
  nth_team_search_claim(t, mine);
}

/* Ends the search. The caller then says what mine->help.searches is. */
void nth_team_search_end(struct nth_team *t, struct nth_slot *mine);

/* The member waits for tasks, has entered the bell and is about to sleep. Returns for how long it
 * may sleep and keep the search, in ns. 0: it does not have the search, and looks for tasks once
 * more before it sleeps. */
static inline uint64_t nth_team_search_nap(struct nth_team *t, struct nth_slot *mine) {
  nth_assert(mine->help.naps >= 0 && mine->help.naps <= NTH_SEARCH_NAPS);
  nth_team_idle(t, mine);
  nth_team_search_claim(t, mine); /* a ring that came earlier could have reached it */
  if (nth_likely(!(mine->help.searches & NTH_SEARCHES)))
    return 0;
  if (mine->help.naps++ < NTH_SEARCH_NAPS)
    return NTH_SEARCH_NAP_NS;
  nth_team_search_end(t, mine);
  nth_team_searches(mine, NTH_SEARCHED); /* a task that it gets now may not be the last */
  return 0;
}

/* Whether m, if it is the searcher, should leave the CPUs to members that run tasks, since these
 * are enough. A member that sleeps in a taskwait runs none. Not without end: they may be waiting
 * for something. And not if it is a nano-thread: its CPU has nothing better. */
static inline bool nth_team_search_waits(const struct nth_member *m) {
  const struct nth_team *t = m->now.team;
  const struct nth_slot *mine = m->now.slot;
  return nth_unlikely(mine->help.searches & NTH_SEARCHES) && t->crowded &&
         !m->proc->waiter.serves && mine->help.naps < NTH_SEARCH_NAPS &&
         t->size > nth_load_rlx(&t->help.bell.sleepers) + nth_load_rlx(&t->help.choosy.sleepers) +
                       nth_load_rlx(&nth_allowed.cpus);
}

/* A member that waited for tasks has one, or goes on: it is no longer idle. If it was the searcher,
 * now or lately, and there are more tasks, it calls another member. */
void nth_team_search_over_slow(struct nth_member *m);
static inline void nth_team_search_over(struct nth_member *m) {
  nth_assert(nth_task_caller_is(m));
  if (nth_unlikely(m->now.slot->help.searches))
    nth_team_search_over_slow(m);
}

#endif
