/* task_queue.h - the ready tasks of a member
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Each member keeps the tasks it makes, and those it makes ready, in a queue of its own:
 *             it takes the newest, others the oldest. Tasks with a priority are in a list apart, the
 *             highest first, and are taken before all others of the team.
 * Use         nth_task_push() by the member or, for tasks whose event comes from elsewhere, by any
 *             thread; nth_task_find() by who waits.
 * Invariants  I1  length = tasks in both lists; top = priority of the first urgent one, 0: none
 *             I2  tasks of one priority are a ring by newer, whose newest one stands for it (its newer is
 *                 the oldest); rings are a list by older, the highest priority first
 * Orders      all under the lock (mutex:A); length and top are read without it as hints: who must not
 *             overlook a task puts a full fence before its look (bell:F)
 * Cost        push: one locked exchange on an own line, with priority a step for each higher one that
 *             is queued; find: one load a member when there is none
 */
#ifndef NTH_OMP_TASK_QUEUE_H
#define NTH_OMP_TASK_QUEUE_H

#include "runtime/struct/mutex.h"

struct nth_member;
struct nth_task;
struct nth_team;

struct nth_task_queue {
  struct nth_mutex lock;
  _Atomic(uint32_t) length;         /* I1 */
  _Atomic(uint32_t) top;            /* I1 */
  struct nth_task *oldest, *newest; /* without priority */
  struct nth_task *urgent;          /* with; I2 */
};

void nth_task_push(struct nth_task_queue *q, struct nth_task *t);

/* A ready task of the team, taken out: NULL when none is seen. from: only descendants of this task,
 * NULL: any. Of each queue only the near ends are looked at, or all of it if deep: a descendant may
 * lie between others' tasks, and who waits for it must come to it some time, also if it never sleeps. */
struct nth_task *nth_task_find(struct nth_member *m, const struct nth_task *from, bool deep);

/* Whether some queue of the team holds a task. */
bool nth_task_queued(const struct nth_team *team);

#endif
