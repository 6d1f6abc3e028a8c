/* park.h - where a processor without nano-threads sleeps
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Who queues a nano-thread wakes the processor whose queue it is, or any other one that
 *             sleeps, but never pays for that while all are awake: then it is one load. An event
 *             count would not do: until a woken sleeper has left it, each further maker makes a
 *             system call. Here who wakes a sleeper takes it out of the count.
 * Use         sleeper: enter(); look at all queues; sleep() or nothing; leave()
 *             maker:   put, light fence (lrq.h); with any() asleep: wake() one after the other
 *                      until it says true
 * Invariants  I1  asleep = words that say ASLEEP, but for those on their way in or out
 *             I2  the word is ASLEEP only while its processor is between enter and leave
 * Sleep       sleeper: the word, the count, the fence in all threads (deque:F), a look at the
 *             queues; maker: put, the light fence, a look at the count, and at the words. If the
 *             maker does not find the word its fence was first, and the sleeper finds what was put
 * Orders      W   the word: wake's release -> enter's, leave's acquire: that one wake-up is taken
 *                 once; enter's release -> wake's acquire: who the sleeper is (processor.h: member)
 * Cost        any: one load of a line that stays unchanged while nobody falls asleep. enter: a
 *             system call that interrupts the other CPUs
 * Tested by   tests/model/lrq
 */
#ifndef NTH_NTH_PARK_H
#define NTH_NTH_PARK_H

#include "runtime/base/atomic.h"
#include "runtime/base/sleep.h"
#include "runtime/struct/deque.h"

enum { NTH_PARK_AWAKE, NTH_PARK_ASLEEP };

/* All processors together. */
struct nth_parking {
  _Alignas(NTH_APART) _Atomic(uint32_t) asleep; /* w: sleepers, makers; r: makers; I1 */
};

struct nth_park {
  _Alignas(NTH_APART) _Atomic(uint32_t) word; /* futex word; w: its processor, makers; W */
};

/* False: the system has no fence; the sleeper may sleep for a while only. */
static inline bool nth_park_enter(struct nth_parking *all, struct nth_park *p) {
  nth_xchg_acqrel(&p->word, NTH_PARK_ASLEEP); /* W */
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
