/* team_valid.h - invariants of a team as checks of the debug build
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         The slow paths of a fork change a team, and the fast ones trust it. These walks look
 *             at the whole team while no region of it runs.
 * Use         nth_assert_valid(nth_team_valid(t)), by the team's master
 * Falls short Fields that other threads may change at that moment are left out: the docks of
 *             workers, and the members of workers that may leave.
 */
#ifndef NTH_OMP_TEAM_VALID_H
#define NTH_OMP_TEAM_VALID_H

#include "runtime/omp/team/crew.h"
#include "runtime/omp/team/team.h"

/* Whether a region of more than one member runs. By the master. */
static inline bool nth_team_open(const struct nth_team *t) {
  return nth_load_rlx(&t->regions) % 2 != 0;
}

/* Sizes within the capacities, one level below the parent, all slots there and of different
 * members, which agree on the counts of barriers and singles (team.h I4). No region of t runs. */
static inline bool nth_team_valid(const struct nth_team *t) {
  if (t->size == 0 || t->size > NTH_MAX_TEAM || t->size > t->crew.capacity ||
      t->leaders.count > t->size)
    return false;
  if (t->level != (t->parent ? t->parent->level : 0) + 1 || t->active_level > t->level)
    return false;
  if (t->parent && t->master_num >= t->parent->size)
    return false;
  for (uint32_t i = 0; i < t->size; i++) {
    const struct nth_slot *s = t->slot[i];
    if (!s || !(s->implicit.flags & NTH_TASK_IMPLICIT) || (i > 0 && s == t->slot[i - 1]))
      return false;
    if (s->epoch != t->slot[0]->epoch || s->shares.singles != t->slot[0]->shares.singles)
      return false;
  }
  return true;
}

/* The team has a worker for each slave, of its crew (crew.h) and of its group alone. No slave has a
 * descriptor that it has not finished (team.h I2). A slave that the last region did not have may be
 * about to come back; it then finds that region closed. No region of t runs. */
static inline bool nth_team_crew_valid(const struct nth_team *t) {
  const struct nth_group *g = &t->group, *home = nth_load_rlx(&g->home);
  if (t->size > 1 && (t->size > g->size || !home || nth_load_rlx(&home->home) != home))
    return false;
  for (uint32_t i = 1; i < t->size; i++) {
    const struct nth_worker *p = g->proc[i];
    if (!p || !p->may_leave || p->rank == 0 || p->rank >= home->all_size ||
        home->all[p->rank] != p || nth_load_rlx(&p->group) != g ||
        !nth_djs_same(nth_load_rlx(&t->slot[i]->djs.count), nth_load_rlx(&t->crew.pjv[i])))
      return false;
  }
  return true;
}

/* Each slave's member has the state of its number in t, and finds the region closed (team.h L) if
 * that had tasks. After all have arrived, while the region still counts as open: then no worker
 * leaves. */
static inline bool nth_team_members_valid(const struct nth_team *t) {
  for (uint32_t i = 1; i < t->size; i++) {
    const struct nth_worker *p = t->group.proc[i];
    const struct nth_member *m = p->identity;
    if (!m || m->proc != p || m->now.thread_num != i || !nth_team_has(t, m))
      return false;
    if (nth_load_rlx(&t->tasked) && m->closed == nth_load_rlx(&t->join.closed))
      return false;
  }
  return true;
}

#endif
