/* djs.h - distributed join structure: N arrivals, one waiter, no shared counter
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         From the fork/join paper (ICS 1999), section 3.2. Each slave writes a sequence number
 *             of its own, and the master compares it with its own copy (PJV). So regions of any
 *             nesting join without a common counter, and a worker may take part in any number of
 *             them.
 * Use         slave i:  arrive(slot i, n) when it has finished its n-th descriptor from this
 *                      master. After that it touches nothing of the team, unless it comes back: it
 *                      takes its arrival back, looks whether its region still runs, and leaves.
 *                      Both calls name the n of that arrival
 *             others:   call() a slave that has come back, so that it does not leave yet
 *             master:   expects pjv[i] arrivals of slave i; done() polls; to sleep: announce(),
 *                      look again, sleep()
 * Invariants  I1  only slave i writes slot i, but for the sleep bit (set by the master, taken off
 *                 by whoever rouses it) and the bit of a call (whoever makes tasks)
 *             I2  a slot's count only grows, but for an arrival that is taken back, and is at most
 *                 pjv[i] (29 bits)
 *             I3  count == pjv[i], and not come back  <=>  slave i has no descriptor of this master
 *                 left
 *             I4  the master may give slot i to a new slave between two regions, while the slot's
 *                 old slave still looks. The old slave names the count of its own arrival, and the
 *                 new slave arrives with a higher count. So the old slave does not take off the new
 *                 slave's bit, and nobody calls the old slave instead of the new one
 * Orders      A   arrive: the exchange releases -> done: load-acquire: the slave's writes
 *             B   announce's, rouse's and leave's CAS and arrive's exchange change one word: the
 *                 slave sees the bit, or the master's CAS fails
 *             K   call and leave change one word by CAS: the slave sees the call and looks again,
 *                 or the caller sees it gone
 * Cost        one line for each slave, which the slave writes once and the master reads once
 * Tested by   tests/model/djs, tests/unit/struct.c
 */
#ifndef NTH_STRUCT_DJS_H
#define NTH_STRUCT_DJS_H

#include "runtime/base/atomic.h"
#include "runtime/base/check.h"
#include "runtime/base/config.h"
#include "runtime/base/sleep.h"

/* tools/gdb/openmp.py knows these, too. */
#define NTH_DJS_SLEEP 0x80000000u  /* the master sleeps for this slot */
#define NTH_DJS_BACK 0x40000000u   /* the slave has come back: it has not arrived */
#define NTH_DJS_CALLED 0x20000000u /* it is to look for tasks once more before it leaves */
#define NTH_DJS_COUNT 0x1fffffffu

struct nth_djs {
  /* w: slave (A), the sleep bit: master and who rouses it (B), makers' calls (K); r: master,
   * makers of tasks */
  _Alignas(NTH_APART) _Atomic(uint32_t) count;
};

/* Slave: has finished its n-th descriptor (n: 29 bits). */
static inline void nth_djs_arrive(struct nth_djs *d, uint32_t n) {
  uint32_t old = nth_xchg_acqrel(&d->count, n & NTH_DJS_COUNT); /* A, B */
  nth_assert(((n - old) & NTH_DJS_COUNT) != 0);                 /* I2 */
  if (nth_unlikely(old & NTH_DJS_SLEEP))
    nth_rouse(&d->count, 1);
}

/* Whether two counts are the same, whatever bits stand beside them. */
static inline bool nth_djs_same(uint32_t a, uint32_t b) { return ((a ^ b) & NTH_DJS_COUNT) == 0; }

/* Whether the slave has finished its expect-th descriptor. */
static inline bool nth_djs_done(struct nth_djs *d, uint32_t expect) {
  uint32_t c = nth_load_acq(&d->count); /* A */
  return (c & ~NTH_DJS_SLEEP) == (expect & NTH_DJS_COUNT);
}

/* What a maker of tasks wants to know of a slave that got `given` descriptors. */
enum { NTH_DJS_RUNS, NTH_DJS_IS_BACK, NTH_DJS_ARRIVED };
static inline int nth_djs_look(struct nth_djs *d, uint32_t given) {
  uint32_t c = nth_load_acq(&d->count); /* A */
  if (nth_likely(!nth_djs_same(c, given)))
    return NTH_DJS_RUNS; /* if the bit is there, the slot's old slave has set it; I4 */
  return nth_unlikely(c & NTH_DJS_BACK) ? NTH_DJS_IS_BACK : NTH_DJS_ARRIVED;
}

/* Slave: takes its n-th arrival back. False: the master sleeps for the next one, or the slot is
 * another slave's by now. */
static inline bool nth_djs_come_back(struct nth_djs *d, uint32_t n) {
  uint32_t c = n & NTH_DJS_COUNT;
  return nth_load_rlx(&d->count) == c && nth_cas_acqrel(&d->count, &c, c | NTH_DJS_BACK); /* K */
}

/* Slave that has come back: arrives as before. False: it has been called, and stays. */
static inline bool nth_djs_leave(struct nth_djs *d, uint32_t n) {
  uint32_t c = nth_load_rlx(&d->count), next;
  do {
    if (!(c & NTH_DJS_BACK) || !nth_djs_same(c, n))
      return true; /* the slot is another slave's by now, which has arrived */
    next = c & (c & NTH_DJS_CALLED ? ~NTH_DJS_CALLED : NTH_DJS_COUNT);
  } while (!nth_cas_acqrel(&d->count, &c, next)); /* A, B, K */
  if (c & NTH_DJS_CALLED)
    return false;
  if (nth_unlikely(c & NTH_DJS_SLEEP))
    nth_rouse(&d->count, 1);
  return true;
}

/* Slave that has come back: takes part in the region again, as before its arrival. */
static inline void nth_djs_stay(struct nth_djs *d) {
  uint32_t c = nth_load_rlx(&d->count);
  while (!nth_cas_acqrel(&d->count, &c, (c & NTH_DJS_SLEEP) | ((c - 1) & NTH_DJS_COUNT))) {} /* K */
}

/* Any thread: calls the slave if it has come back after `given` descriptors. False: it has not, or
 * another call is on its way. In that case the slave will see the caller's task, too, but may be
 * busy with the other one for long. So the caller has to call somebody else. */
static inline bool nth_djs_call(struct nth_djs *d, uint32_t given) {
  uint32_t c = nth_load_acq(&d->count); /* A */
  do {
    if (!(c & NTH_DJS_BACK) || !nth_djs_same(c, given))
      return false;
  } while (!nth_cas_acqrel(&d->count, &c, c | NTH_DJS_CALLED)); /* K */
  return !(c & NTH_DJS_CALLED);
}

/* Master: announces that it is about to sleep for the slot. False: the slave has arrived already.
 * Else *ticket is for nth_djs_sleep; before that call the master looks at whatever else it waits
 * for. */
static inline bool nth_djs_announce(struct nth_djs *d, uint32_t expect, uint32_t *ticket) {
  uint32_t c = nth_load_acq(&d->count); /* A */
  do {
    if ((c & ~NTH_DJS_SLEEP) == (expect & NTH_DJS_COUNT))
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
  while (c & NTH_DJS_SLEEP)
    if (nth_cas_acqrel(&d->count, &c, c & ~NTH_DJS_SLEEP)) { /* B */
      nth_rouse(&d->count, 1);
      return;
    }
}

#endif
