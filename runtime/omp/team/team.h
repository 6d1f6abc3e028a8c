/* team.h - a team of members: fork, join, and what its constructs share
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         GOMP_parallel puts one work descriptor into the array of each worker of the group
 *             (LWD) or of the whole group (GWD), and joins through the DJS. A master keeps one team
 *             object for each nesting depth (hot team), so that its next region finds everything in
 *             place. Regions of one member use it too.
 * Use         t = nth_team_mine(); nth_team_fork(t); fn(data); nth_team_join(t)
 * Invariants  I1  the master writes the config line only while no region of the team runs, and only
 *                 when something in it changes
 *             I2  pjv[i] = descriptors given to slave i, >= the slave's DJS count
 *             I3  a team object and its slots are never freed: a late reader of their lines sees
 *                 valid memory. The arrays slot and pjv are freed when the team grows: they are
 *                 for members, and for others while a task that these finish keeps the region open
 *             I4  all members of a region agree on slot->epoch and shares.singles at its start
 * Orders      wdarray:A publishes the config line and the private parts of the slots to the slaves,
 *             djs:A the members' writes to the master
 *             G   pjv: a recaller's CAS -> the next recaller's load, so that descriptors have one
 *                 producer after the other. The fork raises all counts before it puts its first
 *                 descriptor, which publishes them (wdarray:A). So no slave is recalled before it
 *                 has its own descriptor. The join's last look at all slots sees the raised pjv
 *                 through the arrivals of the members that recalled, or the end of the task that a
 *                 recaller outside the team finishes (task:A)
 *             L   closed: a slave looks for tasks, then it arrives. A task that is queued in
 *                 between is announced to nobody. So a docked slave comes back: it sets its bit
 *                 (djs.h), has a fence made in all threads, and loads tasked, closed and pjv. The
 *                 region runs if tasked is set, closed is as it was when the slave began the
 *                 region, and pjv as it was at the arrival. The join of a region with tasks changes
 *                 closed, full fence, and looks at the bits. If the join finds one, it looks again
 *                 later. No task is left by then, so no slave has to come back
 *             S   master: master_sleeps, sleep bit, full fence, load of tasked. If that is set, it
 *                 has a fence made in all threads (task:F) and looks for tasks. A task's maker:
 *                 tasked and a full fence, for the region's first task; push, light fence, load of
 *                 master_sleeps; then it takes the sleep bit off
 * Cost        for each slave one line out (descriptor) and one line back (DJS); shared lines stay
 *             unchanged
 * Tested by   tests/model/team, back, recall, search, tests/lit/parallel, tests/lit/tasks
 */
#ifndef NTH_OMP_TEAM_H
#define NTH_OMP_TEAM_H

#include "runtime/omp/member/member.h"
#include "runtime/omp/team/lay.h"
#include "runtime/omp/types/team_type.h"
#include "runtime/omp/worksharing/loop.h"
#include "runtime/omp/worksharing/workshare.h"
#include "runtime/place/places/allowed.h"
#include "runtime/sched/threads/holder.h"
#include "runtime/struct/bell.h"

/* The master's seat and the proc_bind clause, on which the members' seats depend besides the ICVs;
 * 0: not bound. The clause means nothing to a thread that is not bound. */
static inline uint64_t nth_team_seating(const struct nth_member *m, uint32_t bind) {
  return m->now.seat ? m->now.seat | (uint64_t)bind << NTH_SEAT_POLICY_SHIFT : 0;
}

/* The team that the caller forks next, ready for n members. The system may give fewer: t->size says
 * how many. bind: the region's proc_bind clause, NTH_BIND_; 0: none. */
struct nth_team *nth_team_mine(struct nth_member *m, uint32_t n, uint32_t bind);
/* Starts a region of that team and makes the caller its member 0. The other members run fn(data);
 * the caller runs it itself. */
void nth_team_fork(struct nth_member *m, struct nth_team *t, void (*fn)(void *), void *data);

/* The same for a region that a tool hears of: the other members call nth_team_told. The descriptor
 * has the program's function and its data, and the address of the tool's record of the region is in
 * the team, mostly as it was. So the descriptor's line is the only one that the master has just
 * written and that a slave needs to begin. loop: the construct begins with one. */
void nth_team_fork_told(struct nth_member *m, struct nth_team *t, void (*fn)(void *), void *data,
                        struct nth_tool_region *region, bool loop);
/* What they call; w: the tool's start. */
extern void (*nth_team_told)(struct nth_member *m, void (*fn)(void *), void *data, bool loop);

/* Waits for the members and ends the region. The caller is in its encountering task again. */
void nth_team_join(struct nth_member *m, struct nth_team *t);

/* A whole parallel construct: GOMP_parallel. clause: num_threads clause, bind: proc_bind clause; 0:
 * none. Returns the number of members that it had. */
uint32_t nth_team_parallel(void (*fn)(void *), void *data, uint32_t clause, uint32_t bind);

/* Ends the workers that the thread holds. False, and nothing happens: the caller is inside a
 * region. */
bool nth_team_pause(struct nth_member *m);

/* The first of all team objects that there have been, which go on with nth_team.known: for
 * reports. */
struct nth_team *nth_team_known(void);

/* Whether the caller is a member of a region of more than one. */
static inline bool nth_team_in_region(void) {
  const struct nth_member *m = nth_member_known();
  return m && m->now.active_level > 0;
}

/* A docked slave looks once more for tasks of its last region, if that still runs; true: it found
 * some (nth_holder_config.come_back). */
bool nth_team_come_back(struct nth_worker *p);

/* Runs a slave's part of the region that the descriptor is for (nth_holder_config.run). */
void nth_team_run(struct nth_worker *p, const struct nth_wd *wd);

#endif
