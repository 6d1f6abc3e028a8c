/* team.h - a team of members: fork, join, and what its constructs share
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         GOMP_parallel puts one work descriptor into the array of each worker of the group
 *             (LWD) or of the group (GWD) and joins through the DJS. The team object stays with its
 *             master and nesting depth (hot team), so the next region finds everything in place;
 *             regions of one member use it too.
 * Use         t = nth_team_mine(); nth_team_fork(t); fn(data); nth_team_join(t)
 * Invariants  I1  the config line is written by the master while no region of the team runs, and
 *                 only when something in it changes
 *             I2  pjv[i] = descriptors given to slave i, >= the slave's DJS count
 *             I3  a team object is never freed (late readers of its lines see valid memory)
 *             I4  all members of a region agree on slot->epoch, slot->singles at its start
 * Orders      wdarray:A publishes the config line and the slots' private parts to the slaves, djs:A
 *             the members' writes to the master
 *             G   pjv: a recaller's CAS -> the next one's load: one producer after the other. The
 *                 fork's counts come before its first descriptor, through which (wdarray:A) a slave
 *                 sees them all: none is recalled before its own descriptor is put
 *             C   recalls: a recaller's addition -> the join's look: the raised pjv. A count, since
 *                 a flag that the master clears may hide a recall that is made meanwhile. The join
 *                 looks after the slaves' arrivals and after the tasks' ends, through which
 *                 recallers publish it
 *             S   master: master_sleeps, sleep bit, full fence, looks at tasked, and if it is set
 *                 has a fence made in all threads (task:F), looks for tasks; a task's maker:
 *                 tasked, full fence, when it is the region's first; pushes, light fence, reads
 *                 master_sleeps, takes the bit off
 * Cost        per slave: one line out (descriptor), one line back (DJS); shared lines unchanged
 * Tested by   tests/model/team, recall, search, tests/lit/parallel, tests/lit/tasks
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

/* Members for a parallel construct met now. clause: num_threads clause, 0: none. */
uint32_t nth_team_choose(struct nth_member *m, uint32_t clause);

/* What the members' seats hang on besides the ICVs: the master's seat and the proc_bind clause,
 * which means nothing to a thread that is not bound. */
static inline uint64_t nth_team_seating(const struct nth_member *m, uint32_t bind) {
  return m->now.seat ? m->now.seat | (uint64_t)bind << NTH_SEAT_POLICY_SHIFT : 0;
}

/* The team the caller forks next, made ready for n members. The system may give fewer: size says
 * how many. bind: the region's proc_bind clause, NTH_BIND_; 0: none. */
struct nth_team *nth_team_mine(struct nth_member *m, uint32_t n, uint32_t bind);
/* Starts a region of that team and makes the caller its member 0. fn(data) is what the others run;
 * the caller runs it itself. */
void nth_team_fork(struct nth_member *m, struct nth_team *t, void (*fn)(void *), void *data);

/* The implicit barrier and the end of the region; the caller is its encountering task again. */
void nth_team_join(struct nth_member *m, struct nth_team *t);

/* A whole parallel construct: GOMP_parallel. clause: num_threads, bind: proc_bind clause, 0: none.
 * Returns the number of members it had. */
uint32_t nth_team_parallel(void (*fn)(void *), void *data, uint32_t clause, uint32_t bind);

/* Outside any region: ends the thread's held workers. False inside one. */
bool nth_team_pause(struct nth_member *m);

/* Regions of more than one member that the process has opened so far. */
uint64_t nth_team_regions(void);

/* What a worker does with a region's descriptor (nth_holder_config.run). */
void nth_team_run(struct nth_worker *p, const struct nth_wd *wd);

#endif
