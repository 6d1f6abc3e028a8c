/* summons.h - asks each worker that waits docked to run a function of the layer above
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         At the end of the process a tool is to hear of each thread's end, from the thread
 *             itself. The workers of other masters wait docked, and only their own masters may give
 *             them work (worker.h I1).
 * Use         nth_workers_summon() begins a summons, nth_workers_await() tells whether somebody has
 *             still to come (threads/worker_list.h). A docked worker answers before it sleeps
 * How         A summons is a number. A worker whose own number differs answers: it calls
 *             nth_holder_config.summoned, then makes the numbers equal. From the first summons on
 *             docked workers no longer poll for long, so each comes to the place where it answers
 *             The summons, a full fence, and the look at the dock stand against the worker's dock,
 *             fence, and look at the summons (worker:F). So a worker is woken or sees the summons
 * Orders      S   heard: the worker's store after its answer -> the look of the thread that has
 *                 summoned: what the answer has written. answers: likewise, heard
 * Cost        no summons: a load and a test for each sleep of a docked worker, and for each of its
 *             looks at the clock
 * Tested by   tests/model/summons, tests/lit/ompt/ends.c
 */
#ifndef NTH_SCHED_SUMMONS_H
#define NTH_SCHED_SUMMONS_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/atomic.h"
#include "runtime/base/check.h"
#include "runtime/base/sleep.h"

#if defined(NTH_MODEL) && !defined(MODEL_SUMMONS) /* other models have none */
static inline bool nth_summons_came(void) { return false; }
static inline uint32_t nth_summons_number(void) { return 0; }
static inline void nth_summons_forked(void) {}
static inline bool nth_summons_waits(const _Atomic(uint32_t) *heard) { return (void)heard, false; }
static inline void nth_summons_answer(_Atomic(uint32_t) *heard, uint32_t number) {
  (void)heard, (void)number;
}
#else
extern _Atomic(uint32_t) nth_summons; /* number of the last one; 0: none. w: who ends the process */
extern _Atomic(uint32_t) nth_summons_answers; /* how many there were; futex word. w: workers */

/* Whether there was one. */
static inline bool nth_summons_came(void) { return nth_unlikely(nth_load_rlx(&nth_summons) != 0); }
static inline uint32_t nth_summons_number(void) { return nth_load_rlx(&nth_summons); }

/* In a forked child there was none. */
static inline void nth_summons_forked(void) { nth_store_rlx(&nth_summons, 0); }

/* Whether the worker with that number has still to answer. */
static inline bool nth_summons_waits(const _Atomic(uint32_t) *heard) {
  return nth_summons_came() && nth_summons_number() != nth_load_rlx(heard);
}

/* It has done what that summons asks for. */
static inline void nth_summons_answer(_Atomic(uint32_t) *heard, uint32_t number) {
  nth_store_rel(heard, number);         /* S */
  nth_add_rel(&nth_summons_answers, 1); /* S */
  nth_rouse(&nth_summons_answers, 1);
}
#endif

#endif
