/* park.h - where a processor without nano-threads sleeps
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A maker that queues a nano-thread wakes the processor whose queue it is, or any other
 *             that sleeps. While all are awake that must cost one load. An event count would not
 *             do: until a woken sleeper has left it, each further maker makes a system call. Here
 *             the waker takes the sleeper out of the count.
 * Use         sleeper: enter(); look at all queues; sleep() or nothing; leave()
 *             maker:   put, light fence (lrq.h); if any() says so: wake() of one processor after
 *                      the other, until one says true
 * Invariants  I1  asleep = number of words that are ASLEEP, except those of processors on their way
 *                 in or out
 *             I2  a word is ASLEEP only while its processor is between enter and leave
 * Sleep       The sleeper writes its word and the count, fences all threads (deque:F), and looks at
 *             the queues. The maker puts, makes its light fence, and looks at the count and the
 *             words. If the maker does not find the word ASLEEP, its fence came first, and the
 *             sleeper finds what was put
 * Orders      W   the word: wake's release -> enter's, leave's acquire: one wake-up is taken once;
 *                 enter's release -> wake's acquire: who sleeps (processor.h: sleeper)
 * Cost        any: one load of a line that does not change while nobody falls asleep. enter: a
 *             system call that interrupts the other CPUs
 * Tested by   tests/model/lrq
 */
#ifndef NTH_NTH_PARK_H
#define NTH_NTH_PARK_H

#include "runtime/base/atomic.h"
#include "runtime/base/check.h"
#include "runtime/base/sleep.h"
#include "runtime/struct/deque.h"

enum { NTH_PARK_AWAKE, NTH_PARK_ASLEEP };

/* One for all processors. */
struct nth_parking {
  _Alignas(NTH_APART) _Atomic(uint32_t) asleep; /* w: sleepers, makers; r: makers; I1 */
};

struct nth_park {
  _Alignas(NTH_APART) _Atomic(uint32_t) word; /* futex word; w: its processor, makers; W */
};

/* False: the system has no fence, and the sleeper must not sleep without a limit. */
static inline bool nth_park_enter(struct nth_parking *all, struct nth_park *p) {
  uint32_t was = nth_xchg_acqrel(&p->word, NTH_PARK_ASLEEP); /* W */
  nth_assert(was == NTH_PARK_AWAKE);                         /* I2 */
  nth_add_rlx(&all->asleep, 1);
  return nth_deque_fence_all();
}

static inline void nth_park_sleep(struct nth_park *p, uint64_t timeout_ns) {
  nth_sleep(&p->word, NTH_PARK_ASLEEP, timeout_ns);
}

static inline void nth_park_leave(struct nth_parking *all, struct nth_park *p) {
  if (nth_xchg_acq(&p->word, NTH_PARK_AWAKE) == NTH_PARK_ASLEEP) /* W */
    nth_sub_rlx(&all->asleep, 1);
}

static inline bool nth_park_any(const struct nth_parking *all) {
  return nth_unlikely(nth_load_rlx(&all->asleep) != 0);
}

/* True: p slept, and this call has woken it. */
static inline bool nth_park_wake(struct nth_parking *all, struct nth_park *p) {
  if (nth_load_rlx(&p->word) != NTH_PARK_ASLEEP ||
      nth_xchg_acqrel(&p->word, NTH_PARK_AWAKE) != NTH_PARK_ASLEEP) /* W */
    return false;
  nth_sub_rlx(&all->asleep, 1);
  nth_rouse(&p->word, 1);
  return true;
}

#endif
