/* held.h - OS threads that are held for created threads, and the queue of these
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         To make and end an OS thread costs 15 us and more; to run a function on one that
 *             waits costs a tenth. Short created threads mostly need no thread of their own: the
 *             OS thread that has ended one takes the next from the queue. But each created thread
 *             may wait for any other. So while one is queued, an OS thread is on its way to it.
 * Use         nth_held_give(e) queues an errand. A held thread that waits for another one (a join)
 *             says so by nth_held_waits() and nth_held_goes_on()
 * Searchers   An OS thread that is awake and looks for an errand is a searcher; so is one that has
 *             been woken or made for that. Whoever queues an errand, or takes one and leaves
 *             others, or waits with others queued, sees to it that there is a searcher: it wakes
 *             an idle thread, or makes one. A creator wakes idle ones for as many errands as there
 *             are CPUs; of long errands (NTH_HOLD_LONG_NS), one less. A searcher takes an errand
 *             at once if there are fewer running ones and members of open regions than CPUs, or
 *             other searchers. Otherwise it gives the running ones NTH_HOLD_STUCK_NS to end or to
 *             wait.
 * Slow        Under a tracer or in a sandbox the call that wakes a thread takes longer than many
 *             errands. There the errands are left to the threads that run or look, up to
 *             NTH_HOLD_SLOW_QUEUE for each. A thread that waits calls another one as always. If the
 *             running ones take long, the oldest idle thread, the guard, sees that within twice
 *             NTH_HOLD_ALONE_NS, and nothing is left for a while, longer each time
 * Order       The newest errand first: a tree of threads that create threads and join them then
 *             needs as many OS threads as it is deep. Now and then the oldest (NTH_HOLD_OLDEST_NS).
 * Refused     The system may refuse OS threads. NTH_HOLD_SURE and the most that there ever were are
 *             taken for sure; beyond that, tholder_create() makes the thread itself and returns
 *             EAGAIN if it cannot. If it is refused within, whoever takes errands, waits or queues
 *             next tries again, and a line on stderr tells
 * Ahead       Where created threads end with their OS threads (fresh.h), a thread that joins one
 *             makes the next OS thread while it waits. So the next creation needs a wake-up only.
 *             There are as many such threads as creations have missed (`wanted`), and half as many
 *             when one has ended since it was idle for long. An ending worker does so for the next
 *             root (lend.h)
 * Idle        An idle thread ends after a time that adapts: nth_held_keep_ns()
 * Teams       An idle thread may be lent to a team (lend.h): it is no searcher then, and has no
 *             errand
 * Invariants  all in the lock
 *             I1  pending is the length of the queue; all in it are QUEUED
 *             I2  pending > 0 implies searchers > 0, unless the system has refused a thread, or
 *                 the queue is left to the threads that run; then one is idle, the guard
 *             I3  held = threads in the list of idle ones + searchers + those with an errand + lent
 *                 ones
 * Orders      W   `word`: the waker's store releases -> the woken thread's acquire
 * Cost        one lock each for queueing and taking; a wake-up only if there is no searcher
 * Locking     one futex lock; nothing else is locked or waited for in it
 * Tested by   tests/unit/held_threads.c, tests/model/held, tests/lit/tholder
 */
#ifndef NTH_SCHED_HELD_H
#define NTH_SCHED_HELD_H

#include "runtime/sched/hold/errand.h"

/* Queues e, QUEUED. 0, or EAGAIN: no thread can be had, and e is not queued. */
int nth_held_give(struct nth_errand *e);

/* The same if an OS thread is idle, or looks for errands, that none of the queued ones needs.
 * False: there is none, and e is not queued. For an errand that ends with its OS thread. */
bool nth_held_give_idle(struct nth_errand *e);
/* Makes an OS thread ahead of need, if one has been missed. The caller is about to wait for another
 * created thread. for_team: it is a worker that ends with its OS thread. */
void nth_held_make_ahead(bool for_team);

/* The calling thread waits for another created thread. runs: it is a held one that runs an errand,
 * or a member of an open region; then nth_held_goes_on() follows. Returns the time after which it
 * is to call this again, though then with runs false, ns; 0: it need not. */
uint64_t nth_held_waits(bool runs);
void nth_held_goes_on(void);
/* Whether CPUs are left for a thread that polls. A hint. */
bool nth_held_polls(void);

/* Whether a created thread whose creator is the caller can run on a held thread, as far as `which`,
 * from nth_fresh_look(), tells. The first creator's traits count. */
bool nth_held_fits_creator(uint32_t which);

struct nth_held_settings {
  _Atomic(uint64_t) idle_ns;   /* 0: learned */
  _Atomic(uint32_t) idle_most; /* UINT32_MAX: any number */
};
extern struct nth_held_settings nth_held_settings;

struct nth_held_counts {
  uint64_t made, idle_ns;
  uint32_t held, idle;
};
void nth_held_count(struct nth_held_counts *c);

void nth_held_forked(void);

#endif
