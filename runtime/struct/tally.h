/* tally.h - a count that its owner changes without atomic operations
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A task's unfinished children, and a taskgroup's unfinished tasks, are mostly made and
 *             finished by one thread. That thread alone wants to know when there are none left. One
 *             atomic counter would cost two locked operations a task.
 * How         The count is own + others. The owner changes `own` by plain operations, other threads
 *             change `others` by atomic ones. Either part may be negative.
 * Use         owner:  add_own(), sub_own(); left(). Before it sleeps: sleeps(), look again, and
 *                     afterwards wakes(). An owner that goes without waiting for zero calls
 *                     close(); the sub() that then brings the count to zero says so
 *             others: add(), sub() of one or more
 * Invariants  I1  own + (others >> 2) = the count, modulo 2^30; it never exceeds 2^30 - 1. Each
 *                 part alone means nothing, unless the tally is closed
 *             I2  bit 0 of others: the owner may sleep until the count is zero
 *             I3  bit 1: closed. Own was added to others, and from then on every thread is an other
 *                 one
 * Orders      A   sub's release -> the acquire of left, close and the last sub: what the other
 *                 threads did before
 *             B   sleeps() and sub() change one word: sub() sees the bit, or the owner's look sees
 *                 the sub. A sub() that sees the bit also sees what the owner wrote before sleeps()
 * Cost        owner: a plain addition; left: one load. Others: one locked addition
 * Tested by   tests/model/tally, tests/unit/struct.c
 */
#ifndef NTH_STRUCT_TALLY_H
#define NTH_STRUCT_TALLY_H

#include "runtime/base/atomic.h"
#include "runtime/base/check.h"

struct nth_tally {
  uint32_t own;             /* w, r: owner */
  _Atomic(uint32_t) others; /* count << 2 | NTH_TALLY_ bits; w: all; A, B */
};

enum { NTH_TALLY_ASLEEP = 1, NTH_TALLY_CLOSED = 2, NTH_TALLY_ONE = 4 };
#define NTH_TALLY_MOST (UINT32_MAX / 8) /* a larger count is a negative one */

/* What nth_tally_sub() found. */
enum nth_tally_news {
  NTH_TALLY_NOTHING,
  NTH_TALLY_WAKE, /* the owner may sleep */
  NTH_TALLY_ZERO, /* the tally is closed, and nothing is left */
};

/* The count is not negative. Owner, while no other thread changes it. */
static inline bool nth_tally_valid(const struct nth_tally *t) {
  return ((t->own * NTH_TALLY_ONE + nth_load_rlx(&t->others)) / NTH_TALLY_ONE) <= NTH_TALLY_MOST;
}

static inline void nth_tally_clear(struct nth_tally *t) {
  t->own = 0;
  nth_store_rlx(&t->others, 0);
}

/* Owner. */
static inline void nth_tally_add_own(struct nth_tally *t) { t->own++; }
static inline void nth_tally_sub_own(struct nth_tally *t, uint32_t n) { t->own -= n; }

/* Owner: the count. */
static inline uint32_t nth_tally_left(struct nth_tally *t) {
  uint32_t left = (t->own * NTH_TALLY_ONE + nth_load_acq(&t->others)) / NTH_TALLY_ONE; /* A */
  nth_assert(left <= NTH_TALLY_MOST);
  return left;
}

/* Another thread: one more. That thread is itself one of those counted, so the count is not
 * zero. */
static inline void nth_tally_add(struct nth_tally *t) { nth_add_rlx(&t->others, NTH_TALLY_ONE); }

/* Another thread: n less, n > 0. Unless it returns ZERO the tally may be gone by then. */
static inline enum nth_tally_news nth_tally_sub(struct nth_tally *t, uint32_t n) {
  nth_assert(n > 0);
  uint32_t old = nth_sub_acqrel(&t->others, n * NTH_TALLY_ONE); /* A, B */
  nth_assert(!(old & NTH_TALLY_CLOSED) || old / NTH_TALLY_ONE >= n);
  if (nth_unlikely(old & NTH_TALLY_ASLEEP))
    return NTH_TALLY_WAKE;
  return nth_unlikely(old == (n * NTH_TALLY_ONE | NTH_TALLY_CLOSED)) ? NTH_TALLY_ZERO
                                                                     : NTH_TALLY_NOTHING;
}

/* Owner: sleeps(): is about to sleep, and looks again after this call. wakes(): has woken. */
static inline void nth_tally_sleeps(struct nth_tally *t) {
  uint32_t old = nth_or_acqrel(&t->others, NTH_TALLY_ASLEEP); /* B */
  nth_assert(!(old & (NTH_TALLY_ASLEEP | NTH_TALLY_CLOSED)));
}
static inline void nth_tally_wakes(struct nth_tally *t) {
  uint32_t old = nth_sub_rlx(&t->others, NTH_TALLY_ASLEEP);
  nth_assert(old & NTH_TALLY_ASLEEP);
}

/* Owner: stops owning the tally, to which the others add nothing. True: nothing is left. Else the
 * last sub() of another thread returns ZERO. */
static inline bool nth_tally_close(struct nth_tally *t) {
  if (nth_likely(nth_tally_left(t) == 0))
    return true;
  uint32_t own = t->own * NTH_TALLY_ONE + NTH_TALLY_CLOSED;
  return nth_add_acqrel(&t->others, own) + own == NTH_TALLY_CLOSED; /* A */
}

#endif
