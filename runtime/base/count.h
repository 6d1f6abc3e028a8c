/* count.h - how often the runtime did something slow: sleeps, steals, looks of the watchdog
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A user wants to know what the runtime did (NTH_VERBOSE=2, nanogomp/counters.h), and
 *             the counting may cost nothing that shows.
 * How         Only events are counted here that take 100 ns and more anyway. Each CPU has lines of
 *             its own for them, so the addition stays in the CPU's cache. Frequent events are known
 *             from numbers that the runtime keeps for itself: regions from a team's, tasks from its
 *             slots', switches from a carrier's (omp/process/counters.c).
 * Invariants  I1  what a CPU's line says only grows; a thread that moves in between adds to the
 *                 line of its former CPU, so the addition is atomic
 * Cost        some 5 ns
 */
#ifndef NTH_BASE_COUNT_H
#define NTH_BASE_COUNT_H

#include <stdint.h>

#include "runtime/base/atomic.h"

enum nth_count {
  NTH_COUNT_CHANGES,  /* regions whose team had to be made or changed */
  NTH_COUNT_STEALS,   /* times that a member took tasks from another one's deque */
  NTH_COUNT_STOLEN,   /* tasks that it took so */
  NTH_COUNT_FORCED,   /* times that it had to make a busy member's tasks public */
  NTH_COUNT_BATCHES,  /* batches and packs of tasks that have ended */
  NTH_COUNT_BATCHED,  /* their tasks that have ended */
  NTH_COUNT_OFFERS,   /* times that a member gave its ready tasks to hungry ones; */
  NTH_COUNT_OFFERED,  /* tasks (or batches) that were in its deque then, in all */
  NTH_COUNT_LONGEST,  /* and the most at one time */
  NTH_COUNT_SLEEPS,   /* sleeps of an OS thread in the kernel */
  NTH_COUNT_WAKES,    /* system calls that wake sleepers */
  NTH_COUNT_YIELDS,   /* times that a wait offered its CPU to the kernel */
  NTH_COUNT_FORESEEN, /* regions that came when a docked worker expected them, and was awake */
  NTH_COUNT_TAKEN,    /* nano-thread members that another carrier took over */
  NTH_COUNT_LOOKS,    /* looks of the watchdog */
  NTH_COUNT_ACTS,     /* times that it gave late members an OS thread */
  NTH_COUNT_FEWER,    /* regions that got fewer members than asked, as that is faster */
  NTH_COUNT_ALONE,    /* taskloops that became one task for that */
  NTH_COUNT_KINDS
};

#ifdef NTH_MODEL
static inline void nth_count_add(enum nth_count what, uint64_t n) { (void)what, (void)n; }
static inline void nth_count_most(enum nth_count what, uint64_t n) { (void)what, (void)n; }
#else
/* n more of `what`. */
void nth_count_add(enum nth_count what, uint64_t n);
/* There were n of `what` at one time. */
void nth_count_most(enum nth_count what, uint64_t n);
#endif

static inline void nth_count(enum nth_count what) { nth_count_add(what, 1); }

/* The waiter that waited last on that CPU (sched/adapt/apart.c), 0: none. It has room beside the
 * counts, so a small process has one page for both. w, r: waiters at their ticks */
_Atomic(uint32_t) *nth_count_tenant(uint32_t cpu);

/* All CPUs' sum of `what`; of LONGEST the largest. */
uint64_t nth_count_read(enum nth_count what);

/* In a forked child: it begins at 0. */
void nth_count_forked(void);

#endif
