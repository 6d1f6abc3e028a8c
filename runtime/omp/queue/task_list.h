/* task_list.h - ready tasks under a lock, which can be searched
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         For tasks that have no place in a deque: those that any thread may bring, or take out
 *             of the middle; those with a priority, which are taken by it. A member has such a list
 *             (task_queue.h), and each part of a domain's ready queue is one (task_domain.h).
 * Use         nth_task_list_push(); nth_task_list_take() for those without a priority,
 *             _take_urgent() for those with. All zero is an empty list. Who has several lists under
 *             one word brings it up to date between nth_mutex_lock_soon() and unlock(): then the
 *             functions in _locked.
 * Invariants  I1  length = tasks in both lists; top = priority of the first urgent one, 0: none
 *             I2  tasks of one priority are a ring by newer, whose newest one stands for it (its
 *                 newer is the oldest); rings are a list by next, the highest priority first
 * Orders      all under the lock (mutex:A). length and top are read without it as hints: who must
 *             not overlook a task has a fence before its look (task:F)
 * Cost        one locked exchange, with priority a step for each higher one that is queued
 * Tested by   tests/unit/task_domain.c, tests/unit/task_queue.c, tests/model/ready, tests/lit/tasks
 */
#ifndef NTH_OMP_TASK_LIST_H
#define NTH_OMP_TASK_LIST_H

#include "runtime/omp/types/queue_type.h"

/* Which of the tasks without a priority a taker gets. */
enum nth_take {
  NTH_TAKE_NEWEST = 1, /* the newest one first, else the oldest */
  NTH_TAKE_DEEP = 2    /* looks beyond the first one */
};

bool nth_task_descends(const struct nth_task *t, const struct nth_task *from);

/* By any thread. */
void nth_task_list_push(struct nth_task_list *l, struct nth_task *t);
void nth_task_list_push_locked(struct nth_task_list *l, struct nth_task *t);

/* from: only descendants of it are taken; NULL: any. NULL: there is none. */
struct nth_task *nth_task_list_take(struct nth_task_list *l, const struct nth_task *from,
                                    unsigned how);
struct nth_task *nth_task_list_take_locked(struct nth_task_list *l, const struct nth_task *from,
                                           unsigned how);
/* The newest one that is NTH_TASK_LEFT, if its number is greater; others may be newer, a few. */
struct nth_task *nth_task_list_take_left(struct nth_task_list *l, uint32_t number);
/* The one with the highest priority. */
struct nth_task *nth_task_list_take_urgent(struct nth_task_list *l, const struct nth_task *from);
struct nth_task *nth_task_list_take_urgent_locked(struct nth_task_list *l,
                                                  const struct nth_task *from);

/* The child of a fork has none. */
void nth_task_list_forget(struct nth_task_list *l);

/* I1, I2; under the lock. */
bool nth_task_list_valid(const struct nth_task_list *l);

#endif
