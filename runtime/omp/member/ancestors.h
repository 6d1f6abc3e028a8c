/* ancestors.h - the place of a member in the nest of teams
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_OMP_ANCESTORS_H
#define NTH_OMP_ANCESTORS_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/omp/member/member.h"

/* Thread number and team size of the calling thread's ancestor at a level; the thread is its own
 * ancestor at its level. False: there is no such level. Level 0 is the initial task: 0 of 1. */
bool nth_member_ancestor(int level, int *thread_num, int *team_size);

/* The league, and the team of it, that the member works for. */
struct nth_league nth_member_league(const struct nth_member *m);

#endif
