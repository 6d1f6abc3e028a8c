/* ready.h - the tree of ready queues: who looks into which of them, and where members are idle
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Hierarchical ready queues, from "Efficient Runtime Thread Management for the
 *             Nano-Threads Programming Model", section 3.2. Work may be aimed at a domain instead
 *             of one processor. A member that looks for work takes what lies on its path from leaf
 *             to root before it goes further away. The members of a team have one such tree, the
 *             processors of nanogomp/nth.h another, with the same order of looks: the own deque,
 *             what others have aimed at the member, the domains on its path, its neighbours from
 *             near to far, the other domains.
 * Queues      Each kind of work has its own queue at a node; every queue begins with struct
 *             nth_ready. Tasks are in lists under locks (task_domain.h), since a wait takes
 *             descendants of one task out of the middle, and others go by priority. Nano-threads
 *             are in a queue like a processor's (nth/lrq.h), since they go in front or at the end,
 *             a million of them in one step, linked one way.
 * Idle        A member with more than it can do offers the rest to the lowest domain around it in
 *             which a member is idle. No member further away sees it before. A member counts as
 *             idle from the moment it has looked in vain for a while. Where there is one domain
 *             only, idle members are not counted.
 * Use         nth_ready_grow() and nth_ready_route() when a team is laid; nth_ready_idle() when a
 *             member becomes idle and when it stops being so; nth_ready_lowest()
 * Invariants  I1  the nodes in use are the first `nodes`. A node is never freed: late readers see
 *                 valid memory
 * Orders      idle is a hint. A tree and its routes are set when the team or machine is made
 * Cost        idle: a locked addition for each level, none on a machine of one domain. lowest: a
 *             load for each level
 * Tested by   tests/unit/task_domain.c, tests/unit/machines.c, tests/lit/tasks/batch_domains.c,
 *             tests/lit/nth/domains.c
 */
#ifndef NTH_SCHED_READY_H
#define NTH_SCHED_READY_H

#include "runtime/base/atomic.h"
#include "runtime/base/check.h"
#include "runtime/base/text.h"
#include "runtime/place/domains/route.h"

struct nth_ready {
  /* Members here that look for work; w: a member that becomes idle or busy; r: one with work to
   * give */
  _Alignas(NTH_APART) _Atomic(uint32_t) idle;
  /* How many tasks without a priority, batches or nano-threads came and went so far; w: who puts or
   * takes one; r: reports */
  _Atomic(uint32_t) put, taken;
  uint32_t depth;         /* in the tree; set when the team or machine is made */
  struct nth_ready *next; /* in the list of all nodes; set once */
};

struct nth_ready_tree {
  struct nth_ready **node; /* [made] */
  uint32_t nodes, made;    /* I1 */
};

/* Makes a queue of `size` bytes, all zero, for each node of the layout that has members. */
void nth_ready_grow(struct nth_ready_tree *t, const struct nth_layout *l, size_t size);
/* Makes one for each node of another tree, whose routes lead through this tree too. */
void nth_ready_grow_like(struct nth_ready_tree *t, const struct nth_ready_tree *other, size_t size);

/* Lays the route of member i. *room: memory for the spans of a long route; moves on by those. */
void nth_ready_route(struct nth_route *r, const struct nth_layout *l, uint32_t i,
                     struct nth_span **room);

static inline struct nth_ready *nth_ready_at(const struct nth_ready_tree *t,
                                             const struct nth_route *r, uint32_t level) {
  nth_assert(level < r->nodes && r->node[level].begin < t->made);
  return t->node[r->node[level].begin];
}

/* The owner of the route becomes idle (by: 1) or busy (by: UINT32_MAX). */
static inline void nth_ready_idle(const struct nth_ready_tree *t, const struct nth_route *r,
                                  uint32_t by) {
  nth_assert(by == 1 || by == UINT32_MAX);
  for (uint32_t level = 0; r->path > 1 && level < r->path; level++)
    nth_add_rlx(&nth_ready_at(t, r, level)->idle, by);
}

/* The lowest level on the path at which a member is idle; if none is known, r->path. */
static inline uint32_t nth_ready_lowest(const struct nth_ready_tree *t, const struct nth_route *r) {
  nth_assert(r->path <= r->nodes);
  uint32_t level = r->path > 1 ? 0 : r->path;
  while (level < r->path && nth_load_rlx(&nth_ready_at(t, r, level)->idle) == 0)
    level++;
  return level;
}

/* In a forked child: another thread may have been making a tree. */
void nth_ready_forked(void);
/* In a forked child: no member of the tree is idle. */
void nth_ready_forget(struct nth_ready_tree *t);

/* Adds a line "ready: DEPTH PUT TAKEN" to a report for each depth at which something was put, all
 * trees together. */
void nth_ready_text(struct nth_text *t);

/* I1; each node is a tree's once, at a depth that reports know. By the tree's maker. */
static inline bool nth_ready_valid(const struct nth_ready_tree *t) {
  for (uint32_t k = 0; k < t->made; k++) {
    if (!t->node[k] || t->node[k]->depth >= NTH_DOMAIN_LEVELS)
      return false;
    for (uint32_t i = 0; i < k; i++)
      if (t->node[i] == t->node[k])
        return false;
  }
  return t->nodes <= t->made;
}

#endif
