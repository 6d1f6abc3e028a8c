/* team_make.h - the slow paths of a fork: choosing a team's size, making and changing teams
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Orders      K   known: the store of a new team object -> whoever goes through the list of all
 */
#ifndef NTH_OMP_TEAM_MAKE_H
#define NTH_OMP_TEAM_MAKE_H

#include "runtime/omp/team/team.h"

/* The caller's team for its next region, with its config line and slots as the region needs them.
 * It has n members, or fewer if the system refuses some. bind: the proc_bind clause. Never NULL. */
struct nth_team *nth_team_prepare(struct nth_member *m, uint32_t n, uint32_t bind);

/* Gives the first n members the master's count of barriers and the team's count of singles, while
 * no region runs. For members that missed regions, and for a whole team after a change of its
 * barrier or a cancelled region. */
void nth_team_catch_up(struct nth_team *t, uint32_t n);

/* A team of n members, or fewer if the system refuses some, that serves no regions: its slaves are
 * docked and may be given work by descriptors of their own. The first call takes the caller's next
 * team, and the caller's regions use the teams after it. */
struct nth_team *nth_team_lend(struct nth_member *m, uint32_t n);
/* Ends that loan: its workers serve the caller's regions from now on, or leave. ends: they leave at
 * once if no region is open, and those of the other teams too. */
void nth_team_take_back(struct nth_member *m, bool ends);

/* Members of open regions, but for masters that run created threads; counted up to `most` or a
 * little beyond. A hint, for any thread. */
uint32_t nth_team_at_work(uint32_t most);

/* Takes the team object of a master that has ended, for the next master. */
void nth_team_reuse(struct nth_team *t);

/* In a forked child: the lock of the list of teams is free, and no region of another thread runs.
 */
void nth_team_make_forked(void);

#endif
