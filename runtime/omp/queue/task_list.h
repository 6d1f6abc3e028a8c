/* task_list.h - ready tasks under a lock, in a list that can be searched
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         For tasks that have no place in a deque: those that any thread may bring, or take
 *             out of the middle, and those with a priority, which are taken in its order. A member
 *             has such a list (task_queue.h), and so has each part of a domain's ready queue
 *             (task_domain.h).
 * Use         nth_task_list_push(); nth_task_list_take() for tasks without a priority,
 *             _take_urgent() for those with one. All zero is an empty list. The functions in
 *             _locked are for a caller that has several lists under one word: it updates the word
 *             between nth_mutex_lock_soon() and unlock().
 * Invariants  I1  length = tasks in both lists; top = priority of the first urgent task, 0: none
 *             I2  tasks of one priority are a ring by `newer`. The newest one stands for the ring;
 *                 its `newer` is the oldest. Rings are a list by `next`, the highest priority
 *                 first
 * Orders      all under the lock (mutex:A). length and top are read without it as hints: a reader
 *             that must not overlook a task has a fence before its look (task:F)
 * Cost        one locked exchange; with a priority, a step for each higher one that is queued
 * Tested by   tests/unit/task_domain.c, tests/unit/task_queue.c, tests/model/ready,
 *             tests/lit/tasks
 */
#ifndef NTH_OMP_TASK_LIST_H
#define NTH_OMP_TASK_LIST_H

#include "runtime/omp/queue/sought.h"
#include "runtime/omp/types/queue_type.h"
#include "runtime/omp/types/task_type.h"

/* Which task without a priority is taken. */
enum nth_take {
  NTH_TAKE_NEWEST = 1, /* begins with the newest task, else with the oldest */
  NTH_TAKE_DEEP = 2    /* looks beyond the first one */
};

/* Whether t may be in a queue: a deferred task on the heap, or a batch. */
static inline bool nth_task_may_queue(const struct nth_task *t) {
  return t && !(t->flags & (NTH_TASK_IMPLICIT | NTH_TASK_FRAME | NTH_TASK_MOVED | NTH_TASK_PART));
}

/* Whether the list is locked, as far as one word says: by the caller, in asserts. */
static inline bool nth_task_list_held(const struct nth_task_list *l) {
  return nth_load_rlx(&l->lock.word) != NTH_MUTEX_FREE;
}

/* By any thread. */
void nth_task_list_push(struct nth_task_list *l, struct nth_task *t);
void nth_task_list_push_locked(struct nth_task_list *l, struct nth_task *t);

/* Takes a task without a priority. from: only a task that is sought by it; NULL: any task. NULL:
 * there is none. */
struct nth_task *nth_task_list_take(struct nth_task_list *l, const struct nth_task *from,
                                    unsigned how);
struct nth_task *nth_task_list_take_locked(struct nth_task_list *l, const struct nth_task *from,
                                           unsigned how);
/* Takes the newest task that is NTH_TASK_LEFT, if its number is greater than `number`. Looks at a
 * few newer ones only. */
struct nth_task *nth_task_list_take_left(struct nth_task_list *l, uint32_t number);
/* Takes the task with the highest priority. */
struct nth_task *nth_task_list_take_urgent(struct nth_task_list *l, const struct nth_task *from);
struct nth_task *nth_task_list_take_urgent_locked(struct nth_task_list *l,
                                                  const struct nth_task *from);

/* A fork's child has no tasks queued. */
void nth_task_list_forget(struct nth_task_list *l);

/* I1, I2; under the lock. */
bool nth_task_list_valid(const struct nth_task_list *l);

#endif
