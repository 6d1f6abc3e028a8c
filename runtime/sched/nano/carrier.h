/* carrier.h - a carrier's queue of identities, its sleep and its alarm
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Use         put: x, which nobody runs any more, waits here. take, steal: one that can go on, of
 *             the own queue or of another one of the family. doze: sleeps until one may be able to
 * Orders      A   alarm: an addition, full fence, then asleep; the sleeper: asleep, full fence, its
 *                 queue, then the kernel's look at the alarm
 *             F   a family's list: who joins releases a carrier's fields -> who looks through it
 * Cost        put, take: one lock each, and a look at what each identity before the taken one waits
 *             for
 * Tested by   tests/model/doze, tests/lit/members
 * Note        a carrier at rest calls this on a stack whose TLS somebody else may be using: nothing
 *             here touches TLS, and sanitizers do not see it (CMakeLists.txt)
 */
#ifndef NTH_SCHED_CARRIER_H
#define NTH_SCHED_CARRIER_H

#include "runtime/sched/nano/identity.h"

/* What is out of the ordinary, in all families: roots' OS threads take no guests, since the program
 * handles asynchronous signals (carry.h); OS threads keep no stack for signals (overflow.h); a
 * family has been apart (watchdog.h); members change their carrier at each chance, in tests. Each
 * is set once and stays. w: any; r: all */
enum { NTH_ROOTS_ALONE = 1, NTH_OWN_STACKS = 2, NTH_APART_SEEN = 4, NTH_MOVES = 8 };
extern _Atomic(uint32_t) nth_carrier_special;
static inline bool nth_carrier_is(uint32_t what) {
  return nth_unlikely((nth_load_rlx(&nth_carrier_special) & what) != 0);
}

/* Whether c's OS thread is for its root alone. */
static inline bool nth_carrier_alone(const struct nth_carrier *c) {
  return nth_carrier_is(NTH_ROOTS_ALONE) && c->root;
}

/* Whether c looks for identities to run, and takes what is ready. */
static inline bool nth_carrier_serves(const struct nth_carrier *c) {
  return nth_load_rlx(&c->regular) ? !nth_carrier_alone(c) : nth_load_rlx(&c->helps) != 0;
}

/* Finds out how this kernel lets a thread sleep for several words. */
void nth_carrier_begin(void);

/* False: c takes no more. */
bool nth_carrier_put(struct nth_carrier *c, struct nth_identity *x);
/* The same of several, linked by next. */
bool nth_carrier_put_all(struct nth_carrier *c, struct nth_identity *first);

/* Takes an identity that can go on out of the queue; NULL: none can. now: ns, 0: identities that
 * wait for a time alone are passed over. me: the identity that c runs, or NULL. If there is one to
 * take, me is put into the queue, and the caller holds c's lock: it switches to the one that it
 * got, and unlocks behind the switch. Until then no carrier can run me. */
struct nth_identity *nth_carrier_take(struct nth_carrier *c, uint64_t now, struct nth_identity *me);

/* One that polls, whether it can go on or not. */
struct nth_identity *nth_carrier_take_poller(struct nth_carrier *c);

/* Takes x itself out; false: it is not there. */
bool nth_carrier_remove(struct nth_carrier *c, struct nth_identity *x);

/* The same of another carrier's queue, of those in c's domain first, if that one sleeps or has been
 * about something else since the last look; any: or not. */
struct nth_identity *nth_carrier_steal(struct nth_carrier *c, uint64_t now, bool any);

/* Wakes c if it sleeps. */
void nth_carrier_alarm(struct nth_carrier *c);
/* Wakes a regular carrier of the family that sleeps, other than c. */
void nth_carrier_call_one(struct nth_carrier *c);

/* Sleeps until something may have changed for an identity in c's queue, or for me (NULL: nobody),
 * or until the alarm, or that time, ns (0: no limit). */
void nth_carrier_doze(struct nth_carrier *c, struct nth_identity *me, uint64_t until);

/* All that are queued, linked by next. From then on c takes no more, with `over`, or takes some
 * again. */
struct nth_identity *nth_carrier_empty(struct nth_carrier *c, bool over);

/* Whether x has not to wait any more. */
static inline bool nth_identity_can(const struct nth_identity *x, uint64_t now) {
  return !x->word || nth_load_rlx(x->word) != x->value || (x->also && nth_load_rlx(x->also)) ||
         (x->until != 0 && now >= x->until);
}

#endif
