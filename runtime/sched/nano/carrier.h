/* carrier.h - a carrier's queue of identities, its sleep and its alarm
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Use         put: an identity that nobody runs any longer waits in the queue. take, steal: an
 *             identity that can go on leaves the carrier's own queue, or another one of the family.
 *             doze: the OS thread sleeps until some identity may be able to go on
 * Orders      A   alarm: an addition, full fence, then asleep; the sleeper: asleep, full fence, its
 *                 queue, then the kernel's look at the alarm
 *             F   a family's list: a carrier that joins releases its fields -> who looks through
 *                 the list
 * Cost        put, take: one lock each; take also looks at what the identities before the taken one
 *             wait for
 * Tested by   tests/model/doze, tests/lit/members
 * Note        A carrier at rest calls this on a stack whose TLS another OS thread may be using. So
 *             nothing here touches TLS, and sanitizers do not see it (CMakeLists.txt)
 */
#ifndef NTH_SCHED_CARRIER_H
#define NTH_SCHED_CARRIER_H

#include "runtime/base/check.h"
#include "runtime/sched/nano/identity.h"

/* Special conditions, for all families. Each but the last is set once and stays. w: any; r: all
 * NTH_ROOTS_ALONE  roots' OS threads take no guests: the program handles asynchronous signals
 *                  (carry.h)
 * NTH_OWN_STACKS   OS threads keep no stack for signals (overflow.h)
 * NTH_APART_SEEN   members of a family have waited on their own OS threads (watchdog.h)
 * NTH_MOVES        members change their carrier at each chance, in tests
 * NTH_LIMITED      fewer processors are asked for (permit.h). */
enum {
  NTH_ROOTS_ALONE = 1,
  NTH_OWN_STACKS = 2,
  NTH_APART_SEEN = 4,
  NTH_MOVES = 8,
  NTH_LIMITED = 16
};
extern _Atomic(uint32_t) nth_carrier_special;
static inline bool nth_carrier_is(uint32_t what) {
  return nth_unlikely((nth_load_rlx(&nth_carrier_special) & what) != 0);
}

/* Whether c's OS thread runs its root alone. */
static inline bool nth_carrier_alone(const struct nth_carrier *c) {
  return nth_carrier_is(NTH_ROOTS_ALONE) && c->root;
}

/* Whether c is beyond a request for fewer processors. */
static inline bool nth_carrier_away(const struct nth_carrier *c) {
  return nth_permits_limited() && nth_load_rlx(&c->away);
}

/* Whether c, regular, takes no others for now. */
static inline bool nth_carrier_barred(const struct nth_carrier *c) {
  return nth_carrier_is(NTH_ROOTS_ALONE | NTH_LIMITED) &&
         (nth_carrier_away(c) || nth_carrier_alone(c));
}

/* Whether c looks for identities to run, and takes those that are ready. */
static inline bool nth_carrier_serves(const struct nth_carrier *c) {
  return nth_load_rlx(&c->regular) ? !nth_carrier_barred(c) : nth_load_rlx(&c->helps) != 0;
}

/* Finds out whether this kernel lets a thread sleep for several words. */
void nth_carrier_begin(void);

/* Puts x at the end of c's queue. False: the queue takes no more. */
bool nth_carrier_put(struct nth_carrier *c, struct nth_identity *x);
/* Puts several, linked by next, in one step. */
bool nth_carrier_put_all(struct nth_carrier *c, struct nth_identity *first);

/* Takes an identity that can go on out of c's queue; NULL: none can. now: ns; 0: time limits are
 * not looked at. me: the identity that c runs, or NULL. If one is taken, me is put into the queue,
 * and the caller then holds c's lock. It switches to the taken one and unlocks after the switch:
 * until then no carrier can run me. */
struct nth_identity *nth_carrier_take(struct nth_carrier *c, uint64_t now, struct nth_identity *me);

/* Takes an identity that polls (nth_identity.also), whether it can go on or not; NULL: none. */
struct nth_identity *nth_carrier_take_poller(struct nth_carrier *c);

/* Takes x out of c's queue; false: it is not there. */
bool nth_carrier_remove(struct nth_carrier *c, struct nth_identity *x);

/* Takes an identity that can go on out of another carrier's queue; carriers of c's domain come
 * first. Looks only at carriers that sleep or have not switched since the last look; any: looks at
 * all of them. */
struct nth_identity *nth_carrier_steal(struct nth_carrier *c, uint64_t now, bool any);

/* Wakes c if it sleeps. */
void nth_carrier_alarm(struct nth_carrier *c);
/* Wakes a regular carrier of the family that sleeps, other than c. */
void nth_carrier_call_one(struct nth_carrier *c);

/* Sleeps until something may have changed for an identity in c's queue or for me (may be NULL), or
 * until the alarm, or until that time, ns (0: no limit). By c's OS thread. */
void nth_carrier_doze(struct nth_carrier *c, struct nth_identity *me, uint64_t until);

/* Empties the queue; returns the identities, linked by next. over: the queue takes no more from now
 * on. */
struct nth_identity *nth_carrier_empty(struct nth_carrier *c, bool over);

/* From now on the queue, which is empty, takes identities. By whoever begins the OS thread. */
void nth_carrier_open(struct nth_carrier *c);

/* Whether x need not wait any longer. now: as for nth_carrier_take(). */
static inline bool nth_identity_can(const struct nth_identity *x, uint64_t now) {
  return !x->word || nth_load_rlx(x->word) != x->value || (x->also && nth_load_rlx(x->also)) ||
         (x->until != 0 && now >= x->until);
}

/* --- checks --- */

/* Whether c's lock is taken. False is certain only for a caller that holds the lock itself. */
static inline bool nth_carrier_held(const struct nth_carrier *c) {
  return nth_load_rlx(&c->lock.word) != NTH_MUTEX_FREE;
}

/* Whether a carrier runs x: the caller's own identity, or one that cannot change its state now. */
static inline bool nth_identity_runs(const struct nth_identity *x) {
  const struct nth_carrier *c = nth_load_rlx(&x->carrier);
  return c && nth_load_rlx(&c->current) == x;
}

/* The list of c's queue, and the state of each identity in it. Under lock, before the identity that
 * c runs is put (nth_carrier_take). */
static inline bool nth_carrier_valid(const struct nth_carrier *c) {
  const struct nth_identity *previous = 0;
  uint32_t count = 0;
  for (const struct nth_identity *x = c->first; x; previous = x, x = x->next, count++)
    if (x->queue != c || x->previous != previous || nth_identity_runs(x))
      return false;
  return nth_carrier_held(c) && c->last == previous && nth_load_rlx(&c->queued) == count &&
         !(c->over && count > 0);
}

#endif
