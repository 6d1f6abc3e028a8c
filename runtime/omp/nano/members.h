/* members.h - which members are nano-threads
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Members beyond the CPUs that take turns at user level (carry.h) instead of in the
 *             kernel.
 *             NTH_MEMBERS: os    each member is an OS thread
 *                          nano  those for which there is no CPU are nano-threads
 *                          auto  os for the teams of a root as long as they fit the CPUs and cannot
 *                                be nested; from the first one on that does not, nano for those
 *                                that do not
 * Limits      docs/members.md; where it would not be sound it is refused, with the reason if
 *             NTH_VERBOSE=1
 */
#ifndef NTH_OMP_MEMBERS_H
#define NTH_OMP_MEMBERS_H

#include "runtime/omp/types/team_type.h"
#include "runtime/sched/nano/carry.h"

/* After the environment has been read. */
void nth_members_begin(void);

/* Before m, outside all regions, opens one of n members, in which others are opened if it nests:
 * from now on its teams may have nano-threads if that is needed, and all of them are prepared
 * anew. */
void nth_members_need(struct nth_member *m, uint32_t n, bool nests);

/* The family that is to carry new members of t; NULL: they are OS threads. */
struct nth_family *nth_members_family(struct nth_member *m);

/* Nano-threads are given their work, and arrive at barriers, by groups: member i belongs to leader
 * i % leaders, the master or one of the first slaves, which have OS threads that look for work. So
 * the lines of a group mostly stay in one cache, and the master writes one line for each leader.
 * Returns how many leaders a team of n has; 0: no member is a nano-thread. */
uint32_t nth_members_leaders(const struct nth_team *t, uint32_t n);

/* The members that follow each other with one leader: in a team of n whose workers were lately
 * divided among the members of a smaller one, as many as had an inner team together. Outer member
 * g's inner team runs with the leader of g, so both find their part of the data in one cache. Else
 * 1. */
uint32_t nth_members_strip(const struct nth_team *t, uint32_t n);

/* Before the first region of n members with this shape: whether they stay on their own OS threads.
 * t->parent is known. */
void nth_members_pin(struct nth_team *t, uint32_t n);

/* The master's part of a fork, with the team's counts and a GWD's descriptor put. */
void nth_members_fork(struct nth_member *m, struct nth_team *t, struct nth_wd *wd);
/* Member m, a leader, has its own descriptor: its group gets theirs. */
void nth_members_lead(struct nth_member *m, struct nth_team *t, const struct nth_wd *wd);
/* The master's body is over, and the region is, where t->alone has its beginning. */
void nth_members_join(struct nth_team *t);
void nth_members_joined(struct nth_team *t);

/* A wait of m in t, with tasks looked for, for *word to change from value. False: it has to be
 * announced now. */
static inline bool nth_members_await(struct nth_member *m, struct nth_team *t,
                                     _Atomic(uint32_t) *word, uint32_t value) {
  return t->leaders != 0 && !nth_env.cancellation &&
         nth_carry_await(m->identity, word, value, &t->tasked);
}
/* The same of the master for slave i. */
static inline bool nth_members_await_slave(struct nth_member *m, struct nth_team *t, uint32_t i) {
  _Atomic(uint32_t) *count = &t->slot[i]->djs.count;
  uint32_t value = nth_load_rlx(count);
  return !nth_load_rlx(&t->tasked) && !nth_djs_done(&t->slot[i]->djs, nth_load_rlx(&t->pjv[i])) &&
         nth_members_await(m, t, count, value);
}

/* m cannot go on for now, as far as the program has said: a member that takes turns with it may. */
static inline void nth_members_yield(struct nth_member *m) {
  const struct nth_team *t = m->now.team;
  if (t && nth_unlikely(t->leaders < t->size && t->leaders != 0))
    (void)nth_carry_yield(m->identity);
}

#endif
