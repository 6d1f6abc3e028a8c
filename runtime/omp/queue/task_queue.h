/* task_queue.h - the ready tasks of a member
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Each member keeps the tasks it makes, and those it makes ready, to itself: it takes
 *             the newest, others the oldest. Most are in a deque, which costs nearly nothing while
 *             nobody else wants them. What breaks the deque's order is beside it in a list under a
 *             lock, which can be searched (task_list.h). Tasks with a priority, and those that come
 *             from outside the team, are in the queues of the team's domains (task_domain.h), the
 *             former taken before all others of the team. Outside any team there are no domains,
 *             and all is in the list.
 * Order       What a member pushes on its deque descends from the task that it runs, unless it
 *             waits at a point where it starts any task. So what lies above the position that the
 *             deque had when a task began descends from that task: its taskwait needs no look at
 *             what it takes from there. When such a wait ends, what is left goes into the list.
 *             A wait for certain tasks must not miss them: each is above the waiter's own position,
 *             or in a list, or in another's deque, where those of thieves and tasks made ready may
 *             lie behind others. It is not enough that the deque's owner would come to them: it may
 *             be waiting for a lock that the waiter holds. So a wait that lasts looks at whole
 *             deques, and moves what hides a task for it into the list of that deque's owner.
 *             Nor may it miss what a thief has in its hands at the last look before sleep: a thief
 *             that queues tasks again wakes all such sleepers. A new task need not: if somebody
 *             waits for it, then for its maker's end, too, or it is the maker itself.
 * Where       Who looks takes of its own deque and list, then of the domains on its path from leaf
 *             to root, then from other members, the nearest domain first
 *             (place/domains/domains.h), at last of the other domains.
 * Use         nth_task_push_own() by the member, nth_task_push() by a thread of the team,
 *             nth_task_push_outside() by any other; nth_task_find() by who waits
 * Invariants  I1  an item of the deque is the task's address, + 1 when its memory is not of a pool,
 *                 and a task's link to its parent says the same of that one: thieves may look at
 *                 what is a pool's, or a team's, though it is too late (pool.h, Late)
 * Orders      deque.h, task_list.h, task_domain.h. Words of these are read without a lock as hints:
 *             who must not overlook a task has a fence before its look (task:F)
 * Cost        own push and take: deque.h. find: two loads a member when there is none, one a
 *             domain; a look at whole deques: a line or two a task
 * Tested by   tests/unit/task_queue.c, tests/unit/task_domain.c, tests/lit/tasks
 */
#ifndef NTH_OMP_TASK_QUEUE_H
#define NTH_OMP_TASK_QUEUE_H

#include "runtime/omp/queue/task_domain.h"
#include "runtime/omp/queue/task_list.h"
#include "runtime/omp/types/queue_type.h"

struct nth_member;
struct nth_task;
struct nth_team;

/* By the queue's member, for a task that keeps to the deque's order. False: the deque is full. */
bool nth_task_push_own(struct nth_task_queue *q, struct nth_task *t);
/* By the member, or another one of the team. */
void nth_task_push(struct nth_task_queue *q, struct nth_task *t);
/* By any thread, for a task that q's member has made. */
void nth_task_push_outside(struct nth_task_queue *q, struct nth_task *t);

/* How far a search goes. A descendant may lie between others' tasks, or in what a busy member keeps
 * to itself, so who waits must look further than at the ends now and then. */
enum nth_look {
  NTH_LOOK_ENDS,
  NTH_LOOK_DEEP, /* whole lists; has busy members' deques shared */
  NTH_LOOK_ALL   /* whole deques, too: after some time without luck */
};

/* A ready task of the team, taken out: NULL when none is seen. from: the member's current task,
 * only descendants of it are taken; NULL: any. */
struct nth_task *nth_task_find(struct nth_member *m, const struct nth_task *from,
                               enum nth_look look);

/* What the member has left since its current task began (task_run.h), the newest first; then what
 * it has queued since. */
struct nth_task *nth_task_find_left(struct nth_member *m);

/* Whether another's deque has a task for the same member: one that NTH_LOOK_ALL did not get, for
 * another thief was about it, who may be interrupted and tells nobody when it is done: then a
 * sleeper sleeps for a short time only. Behind nth_os_fence_all() for sure. */
bool nth_task_hidden(struct nth_member *m, const struct nth_task *from);

/* A point where the member starts any task ends: what is left in its own deque, perhaps others',
 * goes into its list. */
void nth_task_put_aside(struct nth_member *m);
/* The same for what lies at that position and above. */
void nth_task_put_aside_from(struct nth_member *m, uint32_t position);

/* Whether some queue of the team holds a task; behind nth_deque_fence_all() for sure. */
bool nth_task_queued(const struct nth_team *team);

/* Whether the task just pushed is not the first. */
static inline bool nth_task_queue_many(const struct nth_task_queue *q) {
  return nth_load_rlx(&q->list.length) +
             (q->domain ? nth_load_rlx(&q->domain->part[q->part].list.length) : 0) +
             (nth_load_rlx(&q->deque.head) - (uint32_t)nth_load_rlx(&q->deque.word)) >
         1;
}

/* The child of a fork has none. */
void nth_task_queue_forget(struct nth_task_queue *q);

#endif
