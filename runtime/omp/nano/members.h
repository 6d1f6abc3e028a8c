/* members.h - the members that are nano-threads: which, and how they get their work
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Members beyond the CPUs take turns at user level (carry.h) instead of in the kernel.
 *             NTH_MEMBERS: os    each member is an OS thread
 *                          nano  members for which there is no CPU are nano-threads
 *                          auto  os while the teams of a root fit the CPUs and cannot be nested;
 *                                from its first team on that does not fit, as nano
 * Limits      docs/members.md; where nano-threads would not be sound they are refused, with the
 *             reason if NTH_VERBOSE=1
 */
#ifndef NTH_OMP_MEMBERS_H
#define NTH_OMP_MEMBERS_H

#include "runtime/omp/types/team_type.h"
#include "runtime/sched/nano/carry.h"

/* Makes the decisions that need only the environment, once it has been read. */
void nth_members_begin(void);

/* Called before m, outside all regions, opens a region of n members; nests: other regions are
 * opened in it. From now on m's teams may have nano-threads if they need any. Then all of them are
 * prepared again. True: the teams need nano-threads, but have OS threads for now, since m may soon
 * end. Then the caller asks again before m's next region. */
bool nth_members_need(struct nth_member *m, uint32_t n, bool nests);
/* m ends; its teams are still its own. */
void nth_members_over(const struct nth_member *m);

/* The family that carries new members of m's teams; NULL: they are OS threads. */
struct nth_family *nth_members_family(struct nth_member *m);

/* How many leaders a team of n has; 0: no member is a nano-thread. Nano-threads get their work, and
 * arrive at barriers, by groups. Member i belongs to leader i % leaders: the master or one of the
 * first slaves, which have OS threads that look for work. So the lines of a group mostly stay in
 * one cache, and the master writes one line for each leader. */
uint32_t nth_members_leaders(const struct nth_team *t, uint32_t n);

/* How many consecutive members have one leader. If a smaller team's members lately shared out the
 * workers of this team of n, it is the number that had an inner team together. Outer member g's
 * inner team runs with the leader of g, so both find their part of the data in one cache. Otherwise
 * 1. */
uint32_t nth_members_strip(const struct nth_team *t, uint32_t n);

/* Decides whether the members stay on their own OS threads; before the first region of n members
 * with this shape. t->parent is known. */
void nth_members_pin(struct nth_team *t, uint32_t n);

/* The master's part of a fork; the team's counts are raised, and a GWD's descriptor is put. */
void nth_members_fork(struct nth_member *m, struct nth_team *t, struct nth_wd *wd);
/* Member m, a leader, has its own descriptor: gives its group theirs. */
void nth_members_lead(struct nth_member *m, struct nth_team *t, const struct nth_wd *wd);
/* Measure the time when the master's body is over, and when the region is, if t->alone knows when
 * the region began. */
void nth_members_join(struct nth_team *t);
void nth_members_joined(struct nth_team *t);

/* Waits in t until *word changes from value, or a task is made. False: the caller has to announce
 * the wait and sleep. */
static inline bool nth_members_await(struct nth_member *m, struct nth_team *t,
                                     _Atomic(uint32_t) *word, uint32_t value) {
  nth_assert(t->leaders.count == 0 || m->identity);
  return t->leaders.count != 0 && !nth_env.cancellation &&
         nth_carry_await(m->identity, word, value, &t->tasked);
}
/* The same for the master, which waits for slave i. */
static inline bool nth_members_await_slave(struct nth_member *m, struct nth_team *t, uint32_t i) {
  _Atomic(uint32_t) *count = &t->slot[i]->djs.count;
  uint32_t value = nth_load_rlx(count);
  return !nth_load_rlx(&t->tasked) &&
         !nth_djs_done(&t->slot[i]->djs, nth_load_rlx(&t->crew.pjv[i])) &&
         nth_members_await(m, t, count, value);
}

/* Waits in t until something is posted at p since the caller has seen its word, or until t is
 * cancelled. False: as above, or the caller has suspended tasks, which others may wait for. */
static inline bool nth_members_await_post(struct nth_member *m, struct nth_team *t,
                                          struct nth_progress *p, uint32_t seen) {
  nth_assert(t->leaders.count == 0 || m->identity);
  return t->leaders.count != 0 && m->now.slot->berths.suspended == 0 &&
         (nth_carry_await(m->identity, nth_progress_word(p), seen, &t->cancel.region) ||
          nth_load_rlx(&t->cancel.region));
}

/* Whether m's team has members that are nano-threads, so that m takes turns with some. */
static inline bool nth_members_take_turns(const struct nth_member *m) {
  const struct nth_team *t = m->now.team;
  return t && nth_unlikely(t->leaders.count < t->size && t->leaders.count != 0);
}

/* The program has said that m cannot go on for now: lets a member run that takes turns with m. */
static inline void nth_members_yield(struct nth_member *m) {
  if (nth_members_take_turns(m))
    (void)nth_carry_yield(m->identity);
}

#endif
