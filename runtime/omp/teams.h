/* teams.h - teams constructs on the host: a league of teams, one after the other
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         OpenMP 5.2, section 10.2. Teams may not synchronise with each other, so the encountering
 *             thread runs them in turn, each as an initial task with its own ICVs.
 */
#ifndef NTH_OMP_TEAMS_H
#define NTH_OMP_TEAMS_H

#include <stdint.h>

/* num_teams, thread_limit 0: the ICV's value; without one 3 teams, no limit. */
void nth_teams_run(void (*fn)(void *), void *data, uint32_t num_teams, uint32_t thread_limit);

#endif
