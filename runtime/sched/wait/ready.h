/* ready.h - the ready queues of domains: who looks into which of them, and where somebody is idle
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Hierarchical ready queues, from "Efficient Runtime Thread Management for the
 *             Nano-Threads Programming Model", section 3.2: work may be aimed at a domain instead
 *             of one processor, and who looks for work takes what is on its way from leaf to root
 *             before it goes further away. The members of a team and the processors of
 *             nanogomp/nth.h have one such tree each, and the same order of looks: their own deque,
 *             what others have aimed at them, the domains on their path, their neighbours from near
 *             to far, the other domains.
 * Queues      Each kind has its own at a node, which begins with struct nth_ready. Tasks: lists
 *             under locks (task_domain.h), since a wait takes descendants of one task out of
 *             the middle, and others go by priority. Nano-threads: a queue like a processor's
 *             (nth/lrq.h), since they go in front or at the end, a million of them in one step,
 *             linked one way.
 * Idle        Who has more than it can do offers the rest to the lowest domain around it in which
 *             somebody is idle: nobody further away sees it before. A member counts as idle from
 *             the moment it has looked in vain for a while. Where there is one domain only nobody
 *             counts.
 * Use         nth_ready_grow() and nth_ready_route() when a team is laid; nth_ready_idle() on the
 *             way into idleness and out of it; nth_ready_lowest()
 * Invariants  I1  the nodes in use are the first `nodes`. A node is never freed: late readers see
 *                 valid memory
 * Orders      idle is a hint. A tree and its routes are config of the team or machine
 * Cost        idle: a locked addition a level, none on a machine of one domain. lowest: a load a
 *             level
 * Tested by   tests/unit/task_domain.c, tests/unit/machines.c, tests/lit/tasks/batch_domains.c,
 *             tests/lit/nth/domains.c
 */
#ifndef NTH_SCHED_READY_H
#define NTH_SCHED_READY_H

#include "runtime/base/atomic.h"
#include "runtime/base/text.h"
#include "runtime/place/domains/route.h"

struct nth_ready {
  /* Members here that look for work; w: who gets idle or busy; r: who has work to give */
  _Alignas(NTH_APART) _Atomic(uint32_t) idle;
  /* Tasks without a priority, batches, nano-threads so far; w: who does so; r: reports */
  _Atomic(uint32_t) put, taken;
  uint32_t depth;         /* in the tree; config */
  struct nth_ready *next; /* of all there are; set once */
};

struct nth_ready_tree {
  struct nth_ready **node; /* [made] */
  uint32_t nodes, made;    /* I1 */
};

/* A queue of `size` bytes, all zero, for each node of the layout that has members. */
void nth_ready_grow(struct nth_ready_tree *t, const struct nth_layout *l, size_t size);
/* The same for each node of another tree, whose routes lead through this one, too. */
void nth_ready_grow_like(struct nth_ready_tree *t, const struct nth_ready_tree *other, size_t size);

/* The route of member i. *room: for the spans of a long one, moves on. */
void nth_ready_route(struct nth_route *r, const struct nth_layout *l, uint32_t i,
                     struct nth_span **room);

static inline struct nth_ready *nth_ready_at(const struct nth_ready_tree *t,
                                             const struct nth_route *r, uint32_t level) {
  return t->node[r->node[level].begin];
}

/* The owner of the route gets idle: 1, or busy: UINT32_MAX. */
static inline void nth_ready_idle(const struct nth_ready_tree *t, const struct nth_route *r,
                                  uint32_t by) {
  for (uint32_t level = 0; r->path > 1 && level < r->path; level++)
    nth_add_rlx(&nth_ready_at(t, r, level)->idle, by);
}

/* The lowest level on the path at which somebody is idle; if none is known, r->path. */
static inline uint32_t nth_ready_lowest(const struct nth_ready_tree *t, const struct nth_route *r) {
  uint32_t level = r->path > 1 ? 0 : r->path;
  while (level < r->path && nth_load_rlx(&nth_ready_at(t, r, level)->idle) == 0)
    level++;
  return level;
}

/* The child of a fork: nobody is idle. */
void nth_ready_forget(struct nth_ready_tree *t);

/* A line "ready: DEPTH PUT TAKEN" of a report for each depth at which something was put, all trees
 * together. */
void nth_ready_text(struct nth_text *t);

#endif
