/* ancestors.c - the place of a member in the nest of teams
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/member/ancestors.h"
#include "runtime/omp/types/team_type.h"

bool nth_member_ancestor(int level, int *thread_num, int *team_size) {
  const struct nth_member *m = nth_self;
  int here = m ? (int)m->now.level : 0;
  if (level < 0 || level > here)
    return false;
  *thread_num = 0;
  *team_size = 1;
  if (level == 0)
    return true;
  const struct nth_team *t = m->now.team;
  uint32_t num = m->now.thread_num, size = m->now.team_size;
  for (; here > level; here--) { /* each level has one team, and its master is a member of the
                                  * team around it */
    nth_assert(t && t->level == (uint32_t)here);
    num = t->master_num;
    t = t->parent;
    size = t->size;
  }
  *thread_num = (int)num;
  *team_size = (int)size;
  return true;
}

struct nth_league nth_member_league(const struct nth_member *m) {
  if (!m)
    return (struct nth_league){0, 1};
  const struct nth_team *t = m->now.team;
  while (t && t->parent)
    t = t->parent;
  return t ? t->league : m->league;
}
