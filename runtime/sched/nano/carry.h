/* carry.h - waits of nano-thread members: each leaves its OS thread to another member
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Members beyond the CPUs cost 50 to 100 us a barrier if the kernel schedules them.
 *             Here a wait is a switch of 40 ns to another member, and one OS thread looks at all
 *             that the members of one CPU wait for.
 * How         Every wait of a member ends in nth_sleep(word, value) (base/sleep.h). With
 *             nano-threads that call comes here. It puts the caller, with what it waits for, into
 *             its carrier's queue, and the first identity of the queue that need not wait any
 *             longer goes on. Nobody tells the queue of a change: its carrier looks at the words.
 *             If no identity can go on, the OS thread looks on, at other carriers' queues too. In
 *             the end it sleeps for all words of the queue at once (futex_waitv).
 *             The identity that is left goes into a queue only after the switch (`after`), since
 *             until then another carrier could run it on the stack that is still in use. If the
 *             queue is the carrier's own, one step finds the next identity and puts this one in.
 *             The carrier then holds the queue's lock until the switch is over, so that one lock
 *             serves both.
 * Signals     Once handlers.h has found that the program handles asynchronous signals, a root's OS
 *             thread runs the root alone (nth_carrier_alone), so that a handler finds the root's
 *             TLS there. This begins as soon as a guest that is on that OS thread waits next:
 *             - near_to() names no such carrier, and the carrier neither takes nor steals. A caller
 *               that has not seen the change may still put a guest there. clear_out(), which comes
 *               before each search there, puts it elsewhere; the put's alarm ends the carrier's
 *               sleep
 *             - a guest that waits there goes on with the root, whether the root can go on or not:
 *               the root then sleeps on its own stack. If the watchdog has moved the root
 *               elsewhere, the root is put into its own queue with its next wait; until then the
 *               guest sleeps in place, with all signals blocked
 *             - another regular carrier runs what the root's OS thread had to run (stand_in()). So
 *               a short region has no more OS threads than CPUs, and a root that waits may spin
 *             - one OS thread at rest of the family helps in the root's place, so that all CPUs are
 *               used: the first one that puts itself into the root's place in the list (help()). It
 *               leaves the list as any carrier does. A backlog wakes the helper. Where there is
 *               none yet, the backlog sends a guest to the guest's own OS thread, which becomes the
 *               helper
 *             - while the helper is awake a root that waits does not spin: there is one OS thread
 *               more than CPUs
 * Cost        see identity.h
 * Tested by   tests/lit/members, tests/model/carried
 */
#ifndef NTH_SCHED_CARRY_H
#define NTH_SCHED_CARRY_H

#include "runtime/base/check.h"
#include "runtime/sched/nano/identity.h"
#include "runtime/sched/nano/self.h"

/* The calling thread's identity; NULL: it has none, or is not a member yet. */
static inline struct nth_identity *nth_identity_mine(void) {
  struct nth_member *m = nth_self;
  return m ? *(struct nth_identity **)m : 0; /* a member's first field */
}

/* From now on members may be nano-threads. Called once, before the first of them. moves: NTH_MOVES,
 * for tests. */
void nth_carry_begin(bool moves);

/* A family for a root on `cpus` CPUs, which may become `most`; NULL: no memory. before: the family
 * that the root's object had last, or NULL. */
struct nth_family *nth_carry_family(struct nth_family *before, uint32_t cpus, uint32_t most);

/* new: an object for a thread of p, from the heap or of a thread that has ended; NULL: no memory.
 * recycle: nothing of the thread uses the object any longer. Both in the holder's lock. */
struct nth_pthread *nth_carry_new(struct nth_worker *p);
void nth_carry_recycle(struct nth_pthread *t);

/* The calling thread, one of the program's, becomes a root's carrier, with a pinned identity.
 * place: to which it is bound; 0: none. */
void nth_carry_adopt(struct nth_pthread *t, struct nth_family *f, uint32_t place);
/* The root's carrier c ends. */
void nth_carry_dismiss(struct nth_carrier *c);
/* The workers of the family end: all identities in the root's queue go to their own OS threads. */
void nth_carry_disband(struct nth_family *f);

/* Prepares a thread that is about to be made, bound to that place (0: none); in the holder's lock.
 * Its carrier becomes a regular one if the family has too few for these CPUs. cpus: those of
 * the place. */
void nth_carry_enrol(struct nth_pthread *t, struct nth_family *f, uint32_t place, uint32_t cpus);

/* There is no thread for an enrolled carrier after all. */
void nth_carry_retire(struct nth_carrier *c);

/* Called in the new thread: its identity executes run(arg), on whatever OS thread; the call returns
 * after that. stack_bytes: of the thread's stack, at least. after: what is done first with an
 * identity whose carrier is not regular; NULL: it is run. look: an OS thread at rest with no
 * identity to run asks it now and then. True: it is to run its own identity, whose wait is over as
 * if by time. */
void nth_carry_thread(struct nth_pthread *t, size_t stack_bytes, void (*run)(void *), void *arg,
                      void (*after)(struct nth_identity *), bool (*look)(struct nth_identity *));

/* Waits as nth_futex_wait() does. after: what is done with the caller when its OS thread has left
 * it; NULL: it is queued. */
bool nth_carry_wait(struct nth_identity *me, _Atomic(uint32_t) *word, uint32_t value,
                    uint64_t timeout_ns, void (*after)(struct nth_identity *));

/* As nth_carry_wait(), for a caller that waits for work. */
static inline bool nth_carry_dock(struct nth_identity *me, _Atomic(uint32_t) *word, uint32_t value,
                                  uint64_t timeout_ns, void (*after)(struct nth_identity *)) {
  nth_assert(!me->docks);
  me->docks = true;
  bool over = nth_carry_wait(me, word, value, timeout_ns, after);
  me->docks = false;
  return over;
}

/* Waits until *word is no longer value, at the cost of a switch or two, and announces nothing.
 * False: the OS thread has nothing else to run and has looked for long, or *also is set. Then the
 * caller announces itself as its protocol demands, and waits by nth_sleep(). */
bool nth_carry_await(struct nth_identity *me, _Atomic(uint32_t) *word, uint32_t value,
                     _Atomic(bool) *also);

/* Lets another ready identity run; the caller stays ready. False: no other is ready. */
bool nth_carry_yield(struct nth_identity *me);

/* The caller has had its OS thread for long and does not wait. Others that are ready get their
 * turn; if the watchdog has moved the caller to another OS thread it goes back. */
void nth_carry_turn(struct nth_identity *me);

/* The caller is at a safe point (permit.h), and fewer processors are asked for. If its OS thread is
 * beyond the request, the caller goes on on another one; else others have their turn. */
void nth_carry_pass(struct nth_identity *me);
/* Fewer processors are asked for, or no longer. */
void nth_carry_limit(bool limited);
/* The caller's carrier wakes up: it has a permit again, or is away. */
void nth_carry_awake(struct nth_carrier *c);
/* The caller's carrier, at rest, comes back if it is away and there is a permit for it. */
void nth_carry_come_back(struct nth_carrier *c);

/* x, which nobody runs and which is in no queue, is to run again, near where it was last. */
void nth_carry_ready(struct nth_identity *x);
/* Several such identities, linked by next, are to run again, on the caller's own carrier c. */
void nth_carry_ready_all(struct nth_carrier *c, struct nth_identity *first);
/* x, which is docked or the caller's, is to run on its own OS thread only, or no longer so. */
void nth_carry_pin(struct nth_identity *x, bool stay);
/* What x waits for, in a queue or not, has come. If another carrier ran it last, x's own regular
 * carrier is woken, to look for it. */
void nth_carry_roused(struct nth_identity *x);
/* As nth_carry_ready(), but x is to run on its own OS thread. */
void nth_carry_send_home(struct nth_identity *x);

/* The caller, which is on another OS thread, goes to its own. A guest may keep that one busy, and
 * may wait for the caller. Then the watchdog soon moves the caller on, and it returns on another OS
 * thread. */
void nth_carry_try_home(struct nth_identity *me);
/* Whether the caller can leave the OS thread. If that is a root's, and the root is on another one,
 * nobody would run there. A hint. */
bool nth_carry_may_leave(const struct nth_identity *me);
/* The same, until the caller is on its own OS thread. Nobody who keeps that one busy may wait for
 * the caller. */
static inline void nth_carry_come_home(struct nth_identity *me) {
  while (nth_load_rlx(&me->carrier) != me->own)
    nth_carry_try_home(me);
}
/* A pinned caller that the watchdog has put on another OS thread goes home. If a guest keeps the
 * caller out, the caller goes on where it is after some tries: the guest may wait for what the
 * caller does next. */
enum { NTH_HOME_TRIES = 4 }; /* 3 to 16 ms each: the watchdog's looks */
static inline void nth_carry_own(struct nth_identity *me) {
  for (int i = 0; nth_unlikely(nth_load_rlx(&me->carrier) != me->own) &&
                  nth_load_rlx(&me->pinned) && i < NTH_HOME_TRIES;
       i++)
    nth_carry_try_home(me);
}

/* The caller is bound to another place from now on, and goes on there; if guests keep it out, as in
 * nth_carry_own(), where it is, until its next wait. Its own OS thread is bound to that place; what
 * waits in that one's queue goes elsewhere. Returns 0, or an errno value: then the caller counts as
 * bound nowhere. */
int nth_carry_bind(struct nth_identity *me, uint32_t place, const uint64_t *cpus, uint32_t words);

/* Whether an identity is queued anywhere in c's family. A hint. */
bool nth_carry_wanted(const struct nth_carrier *c);

/* The kernel writes the CPU's number into an area that a thread has registered (rseq), the calling
 * thread here. An identity on another CPU would find it. Without that area sched_getcpu() asks the
 * kernel. */
void nth_carry_unregister_rseq(uintptr_t pointer);

/* Called in a forked child, whose one thread runs x (NULL: no identity). */
void nth_carry_forked(struct nth_identity *x);

#endif
