/* lay.h - a team is laid along the tree of memory domains
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         The tree is the machine's, a layout is arithmetic (place/domains/route.h); which
 *             group a team has, where its members are bound, and so where its queues stand and whom
 *             its members rob first, is known here.
 * Use         nth_lay_plan() for a region that does not find its team as it was; nth_lay_team()
 *             when the plan, the size or the seats are other ones. Both by the master while no
 *             region of the team runs.
 * Stale       A nested team keeps the group it was laid for while nothing else about it changes,
 *             also when the team around is laid again: groups are about speed, and its threads stay
 *             where they are.
 * Cost        slow paths; a fork that finds its team as it was looks at nothing of this
 * Tested by   tests/unit/machines.c, task_domain.c, lit/topology, lit/tasks/domains.c
 */
#ifndef NTH_OMP_LAY_H
#define NTH_OMP_LAY_H

#include "runtime/base/text.h"
#include "runtime/omp/types/team_type.h"
#include "runtime/place/domains/route.h"

struct nth_member;
struct nth_seating;

/* The group for a region of n members that m forks next. The first one that is large enough makes m
 * look at the machine. */
struct nth_part nth_lay_plan(const struct nth_member *m, uint32_t n);

static inline bool nth_lay_same(const struct nth_part *a, const struct nth_part *b) {
  return a->tree == b->tree && a->first == b->first && a->count == b->count && a->split == b->split;
}

/* All of the tree in force, not split. */
struct nth_part nth_lay_all(void);

/* The pool of descriptors for member i of n. seating NULL: it is not bound. */
uint32_t nth_lay_pool(const struct nth_part *part, const struct nth_seating *seating, uint32_t i,
                      uint32_t n);

/* Lays n members: queues of domains, routes, and the barrier's first groups. */
void nth_lay_team(struct nth_team *t, const struct nth_part *part, uint32_t n,
                  const struct nth_seating *seating);

/* Lines for a report, after a look at the machine: the tree, where it is from, the groups that the
 * OMP_NUM_THREADS list makes, seats. As Python reads them: nanogomp_lib/machine.py. */
void nth_lay_text(struct nth_text *t);

#endif
