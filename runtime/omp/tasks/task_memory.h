/* task_memory.h - a task's memory: from where, for how long, and when it leaves a frame
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Deferred tasks lie in descriptors of the pools (mem/pool.h), undeferred ones in the
 *             frame of the call that runs them, until they get a deferred child. task.h says who
 *             refers to a task.
 * Use         take() or take_must(), then init(); or init_frame() in the caller's own frame.
 *             nth_task_leave_frame() before the current task gets a deferred child;
 *             nth_task_leave() by who has run a task that is counted nowhere
 * Invariants  task.h, I3 and I4
 * Cost        take, release: a pool's; init: some 20 stores, in two lines
 * Tested by   tests/lit/tasks, tests/model/chain
 */
#ifndef NTH_OMP_TASK_MEMORY_H
#define NTH_OMP_TASK_MEMORY_H

#include "runtime/omp/member/member.h"
#include "runtime/omp/tasks/depend.h"
#include "runtime/omp/tasks/task.h"

static inline void nth_task_is_of(struct nth_task *t, uint32_t class) {
  t->kind = NTH_KIND_TASK;
  t->class = (uint8_t)class;
}

/* NULL: no memory. */
static inline struct nth_task *nth_task_take(struct nth_member *m, size_t size) {
  uint32_t class = nth_pool_class(size);
  struct nth_task *t = nth_pool_take(&m->pool, class, size);
  if (nth_likely(t != 0))
    nth_task_is_of(t, class);
  return t;
}

/* For what the program cannot go on without: waits for memory. */
struct nth_task *nth_task_take_must(size_t size);

static inline void nth_task_release(struct nth_task *t) {
  if (nth_unlikely(t->flags & NTH_TASK_DEPENDS))
    nth_depend_end(nth_task_depend(t));
  nth_pool_give(nth_member_pool(), t, t->class);
}

static inline void nth_task_set_parent(struct nth_task *t, const struct nth_task *parent) {
  nth_store_rlx(&t->parent,
                (uintptr_t)parent | (parent->class == NTH_POOL_BIG ? NTH_TASK_PASSES : 0));
}

/* What a child of m's current task has from it, and what its own code can change. */
static inline void nth_task_inherit(struct nth_task *t, struct nth_member *m, uint32_t flags) {
  struct nth_task *parent = m->now.task;
  nth_task_set_parent(t, parent);
  t->group = t->made_in = parent->group;
  nth_tally_clear(&t->children);
  t->flags = flags | (parent->flags & NTH_TASK_FINAL) |
             (parent->flags & NTH_TASK_IMPLICIT ? NTH_TASK_OUTERMOST : 0);
  t->table = 0;
  t->icv = m->now.icv;
  if (nth_unlikely(t->icv == &parent->own_icv)) {
    t->own_icv = parent->own_icv;
    t->icv = &t->own_icv;
  }
}

/* A deferred child of m's current task; but data, home and what only some tasks have is still to be
 * set. */
static inline void nth_task_init(struct nth_task *t, struct nth_member *m, void (*fn)(void *),
                                 uint32_t flags) {
  nth_task_inherit(t, m, flags);
  nth_store_rlx(&t->runner, NULL);
  nth_store_rlx(&t->refs, 1);
  t->nested = 0;
  t->priority = 0;
  t->fn = fn;
  t->team = m->now.team;
}

/* An undeferred one in a frame: what others look at comes when it leaves that. */
static inline void nth_task_init_frame(struct nth_task *t, struct nth_member *m, uint32_t flags) {
  nth_task_is_of(t, NTH_POOL_BIG);
  t->nested = m->now.task->nested + 1;
  t->base = nth_deque_base(&m->now.slot->queue.deque);
  nth_task_inherit(t, m, flags | NTH_TASK_FRAME);
}

/* The task has finished, and others refer to it: it keeps its parent from now on, and goes with the
 * last of them. */
void nth_task_live_on(struct nth_task *t);

/* A task that nobody counts is over: an undeferred one, or parts of a batch. */
void nth_task_leave(struct nth_task *t);

/* Where a task is that may have left its frame. */
static inline struct nth_task *nth_task_settled(struct nth_task *t) {
  return nth_unlikely(t->flags & NTH_TASK_MOVED) ? t->next : t;
}

/* The current task gets a deferred child: from now on it lives on the heap. */
void nth_task_leave_frame_slow(struct nth_member *m);
static inline void nth_task_leave_frame(struct nth_member *m) {
  if (nth_unlikely(m->now.task->flags & NTH_TASK_FRAME))
    nth_task_leave_frame_slow(m);
}

#endif
