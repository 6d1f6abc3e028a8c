/* teams.c - teams constructs on the host: a league of teams, one after the other
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/target/teams.h"

#include "runtime/omp/member/member.h"
#include "runtime/omp/target/role.h"
#include "runtime/omp/told/told.h"

#define DEFAULT_TEAMS 3 /* libgomp's number if none is given */

static void run_told(struct nth_member *m, struct nth_role *role, void (*fn)(void *), void *data,
                     const void *ra) {
  struct nth_told_role told = {0};
  void *frame = __builtin_frame_address(0);
  nth_told_league_begin(m, &told, m->league.teams, ra, frame);
  for (uint32_t i = 0; i < m->league.teams; i++) {
    m->league.num = i;
    nth_role_restart(m, role, 0);
    nth_told_team_begin(m, &told, i, fn, frame);
    fn(data);
    nth_told_team_end(m, &told, i);
  }
  nth_told_league_end(m, &told);
}

void nth_teams_run(void (*fn)(void *), void *data, uint32_t num_teams, uint32_t thread_limit,
                   const void *ra) {
  struct nth_member *m = nth_member_get();
  struct nth_role role;
  uint32_t n = num_teams ? num_teams : nth_load_rlx(&nth_settings.num_teams);
  uint32_t limit = thread_limit ? thread_limit : nth_load_rlx(&nth_settings.teams_thread_limit);
  nth_role_enter(m, &role, m->now.icv, limit);
  m->league.teams = n ? n : DEFAULT_TEAMS;
  if (nth_tool_on()) {
    run_told(m, &role, fn, data, ra);
    nth_role_leave(m, &role);
    return;
  }
  for (uint32_t i = 0; i < m->league.teams; i++) {
    m->league.num = i;
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

/* What a tool hears before the next team of a target region, or behind the last one. */
static void tell_next(struct nth_member *m, uint32_t before, bool first, bool last,
                      const void *ra) {
  struct nth_told_role *told = m->role->told;
  if (!first)
    nth_told_team_end(m, told, before);
  if (last)
    nth_told_league_end(m, told);
  if (first)
    nth_told_league_begin(m, told, m->league.teams, ra, 0);
}

bool nth_teams_next(struct nth_member *m, uint32_t teams, uint32_t thread_limit, bool first,
                    const void *ra) {
  bool told = m->role && m->role->told;
  uint32_t before = m->league.num;
  if (first)
    m->league = (struct nth_league){0, teams ? teams : 1};
  bool last = !first && before + 1 >= m->league.teams;
  if (told)
    tell_next(m, before, first, last, ra);
  if (last)
    m->league = (struct nth_league){0, 1};
  else if (!first)
    m->league.num++;
  if (last)
    return false;
  if (m->role)
    nth_role_restart(m, m->role, limit_inside(m->role, thread_limit));
  else if (thread_limit)
    nth_icv_mine()->thread_limit = thread_limit;
  if (told)
    nth_told_team_begin(m, m->role->told, m->league.num, 0, 0);
  return true;
}
