/* djs.h - distributed join structure: N arrivals, one waiter, no shared counter
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         From the fork/join paper (ICS 1999), section 3.2. Each slave writes a sequence number
 *             of its own, and the master compares it with its own copy (PJV). So regions of any
 *             nesting join without a common counter, and a worker may take part in any number of
 *             them.
 * Use         slave i:  arrive(slot i, n) when it has finished its n-th descriptor from this
 *                      master. After that it touches nothing of the team
 *             master:   expects pjv[i] arrivals of slave i; done() polls; to sleep: announce(),
 *                      look again, sleep()
 * Invariants  I1  only slave i writes slot i; the sleep bit alone is set by the master
 *             I2  a slot's count only grows, and is at most pjv[i] (31 bits, compared by signed
 *                 difference)
 *             I3  count == pjv[i]  <=>  slave i has no descriptor of this master left
 * Orders      A   arrive: the exchange releases -> done: load-acquire: the slave's writes
 *             B   announce's CAS and arrive's exchange change one word: the slave sees the bit, or
 *                 the CAS fails
 * Cost        one line for each slave, which the slave writes once and the master reads once
 * Tested by   tests/model/djs, tests/unit/struct.c
 */
#ifndef NTH_STRUCT_DJS_H
#define NTH_STRUCT_DJS_H

#include "runtime/base/atomic.h"
#include "runtime/base/check.h"
#include "runtime/base/config.h"
#include "runtime/base/sleep.h"

#define NTH_DJS_SLEEP 0x80000000u

struct nth_djs {
  _Alignas(NTH_APART) _Atomic(uint32_t) count; /* w: slave (A), master's sleep bit (B); r: master */
};

/* Slave: has finished its n-th descriptor (n: 31 bits). */
static inline void nth_djs_arrive(struct nth_djs *d, uint32_t n) {
  uint32_t old = nth_xchg_acqrel(&d->count, n & ~NTH_DJS_SLEEP); /* A, B */
  nth_assert(((n - old) & ~NTH_DJS_SLEEP) != 0);                 /* I2 */
  if (nth_unlikely(old & NTH_DJS_SLEEP))
    nth_rouse(&d->count, 1);
}

/* Whether the slave has finished its expect-th descriptor. */
static inline bool nth_djs_done(struct nth_djs *d, uint32_t expect) {
  uint32_t c = nth_load_acq(&d->count); /* A */
  return (c & ~NTH_DJS_SLEEP) == (expect & ~NTH_DJS_SLEEP);
}

/* Master: announces that it is about to sleep for the slot. False: the slave has arrived already.
 * Else *ticket is for nth_djs_sleep; before that call the master looks at whatever else it waits
 * for. */
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

/* Sleeps, unless an arrival or nth_djs_rouse has changed the slot since the ticket was given.
 * timeout: ns, 0: no limit. */
static inline void nth_djs_sleep(struct nth_djs *d, uint32_t ticket, uint64_t timeout) {
  nth_sleep(&d->count, ticket, timeout);
}

/* By any thread: makes a sleeping master look again. */
static inline void nth_djs_rouse(struct nth_djs *d) {
  uint32_t c = nth_load_rlx(&d->count);
  if ((c & NTH_DJS_SLEEP) && nth_cas_acqrel(&d->count, &c, c & ~NTH_DJS_SLEEP)) /* B */
    nth_rouse(&d->count, 1);
}

#endif
