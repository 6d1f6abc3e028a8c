/* api_team.c - functions that tell where the calling thread is
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Programs call the first two in every static loop: one TLS load, one test, one load.
 */
#include "abi_protos.h"

#include "runtime/omp/ancestors.h"
#include "runtime/omp/member.h"

int omp_get_thread_num(void) {
  const struct nth_member *m = nth_self;
  return nth_likely(m != 0) ? (int)m->now.thread_num : 0;
}

int omp_get_num_threads(void) {
  const struct nth_member *m = nth_self;
  return nth_likely(m != 0) ? (int)m->now.team_size : 1;
}

int omp_in_parallel(void) {
  const struct nth_member *m = nth_self;
  return m && m->now.active_level > 0;
}

int omp_get_level(void) {
  const struct nth_member *m = nth_self;
  return m ? (int)m->now.level : 0;
}

int omp_get_active_level(void) {
  const struct nth_member *m = nth_self;
  return m ? (int)m->now.active_level : 0;
}

int omp_get_ancestor_thread_num(int level) {
  int num, size;
  return nth_member_ancestor(level, &num, &size) ? num : -1;
}

int omp_get_team_size(int level) {
  int num, size;
  return nth_member_ancestor(level, &num, &size) ? size : -1;
}

int omp_get_team_num(void) {
  return (int)nth_member_league(nth_self).num;
}

int omp_get_num_teams(void) {
  return (int)nth_member_league(nth_self).teams;
}
