/* task_queue.h - the ready tasks of a member
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Each member keeps the tasks that it makes, or makes ready, to itself. Where it waits
 *             for certain tasks it takes the newest, where it waits for all the oldest; others take
 *             the oldest. Most tasks are in a deque, which costs nearly
 *             nothing while no other member wants them. Tasks that break the deque's order are in
 *             a list under a lock, which can be searched (task_list.h). Tasks with a priority, and
 *             tasks from outside the team, are in the queues of the team's domains
 *             (task_domain.h); those with a priority are taken before all others of the team.
 *             Outside any team there are no domains, and all of these are in the list.
 * Order       What a member pushes on its deque descends from the task that it runs, unless it
 *             waits at a point where it starts any task. So the items above the deque's position
 *             at which a task began descend from that task: its taskwait takes them without a
 *             look. When a wait that starts any task ends, what is left goes into the list.
 *             A wait for certain tasks must not miss them. Each of them is above the waiter's own
 *             position, or in a list, or in another's deque. There it may lie behind others'
 *             tasks, if a thief put it there or a task became ready there. The deque's owner would
 *             come to it in time, but may be waiting for a lock that the waiter holds. So a wait
 *             that lasts looks at whole deques, and moves what hides a task from it into the list
 *             of the deque's owner.
 *             Nor may the wait miss what a thief has in its hands at the waiter's last look before
 *             sleep: a thief that queues tasks again wakes all such sleepers. A new task need not
 *             wake them: a waiter for it also waits for the end of its maker, or is the maker
 *             itself.
 * Age         Where all tasks may begin, the members together begin those of one maker in the order
 *             in which they were made, one each: the owner takes its oldest as a thief would. Tasks
 *             may wait for each other, and on libgomp such a program ends. A thief takes several
 *             only of tasks that are known to be brief (brief.h).
 * Where       A searching member takes from its own deque and list first, then from the domains on
 *             its path from leaf to root, then from other members, the nearest domain first
 *             (place/domains/domains.h), and last from the other domains.
 * Use         nth_task_push_own() by the member, nth_task_push() by a thread of the team,
 *             nth_task_push_outside() by any other; nth_task_find() by a member that waits
 * Invariants  I1  an item of the deque is the task's address, with a mark (NTH_ITEM_BIG) when the
 *                 task's memory is no pool's; a task's link to its parent says the same of the
 *                 parent. So a thief that comes too late looks only at memory that is a pool's or a
 *                 team's (pool.h, Late)
 *             I2  neighbours that have NTH_ITEM_TURNED lie in turned order, the oldest last: a
 *                 thief has put them there. All others have the oldest first
 *             I3  NTH_ITEM_BRIEF: a task, or a pack of them, whose function was brief when it was
 *                 pushed
 * Orders      deque.h, task_list.h, task_domain.h. Words of these are read without a lock as
 *             hints: a reader that must not overlook a task has a fence before its look (task:F)
 * Cost        own push and take: deque.h. find: two loads a member when there is none, one a
 *             domain; a look at whole deques: a line or two a task
 * Tested by   tests/unit/task_queue.c, tests/unit/task_domain.c, tests/lit/tasks
 */
#ifndef NTH_OMP_TASK_QUEUE_H
#define NTH_OMP_TASK_QUEUE_H

#include "runtime/omp/member/member.h"
#include "runtime/omp/queue/task_domain.h"
#include "runtime/omp/queue/task_list.h"
#include "runtime/omp/types/queue_type.h"
#include "runtime/sched/nano/self.h"

/* Whether the calling thread is m, in asserts. A thread that is no member may act for any: tests
 * do so. */
static inline bool nth_task_caller_is(const struct nth_member *m) {
  const struct nth_member *self = nth_self;
  return !self || self == m;
}

/* Pushes a task that keeps to the deque's order. By the queue's member. False: the deque is
 * full. */
bool nth_task_push_own(struct nth_task_queue *q, struct nth_task *t);
/* Queues a task that may break the deque's order. By the queue's member, or another one of the
 * team. */
void nth_task_push(struct nth_task_queue *q, struct nth_task *t);
/* Queues a task that q's member has made. By any thread. */
void nth_task_push_outside(struct nth_task_queue *q, struct nth_task *t);

/* How far a search goes. A descendant may lie between others' tasks, or among those that a busy
 * member keeps to itself. So a waiter must look further than the ends now and then. */
enum nth_look {
  NTH_LOOK_ENDS,
  NTH_LOOK_DEEP, /* whole lists; has busy members' deques shared */
  NTH_LOOK_ALL   /* whole deques too: in a wait that lasts */
};

/* Whether a search first asks for more than the member's own tasks: tasks may have priorities, or a
 * function outside the runtime is polled (sched/wait/poll.h). w: the start of the library, and
 * nth_poll's setter, once; r: members, relaxed: a search that misses it is followed by others. In a
 * word of its own, so that searches pay one test for both. */
extern _Atomic(bool) nth_task_find_asks __attribute__((visibility("hidden")));

/* Takes a ready task of the team out of its queue. NULL: none is seen. from: the member's current
 * task, and only tasks are taken that are sought by it (nth_task_is_sought()); NULL: any task. */
struct nth_task *nth_task_find(struct nth_member *m, const struct nth_task *from,
                               enum nth_look look);

/* Takes a task that is sought by `from`, wherever it lies: also in the part of the member's own
 * deque that is older than `from` is now, where a task that has gone on has what it pushed
 * before. */
struct nth_task *nth_task_find_awaited(struct nth_member *m, const struct nth_task *from);

/* The task of an item of a deque that the caller has taken out. */
static inline struct nth_task *nth_task_of_item(void *item) {
  struct nth_task *t = nth_task_at_item(item);
  nth_assert(!t || ((uintptr_t)item & (NTH_ITEM_BIG | ~(uintptr_t)NTH_ITEM_MARKS)) ==
                       (uintptr_t)nth_task_item(t));
  nth_assert(!t || nth_task_may_queue(t));
  return t;
}

/* Takes the newest task of the member's own deque that descends from `from`, or the newest if that
 * is NULL. NULL: there is none. */
static inline struct nth_task *nth_task_pop_own(struct nth_member *m, const struct nth_task *from) {
  struct nth_deque *d = &m->now.slot->queue.deque;
  nth_assert(m->now.slot && m->now.task);
  return nth_task_of_item(from && !(from->flags & NTH_TASK_IMPLICIT) ? nth_deque_pop(d, from->base)
                                                                     : nth_deque_pop_any(d));
}

/* Takes what the member has left since its current task began (task_run.h), the newest first; then
 * what it has queued since. */
struct nth_task *nth_task_find_left(struct nth_member *m);

/* Whether a deque has a task for this member that NTH_LOOK_ALL did not get, since another thread
 * was at work there. That thief may be interrupted, and tells nobody when it is done, so a sleeper
 * sleeps for a short time only. After nth_os_fence_all() the answer is sure. */
bool nth_task_hidden(struct nth_member *m, const struct nth_task *from);

/* Queues a task again that the member has found and does not begin. */
void nth_task_put_back(struct nth_member *m, struct nth_task *t);

/* Ends a point where the member starts any task: moves what is left in its own deque, perhaps
 * others' tasks, into its list. */
void nth_task_put_aside(struct nth_member *m);
/* nth_task_put_aside_from: nth_task_put_aside for what lies at that position and above. */
void nth_task_put_aside_from(struct nth_member *m, uint32_t position);

/* Whether the member had queued other tasks before the one that it has just pushed. */
static inline bool nth_task_queue_many(const struct nth_task_queue *q) {
  return nth_load_rlx(&q->list.length) +
             (q->domain ? nth_load_rlx(&q->domain->part[q->part].list.length) : 0) +
             (nth_load_rlx(&q->deque.head) - (uint32_t)nth_load_rlx(&q->deque.word)) >
         1;
}

/* A fork's child has no tasks queued. */
void nth_task_queue_forget(struct nth_task_queue *q);

#endif
