/* bell.h - an event count: members sleep on it until something may have changed
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         The members of a team wait for different things: an arrival, a task, a turn. One
 *             place to sleep serves all of these waits. While nobody sleeps, the signaller pays one
 *             load.
 * Use         signaller: publish; full fence (or a locked operation); nth_bell_ring()
 *             sleeper:   t = nth_bell_enter(); look at the condition again;
 *                        nth_bell_sleep(t) or nothing; nth_bell_leave()
 * Invariants  I1  sleepers is the number of members between enter and leave
 *             I2  each ring that finds a sleeper changes seq
 * Orders      F   enter's fence with the signaller's: the sleeper sees what was published, or the
 *                 signaller sees the sleeper
 *             A   ring's release of seq -> enter's acquire
 * Cost        ring: one load. While nobody sleeps its line does not change and stays in every cache
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

/* Announces a sleeper and returns its ticket for nth_bell_sleep. The caller looks at its condition
 * again between the two calls. */
static inline uint32_t nth_bell_enter(struct nth_bell *b) {
  nth_add_rlx(&b->sleepers, 1);
  nth_fence_full(); /* F: against the signaller's fence between its store and nth_bell_ring */
  return nth_load_acq(&b->seq); /* A */
}

static inline void nth_bell_sleep(struct nth_bell *b, uint32_t ticket, uint64_t timeout_ns) {
  nth_sleep(&b->seq, ticket, timeout_ns);
}

static inline void nth_bell_leave(struct nth_bell *b) {
  uint32_t before = nth_sub_rlx(&b->sleepers, 1);
  nth_assert(before > 0); /* not a load of its own: docs/design/struct.md */
}

/* Wakes at most `count` sleepers. The caller has made a full fence after the store that the
 * sleepers wait for. */
static inline void nth_bell_ring(struct nth_bell *b, int count) {
  nth_assert(count > 0);
  if (nth_likely(nth_load_rlx(&b->sleepers) == 0)) /* F */
    return;
  nth_add_rel(&b->seq, 1); /* A */
  nth_rouse(&b->seq, count);
}

#endif
