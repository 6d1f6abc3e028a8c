/* bell.h - an event count: sleep until something may have changed
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Waiters of a team wait for different things (an arrival, a task, a turn). One place
 *             to sleep serves them all and costs the signaller one load while nobody sleeps.
 * Use         signaller: publish; full fence (or a locked operation); nth_bell_ring()
 *             sleeper:   t = nth_bell_enter(); look at the condition again;
 *                        nth_bell_sleep(t) or nothing; nth_bell_leave()
 * Invariants  I1  sleepers counts those between enter and leave
 *             I2  seq changes at every ring that found a sleeper
 * Orders      F   enter's fence with the signaller's: one of the two sees the other's store
 *             A   ring's release of seq -> enter's acquire
 * Cost        ring: one load of a line that is shared and unchanged while nobody sleeps
 * Tested by   tests/model/bell, tests/unit/struct.c
 */
#ifndef NTH_STRUCT_BELL_H
#define NTH_STRUCT_BELL_H

#include "runtime/base/atomic.h"
#include "runtime/base/check.h"
#include "runtime/base/sleep.h"

struct nth_bell {
  _Atomic(uint32_t) seq;      /* futex word; w: ringers; r: sleepers; A */
  _Atomic(uint32_t) sleepers; /* w: sleepers; r: ringers; F */
};

static inline bool nth_bell_valid(const struct nth_bell *b) {
  return nth_load_rlx(&b->sleepers) < UINT32_MAX / 2;
}

/* Announces a sleeper; returns the ticket for nth_bell_sleep. The caller looks at its condition
 * after this call and before it sleeps. */
static inline uint32_t nth_bell_enter(struct nth_bell *b) {
  nth_add_rlx(&b->sleepers, 1);
  nth_fence_full(); /* F: against the signaller's fence between its store and nth_bell_ring */
  return nth_load_acq(&b->seq); /* A */
}

static inline void nth_bell_sleep(struct nth_bell *b, uint32_t ticket, uint64_t timeout_ns) {
  nth_sleep(&b->seq, ticket, timeout_ns);
}

static inline void nth_bell_leave(struct nth_bell *b) {
  nth_assert(nth_load_rlx(&b->sleepers) > 0);
  nth_sub_rlx(&b->sleepers, 1);
}

/* Wakes up to count sleepers. The caller has put a full fence between its own store and this. */
static inline void nth_bell_ring(struct nth_bell *b, int count) {
  if (nth_likely(nth_load_rlx(&b->sleepers) == 0)) /* F */
    return;
  nth_add_rel(&b->seq, 1); /* A */
  nth_rouse(&b->seq, count);
}

#endif
