/* carry.h - waits of nano-thread members: the OS thread runs another one meanwhile
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Members beyond the CPUs that the kernel has to schedule cost 50 to 100 us a barrier.
 *             Here a wait is a switch of 40 ns to another member, and what the members of one CPU
 *             wait for is looked at by one OS thread.
 * How         Every wait of a member ends in nth_sleep(word, value) (base/sleep.h), which with
 *             nano-threads comes here: the caller is put into its carrier's queue with what it
 *             waits for, and the first one of the queue that has not to wait any more goes on.
 *             Nobody has to tell the queue: it looks at the words. If there is none the OS thread
 *             looks on, at other carriers' queues as well, and sleeps in the end for all words of
 *             the queue at once (futex_waitv).
 *             The identity that is left goes into a queue only after the switch (`after`): before
 *             it another carrier could run it on the stack that is still in use. If the queue is
 *             the carrier's own, one step finds the next identity and puts this one in; the carrier
 *             holds the queue's lock until the switch is over, so that one lock serves both.
 * Signals     With handlers.h's word that the program handles asynchronous signals, a root's OS
 *             thread is for the root alone (nth_carrier_alone), so that a handler there finds the
 *             root's TLS, as soon as a guest that is on it waits next:
 *             - near_to() names no such carrier, and it neither takes nor steals. A guest that is
 *               put there all the same, by who has not seen the word, is put elsewhere by
 *               clear_out(), which comes before each search there; the put's alarm ends its sleep
 *             - a guest that waits there goes on with the root, whether that can go on or not: the
 *               root then sleeps on its own stack. If the root is elsewhere, by the watchdog's
 *               doing, it is put into its own queue with its next wait; the guest sleeps there
 *               meanwhile, with all signals blocked
 *             - what the root's OS thread had to run another regular carrier runs (stand_in()): the
 *               OS threads of a short region are no more than the CPUs, and a root that waits may
 *               spin
 *             - one OS thread at rest of the family helps in the root's place, so that all CPUs are
 *               used: the first one that puts itself into the root's place in the list (help()). It
 *               leaves the list as any carrier. A backlog wakes it; until there is one the backlog
 *               sends a guest to its own OS thread, which becomes it
 *             - while the helper is awake a root that waits does not spin: there is one OS thread
 *             more than CPUs
 * Cost        see identity.h
 * Tested by   tests/lit/members, tests/model/carried
 */
#ifndef NTH_SCHED_CARRY_H
#define NTH_SCHED_CARRY_H

#include "runtime/sched/nano/identity.h"
#include "runtime/sched/nano/self.h"

/* The calling thread's identity, NULL: it has none, or is not known yet as a member. */
static inline struct nth_identity *nth_identity_mine(void) {
  struct nth_member *m = nth_self;
  return m ? *(struct nth_identity **)m : 0; /* a member's first field */
}

/* From now on members may be nano-threads; once, before the first of them. moves: tests,
 * NTH_MOVES. */
void nth_carry_begin(bool moves);

/* A family for a root on `cpus` CPUs, NULL: no memory. `before`: the object's earlier one, NULL:
 * none. */
struct nth_family *nth_carry_family(struct nth_family *before, uint32_t cpus);

/* A thread's object, from the heap or of one that has ended, NULL: no memory; and when nothing of
 * the thread uses it any more. In the holder's lock. */
struct nth_pthread *nth_carry_new(struct nth_worker *p);
void nth_carry_recycle(struct nth_pthread *t);

/* The calling thread is a program's own: its identity is pinned. It is bound to that place, 0:
 * none. */
void nth_carry_adopt(struct nth_pthread *t, struct nth_family *f, uint32_t place);
/* It ends. */
void nth_carry_dismiss(struct nth_carrier *c);
/* Workers of the family end: all identities that lie in the root's queue go home. */
void nth_carry_disband(struct nth_family *f);

/* A thread that is to be made, bound to that place; in the holder's lock. Its carrier is a regular
 * one if the family has too few for these CPUs. */
void nth_carry_enrol(struct nth_pthread *t, struct nth_family *f, uint32_t place, uint32_t cpus);

/* There is no thread for it after all. */
void nth_carry_retire(struct nth_carrier *c);

/* In the new thread: its identity runs f(arg) until that returns, on whatever OS thread; then the
 * call returns. `after`: what is done first with an identity whose carrier is not a regular one,
 * NULL: it is run. `look`: asked now and then by the OS thread, if that has nobody to run: true
 * makes it run its own identity, whose wait is over as if by time. */
void nth_carry_thread(struct nth_pthread *t, size_t stack_bytes, void (*run)(void *), void *arg,
                      void (*after)(struct nth_identity *), bool (*look)(struct nth_identity *));

/* Waits as nth_futex_wait; after: what is done with the caller when it is left, NULL: it is
 * queued. */
bool nth_carry_wait(struct nth_identity *me, _Atomic(uint32_t) *word, uint32_t value,
                    uint64_t timeout_ns, void (*after)(struct nth_identity *));

/* The same for one that waits for work. */
static inline bool nth_carry_dock(struct nth_identity *me, _Atomic(uint32_t) *word, uint32_t value,
                                  uint64_t timeout_ns, void (*after)(struct nth_identity *)) {
  me->docks = true;
  bool over = nth_carry_wait(me, word, value, timeout_ns, after);
  me->docks = false;
  return over;
}

/* Waits until *word is not value any more, at the cost of a switch or two: nothing is announced to
 * anybody. False: the OS thread has nobody else to run and has looked for long, or *also is set:
 * the caller announces itself as its protocol demands, and waits by nth_sleep(). */
bool nth_carry_await(struct nth_identity *me, _Atomic(uint32_t) *word, uint32_t value,
                     _Atomic(bool) *also);

/* Lets another one run that is ready, if there is one; the caller stays ready. False: there is
 * none. */
bool nth_carry_yield(struct nth_identity *me);

/* The caller has had its OS thread for long and does not wait: others that are ready have their
 * turn, and where the watchdog has moved it to another OS thread it goes back. */
void nth_carry_turn(struct nth_identity *me);

/* x, which nobody runs and which is in no queue, is to run again: near where it was last; or on its
 * own OS thread. */
void nth_carry_ready(struct nth_identity *x);
/* The same of several, linked by next, on the caller's own carrier. */
void nth_carry_ready_all(struct nth_carrier *c, struct nth_identity *first);
/* x, which is docked, is to stay on its own OS thread, or no more. */
void nth_carry_pin(struct nth_identity *x, bool stay);
/* What x waits for, in a queue or not, has come: if that queue's carrier is not its own, its own
 * one sees to it. */
void nth_carry_roused(struct nth_identity *x);
void nth_carry_send_home(struct nth_identity *x);

/* The identity of a program's own thread comes back to its OS thread, if the watchdog has moved
 * it. */
void nth_carry_come_home(struct nth_identity *me);
static inline void nth_carry_own(struct nth_identity *me) {
  if (nth_unlikely(nth_load_rlx(&me->carrier) != me->own) && nth_load_rlx(&me->pinned))
    nth_carry_come_home(me);
}

/* The caller is to be bound to another place from now on, and goes on there. Its own OS thread is
 * bound to it; if that one has run others it runs nobody else from now on. 0 or an errno value: it
 * is bound nowhere. */
int nth_carry_bind(struct nth_identity *me, uint32_t place, const uint64_t *cpus, uint32_t words);

/* Whether a waiting thread of this family finds somebody to run. A hint. */
bool nth_carry_wanted(const struct nth_carrier *c);

/* In a forked child, whose one thread runs x, NULL: no identity. */
void nth_carry_forked(struct nth_identity *x);

#endif
