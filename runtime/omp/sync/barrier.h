/* barrier.h - the team's barrier
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         OpenMP 5.2, section 15.3.1: a member passes when all members have come, and all tasks
 *             of the region so far are finished.
 * Kinds       flat   below NTH_TREE_FROM members: each writes its own line and reads the others'.
 *                    One line out, one in, no release
 *             tree   from there on: arrivals go up and the release goes down a tree. A leaf of it
 *                    is a row of members that share a cache; their thread numbers are consecutive
 *             crowded  more members than CPUs: a counter and one word to sleep on; the last member
 *                      wakes all
 * Tasks       An arrival carries a bit "I have made tasks since the last barrier". If any member
 *             has set it, the barrier gets a second phase: a member that sees no task left
 *             publishes barrier.released.
 * Invariants  I1  flat, tree: barrier.arrived >> 1 is the number of barriers that the member has
 *                 arrived at; crowded: arrivals and gathered count
 *             I2  a member that has arrived at barrier e + 1 has left e, so e is over for all
 *             I3  a task that is unfinished when all have arrived descends from one that a member
 *                 made between two barriers, which set that member's bit. So with no bit set all
 *                 tasks are finished
 * Orders      A   arrived (crowded: arrivals, gathered): exchange release -> load-acquire: what the
 *                 member wrote before
 *             R   released: exchange release -> load-acquire
 * Tested by   tests/model/barrier, tests/lit/sync
 */
#ifndef NTH_OMP_BARRIER_H
#define NTH_OMP_BARRIER_H

#include "runtime/omp/types/team_type.h"

enum { NTH_BARRIER_FLAT, NTH_BARRIER_TREE, NTH_BARRIER_CROWDED };

void nth_barrier(struct nth_member *m);

/* Asks for the lines of others that the barrier will read. For callers that have something to do
 * before they come to it: the last member then has the lines when it comes. */
void nth_barrier_ahead(const struct nth_member *m);

#endif
