/* forked.c - fork(): the child starts a fresh runtime
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/forked.h"

#include <pthread.h>
#include <string.h>

#include "runtime/mem/pool.h"
#include "runtime/omp/context.h"
#include "runtime/omp/pinned.h"
#include "runtime/omp/team.h"
#include "runtime/omp/team_make.h"

uint32_t nth_fork_generation;

/* A team whose other members are not here any more. */
static void orphan(struct nth_team *t) {
  t->group.size = 0;
  t->group.gwd = 0;
  t->refused_at = 0;
  memset(&t->bell, 0, sizeof t->bell);
  memset(&t->choosy, 0, sizeof t->choosy);
  nth_store_rlx(&t->pending, 0);
  nth_store_rlx(&t->nested, 0);
  t->taken = 0;
  for (uint32_t i = 0; i < t->capacity; i++) {
    struct nth_task_queue *q = &t->slot[i]->queue;
    memset(q, 0, sizeof *q); /* the parent runs these tasks */
    nth_store_rlx(&t->pjv[i], 0);
    t->slot[i]->finished = 0;
    nth_store_rlx(&t->slot[i]->djs.count, 0);
  }
}

/* Unfinished tasks are the parent process's: no taskwait, taskgroup or dependence here waits for them.
 * The tables' memory is given up, since tasks in them may have been in the middle of their end. */
static void forget_tasks(struct nth_task *t) {
  for (; t; t = t->parent) {
    nth_store_rlx(&t->children, 0);
    t->table = 0;
    for (struct nth_taskgroup *g = t->group; g; g = g->outer)
      nth_store_rlx(&g->count, 0);
  }
}

/* A state the thread is in, or will come back to. Work shares return at once: they were divided among
 * members of the parent. */
static void leave_constructs(struct nth_member_state *s) {
  struct nth_slot *slot = s->slot;
  s->team_size = 1;
  if (!slot) /* of a team that has not been used yet */
    return;
  slot->loop.kind = NTH_LOOP_DONE;
  slot->loop.ordered = false;
  slot->loop.doacross = 0;
  memset(&slot->queue, 0, sizeof slot->queue);
  nth_store_rlx(&slot->pending, 0);
  forget_tasks(s->task);
}

static void child(void) {
  struct nth_member *m = nth_self;
  nth_fork_generation++;
  nth_holder_forked(m && m->is_root ? 1 : 0);
  nth_team_make_forked();
  nth_pinned_forked();
  nth_pool_forked();
  if (!m)
    return;
  leave_constructs(&m->now);
  if (m->now.team)
    orphan(m->now.team);
  for (struct nth_context *c = m->context; c; c = c->outer) {
    leave_constructs(&c->saved);
    if (c->saved.team)
      orphan(c->saved.team);
  }
  for (struct nth_team *t = m->teams; t; t = t->next) {
    leave_constructs(&t->saved);
    orphan(t);
  }
}

void nth_forked_watch(void) {
  static _Atomic(bool) watched;
  if (!atomic_exchange(&watched, true))
    pthread_atfork(0, 0, child);
}
