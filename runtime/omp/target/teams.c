/* teams.c - teams constructs on the host: a league of teams, one after the other
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/target/teams.h"

#include "runtime/omp/member/member.h"
#include "runtime/omp/target/role.h"

#define DEFAULT_TEAMS 3 /* libgomp's number if none is given */

void nth_teams_run(void (*fn)(void *), void *data, uint32_t num_teams, uint32_t thread_limit) {
  struct nth_member *m = nth_member_get();
  struct nth_role role;
  uint32_t n = num_teams ? num_teams : nth_load_rlx(&nth_settings.num_teams);
  uint32_t limit = thread_limit ? thread_limit : nth_load_rlx(&nth_settings.teams_thread_limit);
  nth_role_enter(m, &role, m->now.icv, limit);
  m->league.teams = n ? n : DEFAULT_TEAMS;
  for (m->league.num = 0; m->league.num < m->league.teams; m->league.num++) {
    nth_role_restart(m, &role, 0);
    fn(data);
  }
  nth_role_leave(m, &role);
}

/* Teams without a clause never get a limit above the target region's. */
static uint32_t limit_inside(const struct nth_role *c, uint32_t clause) {
  uint32_t limit = nth_load_rlx(&nth_settings.teams_thread_limit);
  if (clause)
    return clause;
  return limit < c->icv.thread_limit ? limit : 0;
}

bool nth_teams_next(struct nth_member *m, uint32_t teams, uint32_t thread_limit, bool first) {
  if (first) {
    m->league = (struct nth_league){0, teams ? teams : 1};
  } else if (++m->league.num >= m->league.teams) {
    m->league = (struct nth_league){0, 1};
    return false;
  }
  if (m->role)
    nth_role_restart(m, m->role, limit_inside(m->role, thread_limit));
  else if (thread_limit)
    nth_icv_mine()->thread_limit = thread_limit;
  return true;
}
