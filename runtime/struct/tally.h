/* tally.h - a count that one thread changes without atomic operations
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         The unfinished children of a task, and the unfinished tasks of a taskgroup, are
 *             mostly made and finished by one thread, and that thread alone wants to know when they
 *             are none. One atomic counter would cost two locked operations a task.
 * How         The count is own + others: the owner's changes are plain, the others' atomic. A
 *             single part may be negative.
 * Use         owner: add_own(), zero(); before it sleeps sleeps(), another look, then wakes().
 *             others: add(), sub() of one or more. An owner that does not wait for zero close()s
 *             its tally when it goes; then whoever brings it to zero is told so.
 * Invariants  I1  own + others >> 2 = the count, modulo 2^30; it never exceeds 2^30 - 1. Each part
 *                 goes on for ever: only their sum says anything, unless closed
 *             I2  bit 0 of others: the owner may sleep until the count is zero
 *             I3  bit 1: closed. Own has moved into others, and all threads are others from then on
 * Orders      A   sub's release -> zero's, close's and the last sub's acquire: what the others did
 *                 before
 *             B   sleeps() and sub() are on one word: the bit is seen, or the sleeper's look sees
 *                 the sub. What the owner wrote before sleeps() is seen by a sub that sees the bit
 * Cost        owner: a plain addition; zero: one load. Others: one locked addition
 * Tested by   tests/model/tally, tests/unit/struct.c
 */
#ifndef NTH_STRUCT_TALLY_H
#define NTH_STRUCT_TALLY_H

#include "runtime/base/atomic.h"

struct nth_tally {
  uint32_t own;             /* w, r: owner */
  _Atomic(uint32_t) others; /* count << 2 | NTH_TALLY_ bits; w: all; A, B */
};

enum { NTH_TALLY_ASLEEP = 1, NTH_TALLY_CLOSED = 2, NTH_TALLY_ONE = 4 };

/* What a sub found. */
enum nth_tally_news {
  NTH_TALLY_NOTHING,
  NTH_TALLY_WAKE, /* the owner may sleep */
  NTH_TALLY_ZERO, /* closed, and that was the last one */
};

/* The count is small: for asserts by the owner while nobody else is at it. */
static inline bool nth_tally_valid(const struct nth_tally *t) {
  return ((t->own * NTH_TALLY_ONE + nth_load_rlx(&t->others)) / NTH_TALLY_ONE) < UINT32_MAX / 8;
}

static inline void nth_tally_clear(struct nth_tally *t) {
  t->own = 0;
  nth_store_rlx(&t->others, 0);
}

/* Owner. */
static inline void nth_tally_add_own(struct nth_tally *t) { t->own++; }
static inline void nth_tally_sub_own(struct nth_tally *t, uint32_t n) { t->own -= n; }

/* Owner: what is left. */
static inline uint32_t nth_tally_left(struct nth_tally *t) {
  return (t->own * NTH_TALLY_ONE + nth_load_acq(&t->others)) / NTH_TALLY_ONE; /* A */
}

/* Another thread: one more. It stands for one itself, so that the count is not zero meanwhile. */
static inline void nth_tally_add(struct nth_tally *t) { nth_add_rlx(&t->others, NTH_TALLY_ONE); }

/* Another thread: n less, which is not 0. Unless it says ZERO the tally may be gone when this
 * returns. */
static inline enum nth_tally_news nth_tally_sub(struct nth_tally *t, uint32_t n) {
  uint32_t old = nth_sub_acqrel(&t->others, n * NTH_TALLY_ONE); /* A, B */
  if (nth_unlikely(old & NTH_TALLY_ASLEEP))
    return NTH_TALLY_WAKE;
  return nth_unlikely(old == (n * NTH_TALLY_ONE | NTH_TALLY_CLOSED)) ? NTH_TALLY_ZERO
                                                                     : NTH_TALLY_NOTHING;
}

/* Owner: is about to sleep, and looks again after this call; has woken. */
static inline void nth_tally_sleeps(struct nth_tally *t) {
  nth_or_acqrel(&t->others, NTH_TALLY_ASLEEP); /* B */
}
static inline void nth_tally_wakes(struct nth_tally *t) {
  nth_sub_rlx(&t->others, NTH_TALLY_ASLEEP);
}

/* Owner, for a tally to which others do not add: goes. True: nothing is left. Else another's last
 * sub says ZERO. */
static inline bool nth_tally_close(struct nth_tally *t) {
  if (nth_likely(nth_tally_left(t) == 0))
    return true;
  uint32_t own = t->own * NTH_TALLY_ONE + NTH_TALLY_CLOSED;
  return nth_add_acqrel(&t->others, own) + own == NTH_TALLY_CLOSED; /* A */
}

#endif
