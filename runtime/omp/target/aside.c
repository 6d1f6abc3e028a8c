/* aside.c - a member's OpenMP state, kept while its thread does something else
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/target/aside.h"

#include "runtime/base/check.h"
#include "runtime/omp/process/forked.h"
#include "runtime/omp/team/team.h"

/* The link to `team` in the list that begins at *link. */
static struct nth_team **link_to(struct nth_team **link, const struct nth_team *team) {
  while (*link != team)
    link = &(*link)->next;
  return link;
}

void nth_aside_put(struct nth_member *m, struct nth_aside *a) {
  nth_assert(!m->chain && !m->anything && m->due == 0);
  *a = (struct nth_aside){
      m->now,       m->league,           m->role, 0, m->left, m->left_before, m->berth,
      m->own_stack, nth_fork_generation, {0}};
  if (nth_tool_on())
    nth_told_aside_put(m, &a->told);
  if (m->teams != m->next_team) {
    a->teams = m->teams;
    *link_to(&m->teams, m->next_team) = 0;
    m->teams = m->next_team;
  }
  nth_member_alone(m);
  m->league = (struct nth_league){0, 1};
  m->role = 0;
  m->left = m->left_before = 0;
  m->berth = 0;
}

void nth_aside_back(struct nth_member *m, const struct nth_aside *a) {
  m->now = a->now;
  m->league = a->league;
  m->role = a->role;
  m->left = a->left;
  m->left_before = a->left_before;
  m->berth = a->berth;
  m->own_stack = a->own;
  if (nth_tool_on())
    nth_told_aside_back(m, &a->told);
  nth_assert(m->teams == m->next_team); /* I1 */
  if (a->teams) {
    m->teams = a->teams;
    *link_to(&m->teams, 0) = m->next_team;
  }
  if (nth_unlikely(a->generation != nth_fork_generation))
    nth_forked_state(m);
}
