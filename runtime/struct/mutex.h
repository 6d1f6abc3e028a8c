/* mutex.h - a lock in one word: free, taken, or taken and awaited
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         An OpenMP lock lies in a 4-byte object of the program, and a zero-filled one must
 *             work. The same word serves critical constructs and the runtime's own slow paths.
 * Use         try; lock or lock_soon; unlock. Members of a team sleep for locks of the program, by
 *             await.
 *             lock         sleeps at once when the lock is taken: for slow paths of the runtime
 *             lock_soon    looks NTH_MUTEX_LOOKS times before it sleeps: for a lock whose holder
 *                         leaves it sooner than a sleeper could be woken
 *             await        sleeps for a lock of the program. Waiters that spin first call try, and
 *                         await at the end; nano-threads have a way of their own
 *                         (runtime/omp/sync/lock.c)
 * Invariants  I1  the value is one of NTH_MUTEX_
 *             I2  if a thread sleeps on the word, the value is AWAITED, or an unlock is about to
 *                 wake a thread
 * Orders      A   unlock's release -> lock's acquire
 * Cost        without contention one locked operation each way
 * Tested by   tests/model/mutex, tests/unit/struct.c
 */
#ifndef NTH_STRUCT_MUTEX_H
#define NTH_STRUCT_MUTEX_H

#include "runtime/base/atomic.h"
#include "runtime/base/check.h"
#include "runtime/base/config.h"
#include "runtime/base/sleep.h"

/* AWAITED: taken, and a thread may sleep for it. TOLD: taken, and a tool hears when it is left.
 * FREE is 0, so that a zero-filled lock is free. */
enum { NTH_MUTEX_FREE = 0, NTH_MUTEX_TAKEN = 1, NTH_MUTEX_AWAITED = 2, NTH_MUTEX_TOLD = 3 };

struct nth_mutex {
  _Atomic(uint32_t) word; /* futex word; w, r: anybody; A */
};

static inline void nth_mutex_init(struct nth_mutex *m) { nth_store_rlx(&m->word, NTH_MUTEX_FREE); }

/* Whether a thread holds the lock. For asserts of a caller that holds it. */
static inline bool nth_mutex_is_held(const struct nth_mutex *m) {
  return nth_load_rlx(&m->word) != NTH_MUTEX_FREE;
}

static inline bool nth_mutex_try(struct nth_mutex *m) {
  uint32_t free = NTH_MUTEX_FREE;
  return nth_cas_acq(&m->word, &free, NTH_MUTEX_TAKEN); /* A */
}

static inline void nth_mutex_sleep(struct nth_mutex *m) {
  while (nth_xchg_acq(&m->word, NTH_MUTEX_AWAITED) != NTH_MUTEX_FREE) /* A */
    nth_futex_wait(&m->word, NTH_MUTEX_AWAITED, 0);
}

static inline void nth_mutex_lock(struct nth_mutex *m) {
  if (nth_unlikely(!nth_mutex_try(m)))
    nth_mutex_sleep(m);
}

static inline void nth_mutex_lock_soon(struct nth_mutex *m) {
  if (nth_likely(nth_mutex_try(m)))
    return;
  for (int looks = 0; looks < NTH_MUTEX_LOOKS; looks++) {
    nth_pause();
    if (nth_load_rlx(&m->word) == NTH_MUTEX_FREE && nth_mutex_try(m))
      return;
  }
  nth_mutex_sleep(m);
}

static inline void nth_mutex_unlock(struct nth_mutex *m) {
  uint32_t was = nth_xchg_rel(&m->word, NTH_MUTEX_FREE); /* A */
  nth_assert(was != NTH_MUTEX_FREE);
  if (nth_unlikely(was == NTH_MUTEX_AWAITED))
    nth_futex_wake(&m->word, 1);
}

/* For a lock of the program, for which a member sleeps. */
static inline void nth_mutex_await(struct nth_mutex *m) {
  while (nth_xchg_acq(&m->word, NTH_MUTEX_AWAITED) != NTH_MUTEX_FREE) /* A */
    nth_sleep(&m->word, NTH_MUTEX_AWAITED, 0);
}

#endif
