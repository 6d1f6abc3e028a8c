/* crew.c - the workers of a team whose OS threads may end, and the masters that they work for
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/team/crew.h"

#include "runtime/omp/team/team_make.h"

static struct nth_team *team_of(struct nth_group *g) {
  return (struct nth_team *)((char *)g - offsetof(struct nth_team, group));
}

void nth_crew_enrol(struct nth_team *t, uint32_t n) {
  nth_assert(n <= 1 || n <= t->group.size);
  for (uint32_t i = 1; i < n; i++)
    if (!t->group.proc[i]->may_leave)
      t->group.proc[i]->may_leave = true;
}

/* A surplus worker, which its root's team has no place for and no other team has, leaves at its
 * second look: the team must be prepared before it has that worker. Any other worker only asks at
 * its first look. The master then takes the slow path at its next region and sees which workers are
 * there; a region that it had begun to open runs by the second look. While a region runs, the
 * worker stays, for it may be called for tasks. */
bool nth_crew_spares(struct nth_worker *p, uint32_t looks) {
  nth_assert(p->may_leave && p->rank > 0); /* not a root's, which never docks */
  struct nth_group *g = nth_load_rlx(&p->group);
  struct nth_group *home = g ? nth_load_rlx(&g->home) : 0;
  if (!home) /* it is being released */
    return false;
  struct nth_team *t = team_of(g), *first = team_of(home);
  uint32_t wanted = nth_load_rlx(&first->crew.wanted);
  bool surplus = p->rank >= NTH_CREW_SIZE(wanted);
  if (!surplus && (wanted & NTH_CREW_KEPT))
    return false;
  surplus &= t == first;
  if (!surplus &&
      ((nth_load_rlx(&t->crew.wanted) & NTH_CREW_KEPT) || nth_load_rlx(&t->regions) % 2 != 0))
    return false;
  if (looks > 0 && (surplus || nth_load_rlx(&t->crew.allowed) == NTH_TEAM_IDLE))
    return true;
  nth_store_rlx(&t->crew.allowed, NTH_TEAM_IDLE);
  return false;
}

void nth_crew_lost(struct nth_group *g) { nth_store_rlx(&team_of(g)->crew.allowed, NTH_TEAM_IDLE); }

/* The leaving thread takes its member with it, and the teams of that member give their workers to
 * others. nth_crew_renew gives the worker `from` another member. */
void nth_crew_move(struct nth_worker *from, struct nth_worker *to) {
  struct nth_member *m = from->identity;
  nth_assert(m && m->proc == from && from != to && !to->identity);
  nth_assert(!m->lent && !m->is_root);
  nth_team_part(m);
  for (struct nth_team *t = m->teams; t; t = t->next) {
    nth_group_give_back(&t->group, 1);
    t->size = 0;
  }
  m->proc = to;
  to->identity = m;
  from->identity = 0;
}

void nth_crew_carried(struct nth_worker *p) {
  struct nth_member *m = p->identity;
  if (m)
    m->identity = nth_worker_self(p);
}

void nth_crew_renew(struct nth_worker *p) {
  nth_assert(!p->identity);
  p->identity = nth_member_for_worker(p, p->leaf, 0);
}

void nth_crew_relinquish(struct nth_worker *p) {
  nth_assert(p->identity);
  nth_member_unused(p->identity);
  p->identity = 0;
}
