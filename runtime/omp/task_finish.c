/* task_finish.c - counts of tasks: made, finished, waited for
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/task_finish.h"

#include "runtime/omp/depend.h"
#include "runtime/omp/forked.h"
#include "runtime/omp/task_memory.h"

struct nth_bell *nth_task_bell(struct nth_team *team) {
  static struct nth_bell outside;
  return team ? &team->choosy : &outside;
}

bool nth_tasks_left(const struct nth_team *team, const struct nth_slot *solo) {
  uint32_t n = team ? team->size : 1, left = 0;
  for (uint32_t i = 0; i < n; i++) {
    const struct nth_slot *s = team ? team->slot[i] : solo;
    left -= nth_load_acq(&s->tasks_done) + nth_load_acq(&s->tasks_done_outside); /* task:A */
  }
  for (uint32_t i = 0; i < n; i++)
    left += nth_load_acq(&(team ? team->slot[i] : solo)->tasks_made); /* task:A */
  return left != 0;
}

void nth_tasks_begin_again(struct nth_team *team) {
  for (uint32_t i = 0; i < team->size; i++) {
    struct nth_slot *s = team->slot[i];
    nth_store_rlx(&s->tasks_made, 0);
    nth_store_rlx(&s->tasks_done, 0);
    nth_store_rlx(&s->tasks_done_outside, 0);
    s->tasks_seen = 0;
  }
  nth_store_rlx(&team->tasked, false);
}

/* n less in a tally of the caller's own, or of another's. */
static inline enum nth_tally_news count_down(struct nth_tally *tally, bool own, uint32_t n) {
  if (nth_likely(own)) {
    nth_tally_sub_own(tally, n);
    return NTH_TALLY_NOTHING;
  }
  return nth_tally_sub(tally, n); /* task:A */
}

/* n of parent's children that were made in that group have finished. own: the parent is m's. */
static inline void count_children(struct nth_member *m, struct nth_team *team, struct nth_task *parent,
                                  struct nth_taskgroup *group, bool own, uint32_t n) {
  bool wake = false;
  if (group)
    wake = count_down(&group->count, group->owner == m, n) == NTH_TALLY_WAKE;
  switch (count_down(&parent->children, own, n)) {
  case NTH_TALLY_WAKE:
    wake = true;
    break;
  case NTH_TALLY_ZERO:
    nth_task_unref(parent);
    break;
  case NTH_TALLY_NOTHING:
    break;
  }
  if (nth_unlikely(wake))
    nth_bell_ring(nth_task_bell(team), INT_MAX); /* tally:B: the sleeper is in it */
}

/* Whether a child's end can be counted later: this member runs another one next, so that neither count
 * can come to 0 meanwhile. */
static inline bool count_later(struct nth_chain *c, struct nth_task *parent,
                               struct nth_taskgroup *group) {
  if (!c->next || c->next->made_in != group || c->owed == NTH_OWED_MOST)
    return false;
  c->parent = parent;
  c->group = group;
  c->owed++;
  return true;
}

void nth_task_pay_owed_slow(struct nth_member *m, struct nth_chain *c) {
  count_children(m, m->now.team, c->parent, c->group, false, c->owed);
  c->owed = 0;
}

/* t has finished, of whose memory nothing is read any more: counts it as done. home: its maker's slot. */
static void count_done(struct nth_member *m, struct nth_team *team, struct nth_slot *home) {
  struct nth_bell *bell = team ? &team->bell : nth_task_bell(0);
  if (nth_likely(m && m->now.team == team && (team || m->now.slot == home))) {
    _Atomic(uint32_t) *done = &m->now.slot->tasks_done;
    nth_store_rel(done, nth_load_rlx(done) + 1); /* task:A */
    nth_fence_light(); /* task:F */
    if (nth_likely(nth_load_rlx(&bell->sleepers) == 0))
      return;
    nth_fence_full(); /* task:F: two last ones, one of them sees both */
    if (team && nth_tasks_left(team, 0))
      return;
  } else {
    nth_add_rel(&home->tasks_done_outside, 1); /* task:A */
    nth_fence_full(); /* task:F */
    /* From here on the region may end, and the team be another one: no look at its members. */
  }
  nth_bell_ring(bell, INT_MAX);
}

void nth_task_finish(struct nth_task *t) {
  struct nth_member *m = nth_member_known();
  struct nth_team *team = t->team;
  struct nth_slot *home = t->home;
  struct nth_task *parent = nth_task_parent(t);
  struct nth_taskgroup *group = t->made_in;
  struct nth_chain *c = m ? m->chain : 0;
  bool own = m && nth_load_rlx(&parent->runner) == m;
  if (nth_unlikely(t->depend != 0))
    nth_depend_release(t->depend, own);
  if (nth_likely(nth_load_acq(&t->refs) == 1)) { /* task:R: nobody adds any more */
    nth_task_release(t);
  } else {
    nth_task_live_on(t); /* its parent is still there, as t has not been counted */
  }
  if (nth_likely(own || !c)) {
    count_children(m, team, parent, group, own, 1);
  } else if (!count_later(c, parent, group)) {
    count_children(m, team, parent, group, own, c->owed + 1);
    c->owed = 0;
  }
  count_done(m, team, home);
}

void nth_task_part_ends(struct nth_task *t, uint32_t part) {
  bool undeferred = t->flags & NTH_TASK_UNDEFERRED;
  struct nth_team *team = t->team;
  if (nth_sub_acqrel(&t->unfinished, part) != part) /* task:E */
    return;
  if (!undeferred) {
    nth_task_finish(t);
    return;
  }
  nth_fence_full(); /* bell:F */
  nth_bell_ring(nth_task_bell(team), INT_MAX);
}

bool nth_task_fulfill(struct nth_task *t) {
  if (nth_unlikely(t->generation != nth_fork_generation))
    return true; /* made before a fork: the task is the parent process's */
  if (!(nth_load_rlx(&t->unfinished) & NTH_PART_EVENT))
    return false;
  nth_task_part_ends(t, NTH_PART_EVENT);
  nth_task_unref(t);
  return true;
}
