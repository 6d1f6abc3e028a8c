/* progress.h - one member posts how far it is, and other members wait for a position
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Ordered and doacross loops wait for a position: a turn, an iteration. A post comes
 *             with each iteration and hardly ever finds a sleeper, so it must be one plain store. A
 *             full fence after it, as a bell needs one, would stall until the pollers have given up
 *             the line. So the rare sleeper pays for both sides: it makes every running thread of
 *             the process fence (membarrier), and then looks once more.
 * Use         owner:    nth_progress_post(p, value), values growing
 *             waiter:   while (!nth_progress_reached(p, value)) poll; a waiter that takes turns
 *                       lets others run until nth_progress_word(p) has changed; to sleep:
 *                       timeout = nth_progress_enter(p, value, &ticket); look again;
 *                       nth_progress_sleep(p, ticket, timeout) or nothing
 * Invariants  I1  one member at a time writes posted, and posted only grows
 *             I2  for every sleeper: want <= its value, or seq has changed since it took its ticket
 * Orders      A   post: store-release -> reached: load-acquire: all that the owner wrote before
 *             F   enter's fence in all threads stands against the poster's compiler fence between
 *                 its store and its load: the poster sees want, or the sleeper sees the position.
 *                 Without membarrier (old kernels, sandboxes) a sleeper looks again every
 *                 NTH_UNSURE_NS
 *             W   want: enter's CAS -> wake's exchange, and seq: wake's addition -> enter's load: a
 *                 sleeper whose wish is taken out of want finds its ticket expired
 * Cost        post: one store, and one load of the same line; reached: one load
 * Tested by   tests/model/progress, tests/lit/sync, tests/lit/worksharing/doacross*.c
 */
#ifndef NTH_STRUCT_PROGRESS_H
#define NTH_STRUCT_PROGRESS_H

#include <limits.h>

#include "runtime/base/atomic.h"
#include "runtime/base/config.h"
#include "runtime/base/os.h"
#include "runtime/base/sleep.h"

#define NTH_PROGRESS_NOBODY UINT64_MAX

struct nth_progress {
  union {
    _Atomic(uint64_t) posted;  /* w: owner; r: waiters; I1, A */
    _Atomic(uint32_t) half[2]; /* of posted; r: waiters, for changes only */
  };
  _Atomic(uint64_t) want; /* least value a sleeper waits for; w: sleepers, owner; I2, W */
  _Atomic(uint32_t) seq;  /* futex word; w: owner; r: sleepers; W */
};

/* Nothing is posted and nobody waits. Before other members see the object. */
static inline void nth_progress_reset(struct nth_progress *p) {
  nth_store_rlx(&p->posted, 0);
  nth_store_rlx(&p->want, NTH_PROGRESS_NOBODY);
}

/* Wakes all sleepers: one of them waits for the posted value or a smaller one. */
static inline void nth_progress_wake(struct nth_progress *p) {
  nth_xchg_acqrel(&p->want, NTH_PROGRESS_NOBODY); /* W */
  nth_add_rel(&p->seq, 1);                        /* W */
  nth_rouse(&p->seq, INT_MAX);
}

static inline void nth_progress_post(struct nth_progress *p, uint64_t value) {
  nth_store_rel(&p->posted, value); /* A */
  nth_fence_light();                /* F: against enter's fence in all threads */
  if (nth_unlikely(nth_load_rlx(&p->want) <= value))
    nth_progress_wake(p);
}

static inline bool nth_progress_reached(struct nth_progress *p, uint64_t value) {
  return nth_load_acq(&p->posted) >= value; /* A */
}

/* word: the half of `posted` that changes with each post, unless a post moves `posted` on by a
 * multiple of 2^32. seen: the value of that half. A waiter reads the value before it asks whether
 * its position is reached. Then it waits until the word changes, and asks again. */
static inline uint32_t nth_progress_seen(struct nth_progress *p) {
  return (uint32_t)nth_load_acq(&p->posted); /* A */
}
static inline _Atomic(uint32_t) *nth_progress_word(struct nth_progress *p) {
  return &p->half[__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__];
}

/* Announces a sleeper for value (0: for any post). The caller looks at its condition after this
 * call. Returns for how many ns it may sleep; 0: until it is woken. */
static inline uint64_t nth_progress_enter(struct nth_progress *p, uint64_t value,
                                          uint32_t *ticket) {
  *ticket = nth_load_acq(&p->seq); /* W */
  uint64_t least = nth_load_rlx(&p->want);
  while (least > value && !nth_cas_acqrel(&p->want, &least, value)) { /* W */
  }
  bool fenced = nth_os_fence_all(); /* F: against the poster's fence between store and load */
  return fenced ? 0 : NTH_UNSURE_NS;
}

static inline void nth_progress_sleep(struct nth_progress *p, uint32_t ticket,
                                      uint64_t timeout_ns) {
  nth_sleep(&p->seq, ticket, timeout_ns);
}

#endif
