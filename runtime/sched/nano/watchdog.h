/* watchdog.h - members that are ready, and that nobody runs, get OS threads
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Nano-thread members take turns where they wait in the runtime. A program may wait
 *             elsewhere: it spins on a flag, sleeps, reads a pipe, or blocks on a mutex whose owner
 *             is another member. Then ready members would stay in the queue of a carrier that does
 *             not come back.
 * How         A thread looks at the queues every 1.5 to 8 ms (NTH_WATCH_) while somebody waits in
 *             one of them. Who could go on at two looks, and was not run in between, goes to an OS
 *             thread that is at rest: its own one, or if that one runs another identity, that
 *             one's, and so on (identity.h I2). More of them each time in a row. For a while after
 *             that the family's members wait on their own OS threads: a program that does it once
 *             does it again. Where the system refuses the thread they do so from the beginning, and
 *             each further held thread tries again.
 * Orders      L   the list: who adds a carrier -> who looks
 *             W   word: who arms it, or ends the last root -> the thread before it looks
 *             D   who arms: a put, or a change of what somebody queued waits for, full fence,
 *                 armed; the thread: armed, full fence, the queues and the words
 * Cost        while nobody is in a queue: nothing, it sleeps. Else some 15 us of a CPU each look:
 *             0.2 %
 * Tested by   tests/lit/members, tests/model/watch
 */
#ifndef NTH_SCHED_WATCHDOG_H
#define NTH_SCHED_WATCHDOG_H

#include "runtime/sched/nano/carrier.h"

/* Whether it looks, or will do so before it sleeps; w: who arms it, itself; r: who puts an identity
 * into a queue. An armed one disarms itself, full fence, and looks once more at the queues. */
extern _Atomic(uint32_t) nth_watch_armed;

void nth_watch_arm_slow(void);
/* Directly behind the locked operation that puts an identity into a queue, or changes what one
 * waits for. */
static inline void nth_watch_arm(void) {
  nth_fence_behind(); /* D */
  if (nth_unlikely(nth_load_rlx(&nth_watch_armed) == 0))
    nth_watch_arm_slow();
}

/* A carrier is to be looked at, from now on for good. held: of a held thread, so that there is
 * something to do. */
void nth_watch_carrier(struct nth_carrier *c, bool held);

/* One more root, or one less: with the last one the thread ends. */
void nth_watch_roots(bool more);

/* In a forked child. */
void nth_watch_forked(uint32_t roots);

/* Whether members of f wait on OS threads of their own for the time being. */
static inline bool nth_watch_apart(struct nth_family *f) {
  return nth_carrier_is(NTH_APART_SEEN) && nth_load_rlx(&f->apart) != 0;
}

#endif
