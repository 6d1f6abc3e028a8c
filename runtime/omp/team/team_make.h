/* team_make.h - the slow paths of a fork: making and changing teams
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why twins   `parallel if(n > 1000)` and num_threads() make regions of one member and larger ones
 *             come in turn. A team that changes its size writes its config line and its members'
 *             slots, which the slaves then have to read again: one and a half round trips of a
 *             line, more than the region itself takes. So a master's outermost team has a twin,
 *             and each of the two keeps its size.
 * Invariants  I5  of a team and its twin one is in the master's list; the other has no open region
 *             I6  exactly one of the two is_for_one: it has no workers, and is no group's home
 * Orders      K   known: the store of a new team object -> whoever goes through the list of all
 * Cost        a turn: some 10 stores to lines of the master's own; no lock, unless an inner team
 *             has taken workers in a region of one
 * Tested by   tests/lit/process/sizes_in_turn.c, counters.c; bench row region-sizes-1-2
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

/* Puts the twin in place of m's next team, if that serves regions of one and n is larger, or the
 * other way round. A twin for regions of one is made for the outermost team only, after a larger
 * region. Returns the team that is next now; NULL: nothing has changed. */
struct nth_team *nth_team_turn(struct nth_member *m, uint32_t n);
/* m's outermost team has no twin from now on; it is the one that had workers. Does nothing while
 * its region is open. */
void nth_team_part(struct nth_member *m);

/* Members of open regions, but for masters that run created threads; counted up to `most` or a
 * little beyond. A hint, for any thread. */
uint32_t nth_team_at_work(uint32_t most);

/* A team object that nobody uses, of size 0. NULL without memory, unless it is `needed`: then it
 * waits for memory. */
struct nth_team *nth_team_new(bool needed);
/* Takes the team object of a master that has ended, for the next master. */
void nth_team_reuse(struct nth_team *t);

/* In a forked child: the lock of the list of teams is free, and no region of another thread runs.
 */
void nth_team_make_forked(void);

#endif
