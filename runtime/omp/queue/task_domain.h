/* task_domain.h - the ready queues of a team's memory domains
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Tasks that are for more than one member wait at a node of the tree of domains
 *             (ready.h). There are three kinds. Tasks with a priority: one word for each domain
 *             shows where the team's highest is. Tasks that a thread outside the team has made
 *             ready: they wait at the leaf of their maker. Halves of batches (task_batch.h): they
 *             wait at the lowest domain where some member is idle.
 *             What a member queues for itself stays in its deque, and what breaks the deque's
 *             order in its own list (task_queue.h). A wait for certain tasks takes from there
 *             first, the newest first, and a barrier's end moves whole deques. In a domain's queue
 *             those tasks would lie between others', and every member would search them.
 * Parts       A queue has NTH_READY_PARTS lists, each with its own lock, so that members put and
 *             take side by side: even with one domain there is no lock for the whole team. A
 *             member puts into part (its number % NTH_READY_PARTS), and looks there first. The
 *             word has a byte for each part. 0: the part is empty; 1: it has no priority; else 1 +
 *             its highest priority. NTH_READY_HIGH stands for that number and above; the part's
 *             list knows which. One load says which part has the highest priority, or that the
 *             queue is empty.
 * Use         nth_task_domains_lay() when a team is laid (lay.h); nth_task_domain_push() by any
 *             thread; nth_task_domains_urgent(), then nth_task_domains_take(), by members of the
 *             team
 * Invariants  I1  whenever the lock of part p is free, byte p of the word says what the part has.
 *                 The byte changes only under that lock, by an addition of the difference, which
 *                 leaves the other bytes alone
 * Orders      tasks and lists are under the part's lock (mutex:A). The word is read without it as
 *             a hint: a reader that must not overlook a task has a fence before its look (task:F).
 *             A team's array of nodes, and the slots' routes, are config (team.h I1)
 * Cost        push: a lock, and a locked addition if the part was empty or its highest priority
 *             changes. A look at an empty queue: a load of a line that does not change
 * Tested by   tests/model/ready, tests/unit/task_domain.c, tests/unit/ready_threads.c, lit/tasks
 */
#ifndef NTH_OMP_TASK_DOMAIN_H
#define NTH_OMP_TASK_DOMAIN_H

#include <assert.h>

#include "runtime/base/config.h"
#include "runtime/omp/queue/task_list.h"
#include "runtime/sched/wait/ready.h"

struct nth_member;
struct nth_slot;
struct nth_team;

struct nth_task_part {
  _Alignas(NTH_APART) struct nth_task_list list;
};

struct nth_task_domain {
  struct nth_ready ready;                     /* first: a node of the team's tree */
  _Alignas(NTH_APART) _Atomic(uint64_t) word; /* I1; w: under a part's lock; r: all */
  struct nth_task_part part[NTH_READY_PARTS];
};

static_assert(NTH_READY_PARTS <= 8 && (NTH_READY_PARTS & (NTH_READY_PARTS - 1)) == 0,
              "bytes of a word");

/* The queue at a node of a team's tree. */
static inline struct nth_task_domain *nth_task_domain_of(struct nth_ready *node) {
  return (struct nth_task_domain *)node;
}

/* The byte of the word for priorities from NTH_READY_HIGH - 1 on. */
#define NTH_READY_HIGH 255u

/* By any thread. */
void nth_task_domain_push(struct nth_task_domain *d, uint32_t part, struct nth_task *t);

/* Where a member puts tasks of which it has too many: the lowest domain around it in which a member
 * is idle or docked. If no such member is known, and `hungry` is the one it has robbed, or itself
 * when another has begun to look: the lowest domain that has `hungry` too. Else, while a member
 * sleeps, its own leaf. NULL: no member wants a task. */
struct nth_task_domain *nth_task_domain_idle(const struct nth_team *team,
                                             const struct nth_slot *mine,
                                             const struct nth_slot *hungry);

/* Takes the task with the highest priority in the team. from: as in nth_task_find(). */
struct nth_task *nth_task_domains_urgent(struct nth_member *m, const struct nth_task *from);

/* Takes a task without a priority, the oldest of a part. path: from the domains on the member's
 * path; else from the other domains. */
struct nth_task *nth_task_domains_take(struct nth_member *m, const struct nth_task *from,
                                       unsigned how, bool path);

/* Whether one of the team's queues has a task. */
bool nth_task_domains_any(const struct nth_team *team);
/* Whether these, or a member's own queue (task_queue.h), hold a task. After nth_deque_fence_all()
 * the answer is sure. */
bool nth_task_queued(const struct nth_team *team);

/* Gives the team's members their queues, and their routes in this layout, with room for the spans
 * of long routes. By the master while no region of the team runs, so nothing is queued. */
void nth_task_domains_lay(struct nth_team *team, const struct nth_layout *l, struct nth_span *room);

/* A fork's child has no tasks queued. */
void nth_task_domains_forget(struct nth_team *team);

/* I1; while no other thread uses the queue. */
bool nth_task_domain_valid(struct nth_task_domain *d);

#endif
