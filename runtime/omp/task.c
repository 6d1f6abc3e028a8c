/* task.c - explicit tasks: create, run, wait
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/task.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/os.h"
#include "runtime/omp/member.h"
#include "runtime/omp/team.h"
#include "runtime/sched/wait.h"

/* --- the deque of a member --- */

static void push(struct nth_task_deque *d, struct nth_task *t) {
  nth_mutex_lock(&d->lock);
  t->newer = 0;
  t->older = d->newest;
  if (d->newest)
    d->newest->newer = t;
  else
    d->oldest = t;
  d->newest = t;
  nth_store_rlx(&d->length, nth_load_rlx(&d->length) + 1);
  nth_mutex_unlock(&d->lock);
}

static void unlink_task(struct nth_task_deque *d, struct nth_task *t) {
  if (t->older)
    t->older->newer = t->newer;
  else
    d->oldest = t->newer;
  if (t->newer)
    t->newer->older = t->older;
  else
    d->newest = t->older;
  nth_store_rlx(&d->length, nth_load_rlx(&d->length) - 1);
}

static bool descends(const struct nth_task *t, const struct nth_task *from) {
  for (t = t->parent; t; t = t->parent) {
    if (t == from)
      return true;
  }
  return false;
}

/* Takes the newest (own deque) or oldest (somebody's) task that descends from `from`, NULL: any.
 * Only the end is looked at: what lies beyond it is older or younger kin. */
static struct nth_task *take(struct nth_task_deque *d, bool own, const struct nth_task *from) {
  if (nth_load_rlx(&d->length) == 0)
    return 0;
  nth_mutex_lock(&d->lock);
  struct nth_task *t = own ? d->newest : d->oldest;
  if (t && from && !descends(t, from))
    t = 0;
  if (t)
    unlink_task(d, t);
  nth_mutex_unlock(&d->lock);
  return t;
}

/* A ready task of the team for this member; from as in take(). */
static struct nth_task *find(struct nth_member *m, const struct nth_task *from) {
  struct nth_team *team = m->now.team;
  struct nth_task *t = take(&m->now.slot->deque, true, from);
  for (uint32_t i = 1; !t && i < m->now.team_size; i++) {
    uint32_t victim = m->now.thread_num + i;
    victim -= victim >= m->now.team_size ? m->now.team_size : 0;
    t = take(&team->slot[victim]->deque, false, from);
  }
  return t;
}

/* --- life of a task --- */

static void unref(struct nth_task *t) {
  while (t && !(t->flags & NTH_TASK_IMPLICIT) && nth_sub_acqrel(&t->refs, 1) == 1) { /* R */
    struct nth_task *parent = t->parent;
    free(t);
    t = parent;
  }
}

/* t's function has returned: whoever waits for it may go on. */
static void finish(struct nth_team *team, struct nth_task *t) {
  struct nth_task *parent = t->parent;
  bool wake = nth_sub_acqrel(&parent->children, 1) == 1; /* A */
  if (t->made_in && nth_sub_acqrel(&t->made_in->count, 1) == 1) /* A */
    wake = true;
  unref(t);
  if (nth_sub_acqrel(&team->pending, 1) == 1) /* A */
    wake = true;
  if (wake) {
    nth_fence_full(); /* bell:F: against a sleeper's enter */
    nth_bell_ring(&team->bell, INT_MAX);
  }
}

/* Makes t the member's current task, calls its function, goes back. */
static void call(struct nth_member *m, struct nth_task *t) {
  struct nth_task *outer = m->now.task;
  const struct nth_icv *icv = m->now.icv;
  m->now.task = t;
  m->now.icv = t->icv;
  t->fn(t->data);
  m->now.task = outer;
  m->now.icv = icv;
}

static void run(struct nth_member *m, struct nth_task *t) {
  struct nth_team *team = m->now.team;
  call(m, t);
  if (nth_likely(m->now.team_size > 1 || team->size == 1))
    finish(team, t);
}

static void init(struct nth_task *t, struct nth_member *m, void (*fn)(void *), uint32_t flags) {
  struct nth_task *parent = m->now.task;
  t->parent = parent;
  t->group = t->made_in = parent->group;
  nth_store_rlx(&t->children, 0);
  nth_store_rlx(&t->refs, 1);
  t->flags = flags | (parent->flags & NTH_TASK_FINAL);
  t->fn = fn;
  t->icv = m->now.icv;
  if (t->icv == &parent->own_icv) {
    t->own_icv = parent->own_icv;
    t->icv = &t->own_icv;
  }
}

/* Undeferred: runs now, in the encountering thread. Only if(0) in a team of several can leave deferred
 * children behind, which look upward through the task: then it is on the heap. */
static void run_now(struct nth_member *m, void (*fn)(void *), void *data, uint32_t flags) {
  struct nth_task frame, *t = &frame;
  if (m->now.team_size > 1 && !((flags | m->now.task->flags) & NTH_TASK_FINAL))
    t = nth_os_need(sizeof *t);
  init(t, m, fn, flags);
  t->data = data;
  call(m, t);
  if (t == &frame)
    return;
  nth_add_rlx(&t->parent->refs, 1);
  unref(t);
}

static struct nth_task *make(struct nth_member *m, void (*fn)(void *), void *data,
                             void (*copy)(void *, void *), size_t size, size_t align,
                             uint32_t flags) {
  if (align < 16)
    align = 16;
  struct nth_task *t = malloc(sizeof *t + size + align);
  if (!t)
    return 0;
  init(t, m, fn, flags);
  uintptr_t args = ((uintptr_t)(t + 1) + align - 1) & ~(uintptr_t)(align - 1);
  t->data = (void *)args;
  if (copy)
    copy(t->data, data);
  else if (size)
    memcpy(t->data, data, size);
  return t;
}

void nth_task_create(void (*fn)(void *), void *data, void (*copy)(void *, void *), size_t size,
                     size_t align, bool deferred, uint32_t flags) {
  struct nth_member *m = nth_member_get();
  struct nth_task *t = 0;
  if (m->now.team_size == 1 || (m->now.task->flags & NTH_TASK_FINAL))
    deferred = false;
  if (deferred)
    t = make(m, fn, data, copy, size, align, flags);
  if (!t && !copy) {
    run_now(m, fn, data, flags);
    return;
  }
  if (!t) { /* the program's constructor of the arguments wants memory of ours */
    size_t a = align < 16 ? 16 : align;
    char room[size + a];
    void *args = (void *)(((uintptr_t)room + a - 1) & ~(uintptr_t)(a - 1));
    copy(args, data);
    run_now(m, fn, args, flags);
    return;
  }
  struct nth_team *team = m->now.team;
  nth_add_rlx(&t->parent->refs, 1);
  nth_add_rlx(&t->parent->children, 1);
  if (t->made_in)
    nth_add_rlx(&t->made_in->count, 1);
  nth_add_rlx(&team->pending, 1); /* published by the deque's lock */
  push(&m->now.slot->deque, t);
  nth_team_call_help(m, team);
}

/* --- waiting --- */

/* Waits until *count is 0, running descendants of `from` meanwhile. */
static void wait_for(struct nth_member *m, _Atomic(uint32_t) *count, const struct nth_task *from) {
  struct nth_team *team = m->now.team;
  struct nth_wait w;
  if (nth_load_acq(count) == 0) /* A */
    return;
  nth_wait_begin(&w, &m->proc->waiter, NTH_WAIT_TASK, team->crowded);
  while (nth_load_acq(count) > 0 && m->now.team_size > 1) { /* A */
    struct nth_task *t = find(m, from);
    if (t) {
      run(m, t);
      nth_wait_begin(&w, &m->proc->waiter, NTH_WAIT_TASK, team->crowded);
      continue;
    }
    if (nth_wait_poll(&w))
      continue;
    uint32_t ticket = nth_bell_enter(&team->bell);
    t = find(m, from);
    if (!t && nth_load_acq(count) > 0) /* A */
      nth_bell_sleep(&team->bell, ticket, 0);
    nth_bell_leave(&team->bell);
    if (t)
      run(m, t);
  }
  nth_wait_end(&w);
}

void nth_task_wait(struct nth_member *m) {
  struct nth_task *t = m->now.task;
  if (nth_load_acq(&t->children) > 0) /* A */
    wait_for(m, &t->children, t);
}

void nth_task_yield(struct nth_member *m) {
  if (m->now.team_size == 1 || nth_load_rlx(&m->now.team->pending) == 0)
    return;
  struct nth_task *t = find(m, m->now.task);
  if (t)
    run(m, t);
}

bool nth_task_run_any(struct nth_member *m) {
  struct nth_task *t = find(m, 0);
  if (t)
    run(m, t);
  return t != 0;
}

bool nth_task_ready(const struct nth_team *team) {
  for (uint32_t i = 0; i < team->size; i++) {
    if (nth_load_rlx(&team->slot[i]->deque.length) > 0)
      return true;
  }
  return false;
}

/* --- taskgroup --- */

void nth_taskgroup_begin(struct nth_member *m) {
  struct nth_taskgroup *g = nth_os_need(sizeof *g);
  g->outer = m->now.task->group;
  m->now.task->group = g;
}

void nth_taskgroup_end(struct nth_member *m) {
  struct nth_task *t = m->now.task;
  struct nth_taskgroup *g = t->group;
  if (!g)
    return;
  wait_for(m, &g->count, t);
  t->group = g->outer;
  free(g);
}
