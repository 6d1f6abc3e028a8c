/* forked.c - fork(): the child starts a fresh runtime
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/process/forked.h"

#include <pthread.h>
#include <string.h>

#include "runtime/arch/section.h"
#include "runtime/base/objects.h"
#include "runtime/base/os.h"
#include "runtime/mem/heap.h"
#include "runtime/mem/pool.h"
#include "runtime/omp/member/roll.h"
#include "runtime/omp/memory/noted.h"
#include "runtime/omp/memory/pinned.h"
#include "runtime/omp/process/counters.h"
#include "runtime/omp/queue/help.h"
#include "runtime/omp/race/race.h"
#include "runtime/omp/sync/lock.h"
#include "runtime/omp/tasks/task_berth.h"
#include "runtime/omp/tasks/taskgroup.h"
#include "runtime/omp/team/team.h"
#include "runtime/omp/team/team_make.h"
#include "runtime/omp/told/told.h"
#include "runtime/omp/types/taskgroup_type.h"
#include "runtime/place/domains/tree.h"
#include "runtime/place/places/allowed.h"
#include "runtime/sched/adapt/follow.h"
#include "runtime/sched/adapt/permit.h"
#include "runtime/sched/adapt/request.h"
#include "runtime/sched/hold/held.h"
#include "runtime/sched/nano/carry.h"
#include "runtime/sched/share/share.h"
#include "runtime/sched/wait/ready.h"

/* Resets another member's implicit task; its thread may have been anywhere in it. */
NTH_IN_CHILD static void forget_member(struct nth_slot *s) {
  nth_tally_clear(&s->implicit.children);
  nth_store_rlx(&s->implicit.runner, NULL);
  s->implicit.table = 0;
  s->implicit.group = 0;
  s->tasks.depends = false;
}

/* Resets a team whose other members are gone. mine: the forking thread's slot in it. */
NTH_IN_CHILD static void orphan(struct nth_team *t, const struct nth_slot *mine) {
  nth_assert(t->crew.capacity > 0 || (!mine && !t->slot));
  nth_group_forget(&t->group);
  t->master_num = 0;
  t->crew.refused_at = 0;
  memset(&t->help.bell, 0, sizeof t->help.bell);
  memset(&t->help.choosy, 0, sizeof t->help.choosy);
  nth_store_rlx(&t->help.search, NTH_SEARCH_NONE);
  nth_store_rlx(&t->help.enders, 0);
  nth_store_rlx(&t->tasked, false);
  nth_store_rlx(&t->nested, 0);
  t->crew.due = 0;
  nth_task_domains_forget(t); /* the parent runs the tasks of these queues and of those below */
  for (uint32_t i = 0; i < t->crew.capacity; i++) {
    nth_task_queue_forget(&t->slot[i]->queue);
    nth_berth_forget(t->slot[i]);
    nth_tasks_forget(t->slot[i]);
    t->slot[i]->help.searches = 0;
    nth_store_rlx(&t->crew.pjv[i], 0);
    t->slot[i]->finished = 0;
    nth_store_rlx(&t->slot[i]->djs.count, 0);
    if (t->slot[i] != mine)
      forget_member(t->slot[i]);
  }
}

/* The same of a team that has no open region, or of NULL. */
NTH_IN_CHILD static void orphan_closed(struct nth_team *t) {
  if (t)
    orphan(t, t->crew.capacity > 0 ? t->slot[0] : 0);
}

/* Unfinished tasks belong to the parent process: no taskwait, taskgroup or dependence here waits
 * for them. The memory of the tables is given up, since tasks in them may have been about to
 * end. */
NTH_IN_CHILD static void forget_tasks(struct nth_task *t) {
  for (; t; t = nth_task_parent(t)) {
    nth_tally_clear(&t->children);
    t->table = 0;
    for (struct nth_taskgroup *g = t->group; g; g = g->outer)
      nth_tally_clear(&g->count);
  }
}

/* Resets a state that the thread is in or will return to. Its work shares end at once: they were
 * divided among the parent's members. */
NTH_IN_CHILD static void leave_constructs(struct nth_member_state *s) {
  struct nth_slot *slot = s->slot;
  nth_assert(slot && s->task);
  s->team_size = 1;
  s->thread_num = 0;
  slot->loop.kind = NTH_LOOP_DONE;
  slot->loop.ordered = false;
  slot->loop.doacross = 0;
  nth_task_queue_forget(&slot->queue);
  nth_berth_forget(slot);
  if (s->team)
    nth_task_domains_forget(s->team);
  slot->route.members = 0; /* there is no other member, in its domain or elsewhere */
  slot->route.nodes = slot->route.path;
  nth_tasks_forget(slot);
  slot->help.searches = 0;
  forget_tasks(s->task);
  forget_tasks(&slot->implicit); /* it may have run another one's task in a wait */
}

NTH_IN_CHILD void nth_forked_state(struct nth_member *m) {
  nth_told_forked(m);
  leave_constructs(&m->now);
  for (const struct nth_berth *b = m->berth; b; b = b->below)
    forget_tasks(b->outer);
  if (m->now.team)
    orphan(m->now.team, m->now.slot);
  for (struct nth_role *c = m->role; c; c = c->outer) {
    leave_constructs(&c->saved);
    if (c->saved.team)
      orphan(c->saved.team, c->saved.slot);
  }
  /* Teams before next_team have an open region. The states that other teams have saved are out of
   * date. */
  for (struct nth_team *t = m->teams; t && t != m->next_team; t = t->next) {
    leave_constructs(&t->saved);
    orphan(t, t->slot[0]);
    orphan_closed(t->twin.other);
  }
}

NTH_IN_CHILD static void child(void) {
  struct nth_member *m = nth_self;
  nth_fork_generation++;
  nth_os_forked();
  nth_heap_forked();
  nth_objects_forked(true);
  nth_allowed_forked();
  nth_request_forked();
  nth_follow_forked();
  nth_permits_forked();
  nth_share_forked();
  nth_held_forked();
  nth_carry_forked(nth_identity_mine());
  nth_holder_forked(m && m->is_root, m && !m->is_root);
  nth_team_make_forked();
  nth_pinned_forked();
  nth_noted_forked();
  nth_ready_forked();
  nth_pool_forked();
  if (nth_lock_listed())
    nth_lock_forked();
  if (nth_load_rlx(&nth_lock_atomic.word) != NTH_MUTEX_FREE)
    nth_mutex_init(&nth_lock_atomic); /* another member was in an atomic construct */
  if (nth_race_on)
    nth_race_lock_forked();
  nth_task_bell_forked();
  nth_task_outside_forked();
  nth_tree_forked();
  nth_counters_forked();
  nth_roll_forked(m);
  if (!m)
    return;
  m->proc->home = 0;
  m->lent = 0;
  m->lends = false;
  nth_forked_state(m);
  for (struct nth_team *t = m->next_team; t; t = t->next) {
    orphan_closed(t);
    orphan_closed(t->twin.other);
  }
}

void nth_forked_watch(void) { pthread_atfork(nth_objects_fork, 0, child); }
