/* teams.h - teams constructs on the host: a league of teams, one after the other
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         OpenMP 5.2, section 10.2. Teams may not synchronise with each other, so the
 *             encountering thread runs them in turn. Each is an initial task with its own ICVs:
 *             those of the encountering task, in a target region those of the region.
 */
#ifndef NTH_OMP_TEAMS_H
#define NTH_OMP_TEAMS_H

#include <stdbool.h>
#include <stdint.h>

struct nth_member;

/* num_teams, thread_limit 0: the ICV's value; if that is not set, 3 teams and no limit. ra: where
 * in the program the construct is, for a tool. */
void nth_teams_run(void (*fn)(void *), void *data, uint32_t num_teams, uint32_t thread_limit,
                   const void *ra);

/* A teams construct in a target region, whose code calls this before each run of the body. True for
 * each of the `teams` teams (0: one), false after the last. */
bool nth_teams_next(struct nth_member *m, uint32_t teams, uint32_t thread_limit, bool first,
                    const void *ra);

#endif
