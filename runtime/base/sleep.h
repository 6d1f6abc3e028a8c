/* sleep.h - how a member sleeps for a word, and is roused
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Each wait of the program's ends in "sleep while this word has this value". With
 *             nano-thread members (carry.h) the OS thread goes on with another member meanwhile,
 *             and sleeps itself only when there is none. The protocols around the word stay the
 *             same.
 * Use         as futex.h's calls. Not in the runtime's own locks, whose owner never waits for a
 *             member.
 * Orders      H   nth_sleep_hook: who sets it -> who sleeps or rouses
 *             N   news: who rouses -> who reads it before it looks at its words
 *             S   sleepers: a sleeper's addition, then the kernel's look at the word; who rouses
 *                 changes the word, full fence, reads sleepers: it sees the sleeper, or the kernel
 *                 the changed word
 * Cost        without nano-threads two additions more than the system call; with them a rouse is a
 *             fence and a load as long as no OS thread sleeps
 * Tested by   tests/model/doze
 */
#ifndef NTH_BASE_SLEEP_H
#define NTH_BASE_SLEEP_H

#include "runtime/base/atomic.h"
#include "runtime/base/futex.h"

#if defined(NTH_MODEL) && !defined(MODEL_CARRIED) /* no nano-thread members */
#define nth_sleep nth_futex_wait
#define nth_rouse nth_futex_wake
static inline bool nth_sleep_any(void) { return true; }
#else

/* What takes the sleeps over, set once before the first nano-thread member is made; NULL: nothing.
 * Returns as nth_futex_wait. */
typedef bool nth_sleep_fn(_Atomic(uint32_t) *word, uint32_t value, uint64_t timeout_ns);
extern _Atomic(nth_sleep_fn *) nth_sleep_hook;

/* OS threads that sleep, or are about to, for words that are roused, before the hook is set, too.
 * w: these */
extern _Atomic(uint32_t) nth_sleepers;

/* Where the kernel cannot wait for several words at once, who waits for more than one sleeps for
 * this one; set with the hook. news changes with each rouse then. */
extern bool nth_sleep_by_news;
extern _Atomic(uint32_t) nth_sleep_news;
void nth_sleep_tell_news(void);

/* Sleeps in the kernel and is counted (S). */
static inline bool nth_sleep_counted(_Atomic(uint32_t) *word, uint32_t value, uint64_t timeout_ns) {
  nth_add_acqrel(&nth_sleepers, 1); /* S */
  nth_fence_full();                 /* S */
  bool over = nth_futex_wait(word, value, timeout_ns);
  nth_sub_rlx(&nth_sleepers, 1);
  return over;
}

/* Whether an OS thread may sleep for a word that the caller has changed, behind a full fence. */
static inline bool nth_sleep_any(void) { return nth_load_rlx(&nth_sleepers) != 0; } /* S */

static inline bool nth_sleep(_Atomic(uint32_t) *word, uint32_t value, uint64_t timeout_ns) {
  nth_sleep_fn *hook = nth_load_acq(&nth_sleep_hook); /* H */
  return hook ? hook(word, value, timeout_ns) : nth_sleep_counted(word, value, timeout_ns);
}

/* Wakes so many sleepers. An OS thread may sleep for a member that another one has taken away
 * meanwhile: it passes the wake-up on (pass_on() in sched/nano/carrier.c). */
static inline void nth_rouse(_Atomic(uint32_t) *word, int count) {
  if (nth_load_acq(&nth_sleep_hook)) { /* H */
    nth_fence_full();                  /* S */
    if (nth_likely(nth_load_rlx(&nth_sleepers) == 0))
      return;
    if (nth_unlikely(nth_sleep_by_news))
      nth_sleep_tell_news();
  }
  nth_futex_wake(word, count);
}
#endif

#endif
