/* gaps.h - predicts when the next region comes, for a docked worker
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A program often works alone for some time and then opens a region, again and again. A
 *             worker that spins through such gaps burns a CPU; one that sleeps through them costs
 *             the region a wake-up, 50 to 150 us on a virtual machine. But most gaps after one and
 *             the same region last equally long. So the worker sets itself a timer, and is awake
 *             for a short while around the time at which the next region is to come.
 * Use         A wait in the dock asks nth_gaps_expect() at its first look at the clock, tells when
 *             it was awake (nth_gaps_woke), and how long the gap was (nth_gaps_learn). Whoever
 *             wakes a docked worker for a region stamps it (nth_gaps_stamp): what the worker sees
 *             of the time is late by its own wake-up.
 * Sites       Gaps are kept by the function of the region that the worker has run last: the last
 *             KEPT ones of each of SITES functions. They are regular if most of them lie within
 *             SPREAD-th of their length of each other. Those are predicted, and the others are
 *             taken for disturbances.
 * Timer       It is set for the shortest one of the regular gaps, less the time by which timers of
 *             this site have been late lately. From the wake-up on the worker spins for SPIN-th of
 *             the gap at most, and no longer than gaps have been lately. In vain: the
 *             next gaps, 1, then 3, 7 ..., are slept through.
 * Who works   A timer costs 20 us of CPU time. A program that sleeps in its gaps would pay as much
 *             for that as for the rest of a region, while the wake-up costs it little: its CPU is
 *             free for the worker while it waits. So only gaps in which the master works are
 *             predicted, and long ones in which it sleeps are slept through. Its CPU time tells:
 *             from one wake-up to the next one; and a worker that spins reads it now and then
 *             (nth_gaps_look), unless all KEPT gaps of the site were short. So the first long
 *             sleep of a program costs no more than two such looks, and a master that works is
 *             known from the first gap on. While it is not known, and after each 64 regions that
 *             found the worker awake, a regular gap is slept through. Once it is known that the
 *             master sleeps, most wake-ups do not read its CPU time (NTH_GAPS_SPARE), and a worker
 *             all of whose gaps were long sleeps without a poll.
 * Ownership   struct nth_gaps belongs to one worker's thread, but for `thread`. struct
 *             nth_gaps_stamp: w: the thread that gives the worker work, before worker:D; r: the
 *             worker after it has slept. One that is written by a late waker does no harm beyond a
 *             wrong prediction. `spare` is also the worker's while it is awake
 * Cost        about 60 ns at the first look at the clock of a wait that follows a gap of 1.5 ms or
 *             more; 5 ns at the end of each wait that has read the clock
 * Tested by   tests/unit/gaps.c, tests/lit/parallel/gaps.c, gaps_foreseen.c
 */
#ifndef NTH_SCHED_GAPS_H
#define NTH_SCHED_GAPS_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/atomic.h"
#include "runtime/base/config.h"
#include "runtime/sched/wait/config_gaps.h"

/* Gaps after one function. Times are ns; gaps are UINT32_MAX at most. */
struct nth_gaps_site {
  void (*after)(void *); /* NULL: not used yet */
  uint32_t gap[NTH_GAPS_KEPT], late[NTH_GAPS_LATE];
  uint8_t known, next;           /* gaps: how many, and which one is overwritten next */
  uint8_t late_known, late_next; /* the same of `late` */
  uint8_t vain, skip; /* windows in a row in which no region came; gaps to be slept through */
};

enum nth_gaps_master { NTH_GAPS_UNKNOWN, NTH_GAPS_SLEEPS, NTH_GAPS_WORKS };

/* What a worker knows of its gaps. */
struct nth_gaps {
  struct nth_gaps_site site[NTH_GAPS_SITES];
  uint64_t at, cpu;            /* of the last stamp, or of the last look */
  enum nth_gaps_master master; /* in the time before it */
  _Atomic(int) thread; /* the master's; 0: not known. w: whoever gives the worker to a group, in
                        * the holder's lock */
  bool checked;        /* `at` and `cpu` are valid */
  uint32_t hits;       /* regions that found the worker awake so far */
};

/* When a worker was woken for a region, and the CPU time that its master had had by then; 0: that
 * was not read. spare: so many of the next stamps come without it; w: the worker while it is awake,
 * who wakes it; r: who wakes it. A hint. */
struct nth_gaps_stamp {
  _Atomic(uint64_t) at, cpu;
  _Atomic(uint32_t) spare;
};

enum nth_gaps_answer {
  NTH_GAPS_IRREGULAR, /* nothing is predicted */
  NTH_GAPS_THROUGH,   /* the gap is to be slept through */
  NTH_GAPS_NAP        /* the worker is to be awake from `from` to `until` */
};

/* Where gaps after this function are kept; takes another one's place if need be. */
struct nth_gaps_site *nth_gaps_site(struct nth_gaps *g, void (*after)(void *));

/* Whether all KEPT gaps of this site were short. */
bool nth_gaps_are_short(const struct nth_gaps_site *s);
/* Whether all KEPT gaps after this function were long. */
bool nth_gaps_are_long(const struct nth_gaps *g, void (*after)(void *));
/* Whether a worker that has run this function is to sleep without a poll: its master sleeps in
 * gaps, and all of these were long. 1 ns where the master is not known to sleep. */
static inline bool nth_gaps_sleep_at_once(const struct nth_gaps *g, void (*after)(void *)) {
  return nth_unlikely(g->master == NTH_GAPS_SLEEPS) && nth_gaps_are_long(g, after);
}

/* What to do in a gap that begins now. Times are counted from its begin. */
enum nth_gaps_answer nth_gaps_expect(const struct nth_gaps *g, struct nth_gaps_site *s,
                                     uint32_t *from, uint32_t *until);
/* For how many ns a gap is to be spun through of which nothing is predicted: a quarter longer than
 * the longest known gap of the site. 0: most of the known gaps are longer than any spin.
 * `otherwise`: too few gaps are known. Where gaps follow no rule, each ns of a spin meets as many
 * regions as any other ns. So the average of the last few gaps, which changes with each gap, says
 * less than whether the gaps end in time. */
uint64_t nth_gaps_spin(const struct nth_gaps_site *s, uint64_t otherwise);
/* A nap is over, later than it was to be. False: somebody else wants the CPU, so the worker does
 * not spin. */
bool nth_gaps_woke(struct nth_gaps_site *s, uint64_t late);

enum nth_gaps_end {
  NTH_GAPS_SLEPT, /* no window was open when the region came; */
  NTH_GAPS_HIT,   /* the worker was awake; */
  NTH_GAPS_VAIN   /* the window had been closed before */
};
/* A gap is over, after this time. */
void nth_gaps_learn(struct nth_gaps *g, struct nth_gaps_site *s, uint64_t gap,
                    enum nth_gaps_end end);
/* Whether the master sleeps in the gap that began at `since`: it has had little CPU time since the
 * last look in this gap. False: that is not known. A system call, 0.3 us. */
bool nth_gaps_look(struct nth_gaps *g, uint64_t since, uint64_t now);
/* The worker has been woken: stamp. */
void nth_gaps_look_at_master(struct nth_gaps *g, struct nth_gaps_stamp *stamp);

/* By the master, before it wakes the worker. True: it is known that the master sleeps in gaps. */
struct nth_waiter;
bool nth_gaps_stamp(struct nth_gaps_stamp *stamp, struct nth_waiter *master);

#endif
