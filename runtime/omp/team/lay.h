/* lay.h - laying a team along the tree of memory domains
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         The tree describes the machine, and a layout is arithmetic (place/domains/route.h).
 *             Only the team knows which group it has and where its members are bound. From these
 *             follow where its queues stand and whom its members rob first.
 * Use         nth_lay_plan() for a region that does not find its team unchanged; nth_lay_team()
 *             when the plan, the size or the seats differ. Both by the master while no region of
 *             the team runs.
 * Stale       A nested team keeps the group that it was laid for while nothing else about it
 *             changes, even when the team around it is laid again. Groups only affect speed, and
 *             its threads stay where they are.
 * Cost        slow paths only; a fork that finds its team unchanged reads nothing of this
 * Tested by   tests/unit/machines.c, task_domain.c, lit/topology, lit/tasks/domains.c
 */
#ifndef NTH_OMP_LAY_H
#define NTH_OMP_LAY_H

#include "runtime/base/text.h"
#include "runtime/omp/types/team_type.h"
#include "runtime/place/domains/route.h"

struct nth_member;
struct nth_seating;

/* The group for a region of n members that m forks next. If the region is the first one large
 * enough, m looks at the machine. */
struct nth_stretch nth_lay_plan(const struct nth_member *m, uint32_t n);

static inline bool nth_lay_same(const struct nth_stretch *a, const struct nth_stretch *b) {
  return a->tree == b->tree && a->first == b->first && a->count == b->count && a->split == b->split;
}

/* All of the tree in force, not split. */
struct nth_stretch nth_lay_all(void);

/* The number of the descriptor pool for member i of n. seating NULL: the member is not bound. */
uint32_t nth_lay_pool(const struct nth_stretch *stretch, const struct nth_seating *seating,
                      uint32_t i, uint32_t n);

/* Lays n members: the queues of domains, the routes, and the first groups of the barrier. */
void nth_lay_team(struct nth_team *t, const struct nth_stretch *stretch, uint32_t n,
                  const struct nth_seating *seating);

/* Writes the lines of a report, after a look at the machine: the tree, its origin, the groups that
 * the OMP_NUM_THREADS list makes, seats. nanogomp_lib/machine.py parses them. */
void nth_lay_text(struct nth_text *t);

#endif
