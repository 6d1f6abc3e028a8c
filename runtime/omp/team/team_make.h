/* team_make.h - choosing a team's size, making and changing teams: the slow paths of a fork
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_OMP_TEAM_MAKE_H
#define NTH_OMP_TEAM_MAKE_H

#include "runtime/omp/team/team.h"

/* The caller's team for its next region, with n members if the system gives them, its config line
 * and slots as the region needs them; bind: the proc_bind clause. Never NULL. */
struct nth_team *nth_team_prepare(struct nth_member *m, uint32_t n, uint32_t bind);

/* The region for which t took threads of its contention group has ended. */
void nth_team_give_threads(struct nth_team *t);

/* No region runs: the first n members get the master's count of barriers and the team's of singles.
 * For members that missed regions, or a whole team after a change of kind or a cancelled region. */
void nth_team_catch_up(struct nth_team *t, uint32_t n);

/* A team of n members, if the system gives them, for something else than regions: its slaves are
 * docked, and may be given work by descriptors of their own. First the caller's next one; its
 * regions use the teams behind it. */
struct nth_team *nth_team_lend(struct nth_member *m, uint32_t n);
/* Its workers serve the caller's regions from now on, or leave. ends: at once, if no region is
 * open, and those of the other teams, too. */
void nth_team_take_back(struct nth_member *m, bool ends);

/* An ended master's team object serves the next master. */
void nth_team_reuse(struct nth_team *t);

/* In a forked child. */
void nth_team_make_forked(void);

#endif
