/* sleep.h - how a member sleeps until a word changes, and how it is roused
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Each wait of the program's ends in "sleep while this word has this value". With
 *             nano-thread members (carry.h) the OS thread then goes on with another member, and
 *             sleeps itself only when there is none. The protocols around the word are the same in
 *             both cases.
 * Use         like futex.h's calls. Not for the runtime's own locks, whose holder never waits for a
 *             member.
 * Orders      H   nth_sleep_hook: the thread that sets it -> threads that sleep or rouse
 *             N   news: the thread that rouses -> a sleeper that reads it before it looks at its
 *                 words
 *             S   sleepers: a sleeper's addition, then the kernel's look at the word; the rousing
 *                 thread changes the word, full fence, reads sleepers: it sees the sleeper, or the
 *                 kernel sees the changed word
 * Cost        without nano-thread members two additions, a fence and a count more than the system
 *             call. With them a rouse is a fence and a load while no OS thread sleeps
 * Tested by   tests/model/doze
 */
#ifndef NTH_BASE_SLEEP_H
#define NTH_BASE_SLEEP_H

#include "runtime/base/atomic.h"
#include "runtime/base/check.h"
#include "runtime/base/count.h"
#include "runtime/base/futex.h"

#if defined(NTH_MODEL) && !defined(MODEL_CARRIED) /* no nano-thread members */
#define nth_sleep nth_futex_wait
#define nth_rouse nth_futex_wake
static inline bool nth_sleep_any(void) { return true; }
#else

/* The function that takes sleeps over; NULL: none. Permits (sched/adapt/permit.h) set it, and then
 * nano-thread members, before the first of them is made; theirs calls that of permits. It returns
 * what nth_futex_wait returns. */
typedef bool nth_sleep_fn(_Atomic(uint32_t) *word, uint32_t value, uint64_t timeout_ns);
extern _Atomic(nth_sleep_fn *) nth_sleep_hook;

/* The number of OS threads that sleep, or are about to, in nth_sleep_counted(), also before the
 * hook is set. w: these threads */
extern _Atomic(uint32_t) nth_sleepers;

/* Set with the hook where the kernel cannot wait for several words at once. A thread that waits for
 * several then sleeps on nth_sleep_news, which each rouse changes. */
extern bool nth_sleep_by_news;
extern _Atomic(uint32_t) nth_sleep_news;
void nth_sleep_tell_news(void);

/* Sleeps in the kernel, and is counted in nth_sleepers (S). */
static inline bool nth_sleep_counted(_Atomic(uint32_t) *word, uint32_t value, uint64_t timeout_ns) {
  nth_count(NTH_COUNT_SLEEPS);
  nth_add_acqrel(&nth_sleepers, 1); /* S */
  nth_fence_full();                 /* S */
  bool over = nth_futex_wait(word, value, timeout_ns);
  nth_sub_rlx(&nth_sleepers, 1);
  return over;
}

/* Whether an OS thread may sleep on the word that the caller has changed. After a full fence. */
static inline bool nth_sleep_any(void) { return nth_load_rlx(&nth_sleepers) != 0; } /* S */

static inline bool nth_sleep(_Atomic(uint32_t) *word, uint32_t value, uint64_t timeout_ns) {
  nth_sleep_fn *hook = nth_load_acq(&nth_sleep_hook); /* H */
  return hook ? hook(word, value, timeout_ns) : nth_sleep_counted(word, value, timeout_ns);
}

/* Wakes at most `count` sleepers. It may wake an OS thread whose member another one has taken away:
 * that thread passes the wake-up on (pass_on() in sched/nano/carrier.c). */
static inline void nth_rouse(_Atomic(uint32_t) *word, int count) {
  nth_assert(count > 0);
  if (nth_load_acq(&nth_sleep_hook)) { /* H */
    nth_fence_full();                  /* S */
    if (nth_likely(nth_load_rlx(&nth_sleepers) == 0))
      return;
    if (nth_unlikely(nth_sleep_by_news))
      nth_sleep_tell_news();
  }
  nth_count(NTH_COUNT_WAKES);
  nth_futex_wake(word, count);
}
#endif

#endif
