/* djs.h - distributed join structure: N arrivals, one waiter, no shared counter
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Section 3.2 of the fork/join paper (ICS 1999): each slave writes its own sequence
 *             number, the master compares with its own copies (PJV), so regions of any nesting join
 *             without a common counter and a worker may take part in any number of them.
 * Use         slave i: arrive(slot i, n) for its n-th descriptor from this master.
 *             master: expects pjv[i] arrivals; done() polls; announce(), another look, sleep().
 *             A slave touches nothing of the team after arrive().
 * Invariants  I1  slot i is written by slave i, but for the sleep bit, which the master sets
 *             I2  slot i's count only grows; count <= pjv[i] (31 bits, by signed difference)
 *             I3  count == pjv[i]  <=>  slave i has no descriptor of this master left
 * Orders      A   arrive: the exchange releases -> done: load-acquire: the slave's writes
 *             B   announce's CAS and arrive's exchange are on one word: the bit is seen or the CAS
 *                 fails
 * Cost        one line a slave: written once by it, read once by the master
 * Tested by   tests/model/djs, tests/unit/struct.c
 */
#ifndef NTH_STRUCT_DJS_H
#define NTH_STRUCT_DJS_H

#include "runtime/base/atomic.h"
#include "runtime/base/config.h"
#include "runtime/base/sleep.h"

#define NTH_DJS_SLEEP 0x80000000u

struct nth_djs {
  _Alignas(NTH_APART) _Atomic(uint32_t) count; /* w: slave (A), master's sleep bit (B); r: master */
};

/* Slave: its descriptor number n (n-th, 31 bits) is finished. */
static inline void nth_djs_arrive(struct nth_djs *d, uint32_t n) {
  uint32_t old = nth_xchg_acqrel(&d->count, n & ~NTH_DJS_SLEEP); /* A, B */
  if (nth_unlikely(old & NTH_DJS_SLEEP))
    nth_rouse(&d->count, 1);
}

/* Whether the slave has finished its expect-th descriptor. */
static inline bool nth_djs_done(struct nth_djs *d, uint32_t expect) {
  uint32_t c = nth_load_acq(&d->count); /* A */
  return (c & ~NTH_DJS_SLEEP) == (expect & ~NTH_DJS_SLEEP);
}

/* Master: announces that it is about to sleep for the slot. False when the slot has come to expect;
 * else *ticket is for nth_djs_sleep. Between the two it looks at whatever else it waits for. */
static inline bool nth_djs_announce(struct nth_djs *d, uint32_t expect, uint32_t *ticket) {
  uint32_t c = nth_load_acq(&d->count); /* A */
  do {
    if ((c & ~NTH_DJS_SLEEP) == (expect & ~NTH_DJS_SLEEP))
      return false;
    if (c & NTH_DJS_SLEEP)
      break;
  } while (!nth_cas_acqrel(&d->count, &c, c | NTH_DJS_SLEEP)); /* B */
  *ticket = c | NTH_DJS_SLEEP;
  return true;
}

/* Sleeps unless the slot has changed since the ticket, by an arrival or by nth_djs_rouse. At most
 * timeout ns; 0: no limit. */
static inline void nth_djs_sleep(struct nth_djs *d, uint32_t ticket, uint64_t timeout) {
  nth_sleep(&d->count, ticket, timeout);
}

/* Anybody: makes a sleeping master look again. */
static inline void nth_djs_rouse(struct nth_djs *d) {
  uint32_t c = nth_load_rlx(&d->count);
  if ((c & NTH_DJS_SLEEP) && nth_cas_acqrel(&d->count, &c, c & ~NTH_DJS_SLEEP)) /* B */
    nth_rouse(&d->count, 1);
}

#endif
