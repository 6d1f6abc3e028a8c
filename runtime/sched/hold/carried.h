/* carried.h - a joiner runs the created thread itself, as an idle held thread
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A thread that joins another one has nothing else to do. If the created thread is
 *             still queued, the joiner reaches it by a switch of 20 ns. To wake an OS thread for
 *             it, and to be woken at its end, takes two sleeps and two wake-ups: 5 to 100 us.
 * How         The joiner takes the errand out of the queue, and an idle held thread out of the
 *             list. Its OS thread goes on at the lower part of the held thread's stack, with the
 *             held thread's thread pointer. So the errand finds the TLS and the pthread_self() that
 *             it would find on the held OS thread, which sleeps on at the upper end of that stack.
 *             When the errand has ended, the joiner goes back to its own stack, and puts the held
 *             thread into the list again. Nobody has been woken.
 * Home        An errand whose OS thread ends with it (fresh.h, pthread_exit()) must end on its own
 *             one. It leaves the joiner's OS thread; then its own one is woken, and goes on there.
 * Waits       An errand that blocks keeps only the joiner, which would wait for it anyway.
 * Parked      While its word is IDLE or CARRIED, a held thread makes raw system calls only, and
 *             blocks all signals but the C library's own: another OS thread may be using its TLS.
 *             It ends that state by a CAS of IDLE, which fails while it is carried.
 * Refused     What the kernel keeps for a thread is the joiner's. So nothing is carried where an
 *             object of the process could tell (NTH_TRAITS_CARRIED), where the joiner is a member
 *             of OpenMP's, with shadow stacks, under valgrind or a sanitizer, on small stacks. The
 *             joiner looks again, since an object may have been loaded after the creation. If one
 *             is loaded while the errand runs, the errand goes home at its function's end.
 * Fork        A child of the errand has the errand as its only thread, which ends there. The other
 *             OS thread is not in the child, so nothing comes home.
 * Sentry      Creators that join at once, again and again, need nobody on the way to their errands.
 *             After NTH_CARRIED_ROW such joins an idle thread becomes the sentry: it looks at the
 *             queue every NTH_CARRIED_LOOK_NS, and takes what has been there for that long. While
 *             there is a sentry, a creation wakes nobody for a single errand.
 * Invariants  in the lock of held.h
 *             I1  a held thread that is CARRIED is in no list, and has an errand
 *             I2  the sentry is in the list of idle ones, and sleeps no longer than until its look
 * Orders      H   the store of RETURNS publishes the saved context -> its OS thread's acquire
 * Cost        two switches, two locks, three looks at the clock
 * Tested by   tests/model/joiner, tests/lit/tholder/carried.c, carried_refused.c
 */
#ifndef NTH_SCHED_CARRIED_H
#define NTH_SCHED_CARRIED_H

#include "runtime/sched/hold/held_inside.h"

enum nth_carried {
  NTH_CARRIED_NOT,  /* nothing has happened */
  NTH_CARRIED_DONE, /* the errand is over */
  NTH_CARRIED_HOME  /* it goes on, on its own OS thread */
};

/* Whether errands may be carried, as far as `which`, from nth_fresh_look(), tells. */
bool nth_carried_may(uint32_t which);

/* The caller joins e, and runs it if it is queued. passes: the caller counts as a running errand; e
 * does in its place, and at HOME goes on to. */
enum nth_carried nth_carried_run(struct nth_errand *e, bool passes);
/* The caller joins e now: it has been created at this time, ns. */
void nth_carried_learn(uint64_t made_at);
/* Whether creators join at once. A hint. */
bool nth_carried_at_once(void);

/* The functions below are for the OS thread of h. */

/* It is idle from now on, until nth_carried_unpark(). */
void nth_carried_park(struct nth_held *h);
void nth_carried_unpark(struct nth_held *h);
/* h, parked, is the sentry, or becomes it. In the lock. */
bool nth_carried_watches(struct nth_held *h);
/* Whether the sentry is to take an errand. In the lock. */
bool nth_carried_is_late(uint64_t now);
/* Sleeps while h is IDLE or CARRIED, at most for limit ns (0: no limit) each time. h is AWAKE or
 * LOOKS afterwards. True: the time was over. */
bool nth_carried_sleep(struct nth_held *h, uint64_t limit);

/* The errand of h, which the caller runs, goes on on its own OS thread. */
void nth_carried_come_home(struct nth_held *h);

#endif
