/* api_team.c - functions that tell where the calling thread is
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Programs call the first two functions in every static loop: one TLS load, one test, one load.
 *
 * OpenMP 5.2, sections 18.2 and 18.4. Outside of regions: thread 0 of 1, level 0, team 0 of 1.
 */
#include "abi_protos.h"

#include "runtime/omp/member/ancestors.h"
#include "runtime/omp/member/member.h"

/* Number of the calling thread in its team, from 0. 18.2.4. */
int omp_get_thread_num(void) {
  const struct nth_member *m = nth_self;
  return nth_likely(m != 0) ? (int)m->now.thread_num : 0;
}

/* Number of threads of the current team. 18.2.2. */
int omp_get_num_threads(void) {
  const struct nth_member *m = nth_self;
  return nth_likely(m != 0) ? (int)m->now.team_size : 1;
}

/* 1 inside an active region (with more than one thread) at any level; else 0. 18.2.5. */
int omp_in_parallel(void) {
  const struct nth_member *m = nth_self;
  return m && m->now.active_level > 0;
}

/* Number of regions around the caller, active or not. 18.2.17. */
int omp_get_level(void) {
  const struct nth_member *m = nth_self;
  return m ? (int)m->now.level : 0;
}

/* Number of active regions around the caller. 18.2.20. */
int omp_get_active_level(void) {
  const struct nth_member *m = nth_self;
  return m ? (int)m->now.active_level : 0;
}

/* Number of the caller's ancestor at a level from 0 to omp_get_level(); -1 for any other level.
 * 18.2.18. */
int omp_get_ancestor_thread_num(int level) {
  int num, size;
  return nth_member_ancestor(level, &num, &size) ? num : -1;
}

/* Size of the team of that ancestor; -1 for any other level. 18.2.19. */
int omp_get_team_size(int level) {
  int num, size;
  return nth_member_ancestor(level, &num, &size) ? size : -1;
}

/* Number of the team in its league, from 0. 18.4.2. */
int omp_get_team_num(void) { return (int)nth_member_league(nth_self).num; }

/* Number of teams of the league. 18.4.1. */
int omp_get_num_teams(void) { return (int)nth_member_league(nth_self).teams; }
