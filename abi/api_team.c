/* api_team.c - functions that tell where the calling thread is
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenMP 5.2, sections 18.2 and 18.4; none fails. A thread that has not called the runtime is the
 * only one of its team. Programs call the first two in every static loop: one TLS load, one test,
 * one load.
 */
#include "abi_protos.h"

#include "runtime/omp/ancestors.h"
#include "runtime/omp/member.h"

/* 18.2.4. From 0. */
int omp_get_thread_num(void) {
  const struct nth_member *m = nth_self;
  return nth_likely(m != 0) ? (int)m->now.thread_num : 0;
}

/* 18.2.2. Of the innermost team. */
int omp_get_num_threads(void) {
  const struct nth_member *m = nth_self;
  return nth_likely(m != 0) ? (int)m->now.team_size : 1;
}

/* 18.2.5. 1 inside a region of more than one thread, however far out. */
int omp_in_parallel(void) {
  const struct nth_member *m = nth_self;
  return m && m->now.active_level > 0;
}

/* 18.2.17. Enclosing regions, active or not. */
int omp_get_level(void) {
  const struct nth_member *m = nth_self;
  return m ? (int)m->now.level : 0;
}

/* 18.2.20. Enclosing regions of more than one thread. */
int omp_get_active_level(void) {
  const struct nth_member *m = nth_self;
  return m ? (int)m->now.active_level : 0;
}

/* 18.2.18. -1: there is no such level. */
int omp_get_ancestor_thread_num(int level) {
  int num, size;
  return nth_member_ancestor(level, &num, &size) ? num : -1;
}

/* 18.2.19. -1: there is no such level. */
int omp_get_team_size(int level) {
  int num, size;
  return nth_member_ancestor(level, &num, &size) ? size : -1;
}

/* 18.4.2. Of the league; 0 outside teams. */
int omp_get_team_num(void) {
  return (int)nth_member_league(nth_self).num;
}

/* 18.4.1. Of the league; 1 outside teams. */
int omp_get_num_teams(void) {
  return (int)nth_member_league(nth_self).teams;
}
