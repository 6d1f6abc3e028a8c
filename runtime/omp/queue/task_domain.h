/* task_domain.h - the ready queues of a team's memory domains
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         What is for more than one member waits at a node of the tree (ready.h): tasks
 *             with a priority, wherever they come from, for the highest in the team is found by a
 *             look at one word a domain; tasks that a thread outside the team has made ready, at
 *             the leaf of who made them; and halves of batches (task_batch.h), at the lowest domain
 *             where somebody is idle. What a member queues for itself stays in its deque, and in
 *             its own list what breaks the deque's order (task_queue.h): a wait for certain tasks
 *             takes from there first, newest first, and a barrier's end moves whole deques. In a
 *             domain's queue that would be between others' tasks, and be searched by everybody.
 * Parts       A queue has NTH_READY_PARTS lists, each with its lock, so that members put and take
 *             side by side: no lock is the team's, even if there is one domain. A member puts into
 *             part (its number % NTH_READY_PARTS), and looks there first. The word has a byte a
 *             part: 0, it is empty; 1, no priority; else 1 + the highest one, where NTH_READY_HIGH
 *             stands for that and above, and the part's list knows. One load says which part has
 *             the highest, or that there is nothing.
 * Use         nth_task_domains_lay() when a team is laid (lay.h); nth_task_domain_push() by any
 *             thread; nth_task_domains_urgent(), then nth_task_domains_take() by members of the
 *             team
 * Invariants  I1  byte p of the word is what part p has, whenever the part's lock is free. It
 *                 changes under that lock only, by an addition of the difference, which leaves the
 *                 others alone
 * Orders      tasks and lists are under the part's lock (mutex:A). The word is read without it as a
 *             hint: who must not overlook a task has a fence before its look (task:F). A team's
 *             array of nodes, and the slots' routes, are config (team.h I1)
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

/* A byte of the word for priorities from NTH_READY_HIGH - 1 on. */
#define NTH_READY_HIGH 255u

/* By any thread. */
void nth_task_domain_push(struct nth_task_domain *d, uint32_t part, struct nth_task *t);

/* Where a member puts what it has too much of: the lowest domain around it in which somebody is
 * idle, or docked. If none is known: that in which `hungry` is, too, whom it has robbed, or itself,
 * when somebody has begun to look; else, while somebody sleeps, its leaf. NULL: nobody wants
 * anything. */
struct nth_task_domain *nth_task_domain_idle(const struct nth_team *team,
                                             const struct nth_slot *mine,
                                             const struct nth_slot *hungry);

/* The task with the highest priority in the team. from: as in nth_task_find(). */
struct nth_task *nth_task_domains_urgent(struct nth_member *m, const struct nth_task *from);

/* One without a priority, the oldest of a part: of the domains on the member's path, or of the
 * others. */
struct nth_task *nth_task_domains_take(struct nth_member *m, const struct nth_task *from,
                                       unsigned how, bool path);

/* Whether there is a task in one of the team's queues. */
bool nth_task_domains_any(const struct nth_team *team);

/* Gives the team's members their routes in this layout, with room for the spans of long ones, and
 * queues. By the master while no region of the team runs, so nothing is queued. */
void nth_task_domains_lay(struct nth_team *team, const struct nth_layout *l, struct nth_span *room);

/* The child of a fork has none. */
void nth_task_domains_forget(struct nth_team *team);

/* I1; nobody is at work. */
bool nth_task_domain_valid(struct nth_task_domain *d);

#endif
