/* help.c - calls members to help with their team's tasks
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/queue/help.h"

#include "runtime/base/check.h"
#include "runtime/omp/queue/task_queue.h"
#include "runtime/omp/types/generation.h"

void nth_team_rouse_master(struct nth_team *t) {
  struct nth_djs *d = nth_load_rlx(&t->help.master_sleeps);
  if (d)
    nth_djs_rouse(d);
}

/* If slave i is docked, gives it a descriptor that makes it look for tasks. By members, and by a
 * thread outside that makes a task of the team ready: either way, something of the region is still
 * pending. */
__attribute__((noinline)) static bool recall_docked(struct nth_team *t, uint32_t i,
                                                    uint32_t given) {
  nth_assert(i > 0 && t->group.proc[i]);
  if (nth_worker_left(t->group.proc[i]) ||
      !nth_cas_acqrel(&t->crew.pjv[i], &given, given + 1)) /* team:G */
    return false;
  /* The CAS gives this thread slave i's next descriptor (wdarray I1). The arrival of this member,
   * still to come, or the end of the task that this thread finishes, publishes it to the master. */
  struct nth_wd wd = {0, 0, (uintptr_t)t | NTH_WD_HELP, i};
  nth_wdarray_put(&t->group.proc[i]->lwd, &wd);
  nth_fence_full(); /* worker:F */
  nth_worker_wake(t->group.proc[i]);
  return true;
}

/* Of a slave that has come back: calls it, or recalls it if it has left since. */
__attribute__((noinline)) static bool call_back(struct nth_team *t, uint32_t i, uint32_t given) {
  struct nth_djs *d = &t->slot[i]->djs;
  return nth_djs_call(d, given) || (nth_djs_done(d, given) && recall_docked(t, i, given));
}

static inline bool recall(struct nth_team *t, uint32_t i) {
  uint32_t given = nth_load_acq(&t->crew.pjv[i]); /* team:G */
  int is = nth_djs_look(&t->slot[i]->djs, given);
  if (nth_likely(is == NTH_DJS_RUNS))
    return false;
  return is == NTH_DJS_IS_BACK ? call_back(t, i, given) : recall_docked(t, i, given);
}

/* Wakes a sleeper of `bell`, unless the search has begun. False: there is no sleeper. */
static bool call_searcher(struct nth_team *t) {
  uint32_t none = NTH_SEARCH_NONE, called = NTH_SEARCH_CALLED;
  if (nth_load_rlx(&t->help.search) != none) {
    nth_fence_full(); /* H: the pushed task before this second look */
    if (nth_load_rlx(&t->help.search) != none)
      return true;
  }
  if (!nth_cas_acqrel(&t->help.search, &none, NTH_SEARCH_CALLED)) /* H */
    return true;
  nth_fence_full();                              /* H: against a member that leaves the bell */
  if (nth_load_rlx(&t->help.bell.sleepers) == 0) /* unless one has come since, and searches */
    return !nth_cas_acqrel(&t->help.search, &called, NTH_SEARCH_NONE); /* H */
  nth_bell_ring(&t->help.bell, 1);
  return true;
}

void nth_team_search_end(struct nth_team *t, struct nth_slot *mine) {
  mine->help.naps = 0;
  nth_store_rlx(&t->help.search, NTH_SEARCH_NONE);
  nth_fence_full(); /* H */
}

void nth_team_search_over_slow(struct nth_member *m) {
  struct nth_slot *mine = m->now.slot;
  uint32_t was = mine->help.searches;
  nth_assert(m->now.team && was != 0);
  mine->help.searches = 0;
  if (was & NTH_IDLE)
    nth_ready_idle(&m->now.team->ready, &mine->route, UINT32_MAX);
  if (was & NTH_SEARCHES)
    nth_team_search_end(m->now.team, mine);
  if (was & (NTH_SEARCHES | NTH_SEARCHED) && m->now.team_size > 1 && nth_task_queued(m->now.team))
    nth_team_call_any_help(m, m->now.team);
}

/* Wakes one sleeper. True: it will look for tasks. Not inline: in most calls nobody sleeps. */
__attribute__((noinline)) static bool wake_one(struct nth_team *t) {
  if (nth_load_rlx(&t->help.bell.sleepers) != 0 && call_searcher(t))
    return true;
  nth_bell_ring(&t->help.choosy, 1);
  nth_team_rouse_master(t);
  return false;
}

/* Whether the caller, which has queued a task, has woken a member for it. */
static inline bool wakes(struct nth_member *m, struct nth_team *t) {
  nth_assert(nth_task_caller_is(m) && t == m->now.team);
  nth_team_fence(t); /* task:F: the pushed task before the looks below and in call_slaves() */
  uint32_t sleepers = nth_load_rlx(&t->help.bell.sleepers) | nth_load_rlx(&t->help.choosy.sleepers);
  return nth_unlikely(sleepers != 0 || nth_load_rlx(&t->help.master_sleeps)) && wake_one(t);
}

/* Recalls a docked slave. Looks at that many slaves, in turn. */
__attribute__((noinline)) static void call_slaves(struct nth_member *m, struct nth_team *t,
                                                  uint32_t looks) {
  nth_assert(looks < t->size);
  for (struct nth_slot *s = m->now.slot; looks > 0; looks--) {
    s->help.ask = s->help.ask + 1 < t->size ? s->help.ask + 1 : 1;
    if (s->help.ask != m->now.thread_num && recall(t, s->help.ask))
      return;
  }
}

void nth_team_call_help(struct nth_member *m, struct nth_team *t) {
  if (wakes(m, t))
    return;
  if (nth_likely(t->size == 2)) {
    if (m->now.thread_num == 0)
      recall(t, 1);
    return;
  }
  /* In a large team, only the first task of a burst looks at all slaves; the next ones look at some
   * in turn. */
  uint32_t looks = t->size - 1;
  if (looks > NTH_HELP_LOOKS && nth_task_queue_many(&m->now.slot->queue))
    looks = NTH_HELP_LOOKS;
  call_slaves(m, t, looks);
}

void nth_team_call_any_help(struct nth_member *m, struct nth_team *t) {
  if (!wakes(m, t))
    call_slaves(m, t, t->size - 1);
}

void nth_team_recall_one(struct nth_team *t) {
  uint32_t i = 1;
  if (nth_unlikely(t->generation != nth_fork_generation))
    return; /* the process was forked in the region: its slaves are the parent's */
  while (i < t->size && !recall(t, i))
    i++;
}
