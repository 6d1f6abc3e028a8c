/* watchdog.h - a thread that gets OS threads for members that are ready and that nobody runs
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Nano-thread members take turns where they wait in the runtime. A program may wait
 *             elsewhere: it spins on a flag, sleeps, reads a pipe, or blocks on a mutex whose owner
 *             is another member. Then ready members would stay in the queue of a carrier that does
 *             not come back.
 * How         The watchdog looks at the queues every 1.5 to 8 ms (NTH_WATCH_) while an identity
 *             waits in one of them. An identity is late if it could go on at two looks and was not
 *             run in between; or if its carrier leaves an idle CPU unused at several looks, since
 *             each member waits elsewhere for a moment. It gets an OS thread that is at rest: its
 *             own, or if that one runs another identity, that identity's, and so on (identity.h
 *             I2). Each time in a row more of them do. For a while after that the family's members
 *             wait on their own OS threads, for longer each time if they soon do so again: a
 *             program that waits elsewhere once does so again.
 *             A wait for work may have a time limit. If it ends in the queue of a carrier that is
 *             in the program's code, nobody there reads the clock. So the watchdog sleeps no longer
 *             than to the first such limit.
 *             Where the system refuses the watchdog's thread they do so from the beginning, and
 *             each further worker tries again.
 * Orders      L   the list: who adds a carrier -> who looks
 *             W   word: who arms the watchdog, or ends the last root -> the watchdog before it
 *                 looks
 *             D   who arms: a put, or a change of what a queued identity waits for, full fence,
 *                 armed; the watchdog: armed, full fence, the queues and the words
 *             B   who changes the limit: limit, full fence, away; a carrier that goes away: away,
 *                 full fence, limit. So it is called, or sees that it may stay
 * Cost        nothing while identities only wait for work: the watchdog sleeps. Else some 15 us of
 *             a CPU each look: 0.2 %
 * Tested by   tests/lit/members, tests/model/watch
 */
#ifndef NTH_SCHED_WATCHDOG_H
#define NTH_SCHED_WATCHDOG_H

#include "runtime/sched/nano/carrier.h"

/* Whether the watchdog looks, or will look before it sleeps; w: who arms it, itself; r: who puts an
 * identity into a queue. Before it sleeps it disarms itself, full fence, and looks once more. */
extern _Atomic(uint32_t) nth_watch_armed;

void nth_watch_arm_slow(void);
/* Arms the watchdog. Call it directly after the locked operation that puts an identity into a
 * queue, or changes what a queued one waits for. */
static inline void nth_watch_arm(void) {
  nth_fence_behind(); /* D */
  if (nth_unlikely(nth_load_rlx(&nth_watch_armed) == 0))
    nth_watch_arm_slow();
}

/* The watchdog is to look at this carrier from now on. held: it is a worker's, so there is
 * something to watch: the watchdog's thread is made if there is none. */
void nth_watch_carrier(struct nth_carrier *c, bool held);

/* Switches of all carriers so far. A watchdog that looks at the same time may make the sum wrong by
 * what it finds. */
uint64_t nth_watch_switches(void);

/* Whether there is a carrier, or was one. */
bool nth_watch_any(void);
/* There are so many CPUs: families may have that many carriers. Calls those that are still to
 * become regular. */
void nth_watch_grow(uint32_t cpus);
/* Carriers that are away look whether they may come back. */
void nth_watch_call_back(void);

/* One root more, or one less: with the last root the watchdog's thread ends. */
void nth_watch_roots(bool more);

/* Called in a forked child, with the number of its roots. */
void nth_watch_forked(uint32_t roots);

/* Whether members of f wait on OS threads of their own at present. */
static inline bool nth_watch_apart(struct nth_family *f) {
  return nth_carrier_is(NTH_APART_SEEN) && nth_load_rlx(&f->apart) != 0;
}
/* The same, and they look before they sleep: the next region is near, and a sleep costs a
 * wake-up. */
static inline bool nth_watch_polls(struct nth_family *f) {
  return nth_watch_apart(f) && !nth_wait_config.passive;
}

#endif
