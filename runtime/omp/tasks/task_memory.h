/* task_memory.h - where a task's memory comes from, how long it lives, how a task leaves its frame
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A deferred task lies in a descriptor of the pools (mem/pool.h). An undeferred task
 *             lies in the stack frame of the call that runs it, until it gets a deferred child.
 *             task.h (I3) says what refers to a task.
 * Use         take() or take_must(), then init(); in a frame: task_frame.h.
 *             nth_task_leave_frame() before the current task gets a deferred child.
 *             nth_task_leave() by the member that has run a task which is counted nowhere
 * Invariants  task.h, I3 and I4
 * Cost        take, release: those of a pool; init: some 20 stores, in two lines
 * Tested by   tests/lit/tasks, tests/model/chain
 */
#ifndef NTH_OMP_TASK_MEMORY_H
#define NTH_OMP_TASK_MEMORY_H

#include <string.h>

#include "runtime/base/check.h"
#include "runtime/omp/member/member.h"
#include "runtime/omp/tasks/depend.h"
#include "runtime/omp/tasks/task.h"
#include "runtime/sched/nano/self.h"

static inline void nth_task_is_of(struct nth_task *t, uint32_t class) {
  nth_assert(class <= NTH_POOL_BIG);
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

/* For a task that the program cannot go on without: waits for memory. */
struct nth_task *nth_task_take_must(size_t size);

/* t's memory goes back to a pool of the calling thread. */
static inline void nth_task_release(struct nth_pool *pool, struct nth_task *t) {
  nth_assert(!(t->flags & (NTH_TASK_IMPLICIT | NTH_TASK_MOVED | NTH_TASK_STAYS)));
  nth_assert(nth_load_rlx(&t->refs) <= 1);
  nth_assert(!(t->flags & NTH_TASK_DEPENDS) || t->listed == 0);
  if (nth_unlikely(t->flags & NTH_TASK_DEPENDS))
    nth_depend_end(nth_task_depend(t));
  nth_pool_give(pool, t, t->class);
}

/* Whether a task's memory may go back to the system. The flags of an implicit task say so: its
 * class lies on its second line, and a look there for each child that it makes costs a tenth of an
 * empty task. */
static inline bool nth_task_passes(const struct nth_task *t) {
  return t->flags & NTH_TASK_IMPLICIT ? t->flags & NTH_TASK_LONE : t->class == NTH_POOL_BIG;
}

static inline void nth_task_set_parent(struct nth_task *t, const struct nth_task *parent) {
  nth_assert(parent && parent != t && !(parent->flags & NTH_TASK_MOVED));
  nth_assert(nth_task_passes(parent) == (parent->class == NTH_POOL_BIG));
  nth_store_rlx(&t->parent, (uintptr_t)parent | (nth_task_passes(parent) ? NTH_TASK_PASSES : 0));
}

/* Sets what a child of m's current task has from it, and what the child's own code can change. */
static inline void nth_task_inherit(struct nth_task *t, struct nth_member *m, uint32_t flags) {
  struct nth_task *parent = m->now.task;
  nth_assert(nth_task_caller_is(m));
  nth_assert((flags & ~(uint32_t)(NTH_TASK_UNTIED | NTH_TASK_FINAL | NTH_TASK_BATCH |
                                  NTH_TASK_FRAME)) == 0);
  nth_task_set_parent(t, parent);
  t->group = t->made_in = parent->group;
  nth_tally_clear(&t->children);
  t->flags = flags | (parent->flags & (NTH_TASK_FINAL | NTH_TASK_GUARDED)) |
             (parent->flags & NTH_TASK_IMPLICIT ? NTH_TASK_OUTERMOST : 0);
  if (nth_unlikely(nth_locks != 0))
    t->flags |= NTH_TASK_GUARDED;
  t->table = 0;
  t->icv = m->now.icv;
  if (nth_unlikely(t->icv == &parent->own_icv)) {
    t->own_icv = parent->own_icv;
    t->icv = &t->own_icv;
  }
}

/* Begins a deferred child of m's current task. The caller still sets data, home, and what only some
 * tasks have. */
static inline void nth_task_init(struct nth_task *t, struct nth_member *m, void (*fn)(void *),
                                 uint32_t flags) {
  nth_assert(!(m->now.task->flags & NTH_TASK_FRAME)); /* I4 */
  nth_task_inherit(t, m, flags);
  nth_store_rlx(&t->runner, NULL);
  nth_store_rlx(&t->refs, 1);
  t->nested = 0;
  t->priority = 0;
  t->fn = fn;
  t->team = m->now.team;
}

/* Most arguments are a few words. Two moves, which may overlap, copy them. */
static inline void nth_task_copy_few(char *to, const char *from, size_t size) {
  if (nth_likely(size >= 8 && size <= 16)) {
    memcpy(to, from, 8);
    memcpy(to + size - 8, from + size - 8, 8);
  } else if (nth_likely(size > 16 && size <= 32)) {
    memcpy(to, from, 16);
    memcpy(to + size - 16, from + size - 16, 16);
  } else if (size) {
    memcpy(to, from, size);
  }
}

/* t has finished, and others refer to it. From now on t holds a reference to its parent; t's memory
 * goes with its last reference. */
void nth_task_live_on(struct nth_task *t);

/* t is over, a task that is counted nowhere: an undeferred one, or the descriptor of parts of a
 * batch. */
void nth_task_leave(struct nth_task *t);

/* The present address of a task that may have left its frame. */
static inline struct nth_task *nth_task_settled(struct nth_task *t) {
  nth_assert(!(t->flags & NTH_TASK_MOVED) || !(t->next->flags & NTH_TASK_FRAME));
  return nth_unlikely(t->flags & NTH_TASK_MOVED) ? t->next : t;
}

/* The current task is about to get a deferred child: from now on it lives on the heap. */
void nth_task_leave_frame_slow(struct nth_member *m);
static inline void nth_task_leave_frame(struct nth_member *m) {
  if (nth_unlikely(m->now.task->flags & NTH_TASK_FRAME))
    nth_task_leave_frame_slow(m);
}

#endif
