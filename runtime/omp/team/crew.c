/* crew.c - which workers of a team may lose their OS threads, and who works for whom
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/team/crew.h"

static struct nth_team *team_of(struct nth_group *g) {
  return (struct nth_team *)((char *)g - offsetof(struct nth_team, group));
}

void nth_crew_enrol(struct nth_team *t, uint32_t n) {
  for (uint32_t i = 1; i < n; i++)
    if (!t->group.proc[i]->spared)
      t->group.proc[i]->spared = true;
}

/* A worker that its root's team has no place for, and that no other team has, leaves at its second
 * look: that team must be prepared before it has one. Of another one the first look asks, so that
 * the master takes the slow path at its next region, where it sees who is there; a region that it
 * had begun to open by then is under way at the second. While a region runs it may be called for
 * tasks of it. */
bool nth_crew_spares(struct nth_worker *p, uint32_t looks) {
  struct nth_group *g = nth_load_rlx(&p->group);
  struct nth_group *home = g ? nth_load_rlx(&g->home) : 0;
  if (!home) /* it is being released */
    return false;
  struct nth_team *t = team_of(g), *first = team_of(home);
  uint32_t wanted = nth_load_rlx(&first->wanted);
  bool surplus = p->rank >= NTH_CREW_SIZE(wanted);
  if (!surplus && (wanted & NTH_CREW_KEPT))
    return false;
  surplus &= t == first;
  if (!surplus &&
      ((nth_load_rlx(&t->wanted) & NTH_CREW_KEPT) || nth_load_rlx(&t->regions) % 2 != 0))
    return false;
  if (looks > 0 && (surplus || nth_load_rlx(&t->allowed) == NTH_TEAM_IDLE))
    return true;
  nth_store_rlx(&t->allowed, NTH_TEAM_IDLE);
  return false;
}

void nth_crew_lost(struct nth_group *g) { nth_store_rlx(&team_of(g)->allowed, NTH_TEAM_IDLE); }

/* Its own teams' workers are for others: when the thread has left for good, its slot gets another
 * one. */
void nth_crew_move(struct nth_worker *from, struct nth_worker *to) {
  struct nth_member *m = from->identity;
  for (struct nth_team *t = m->teams; t; t = t->next) {
    nth_group_give_back(&t->group, 1);
    t->size = 0;
  }
  m->proc = to;
  to->identity = m;
  from->identity = 0;
}

void nth_crew_renew(struct nth_worker *p) {
  nth_assert(!p->identity);
  p->identity = nth_member_for_worker(p, p->leaf, 0);
}

void nth_crew_relinquish(struct nth_worker *p) {
  nth_member_unused(p->identity);
  p->identity = 0;
}
