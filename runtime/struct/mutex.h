/* mutex.h - a lock in one word: free, taken, or taken and awaited
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         OpenMP locks live in the program's 4-byte objects; a zero-filled one must work. The
 *             same word serves critical constructs and the runtime's own slow paths.
 * Use         try / lock / unlock; await for locks of the program, which lock.h leaves. lock sleeps
 *             at once: for the runtime's own slow paths. lock_soon looks
 *             NTH_POOL_LOOKS times first: for a lock whose holder is about to leave it, so that a
 *             sleep would be longer than the wait; wait.h has nothing to decide there. Who wants to
 *             spin longer does so with try (runtime/omp/sync/lock.c) and ends in await.
 * Invariants  I1  the value is one of NTH_MUTEX_
 *             I2  if a thread sleeps on the word, it is AWAITED, or an unlock is about to wake one
 * Orders      A   unlock's release -> lock's acquire
 * Cost        alone: one locked operation each way
 * Tested by   tests/model/mutex, tests/unit/struct.c
 */
#ifndef NTH_STRUCT_MUTEX_H
#define NTH_STRUCT_MUTEX_H

#include "runtime/base/atomic.h"
#include "runtime/base/check.h"
#include "runtime/base/config.h"
#include "runtime/base/sleep.h"

/* AWAITED: taken, and somebody may sleep for it. FREE is 0, as a zero-filled lock has it. */
enum { NTH_MUTEX_FREE = 0, NTH_MUTEX_TAKEN = 1, NTH_MUTEX_AWAITED = 2 };

struct nth_mutex {
  _Atomic(uint32_t) word; /* futex word; w, r: anybody; A */
};

static inline void nth_mutex_init(struct nth_mutex *m) { nth_store_rlx(&m->word, NTH_MUTEX_FREE); }

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
  for (int looks = 0; looks < NTH_POOL_LOOKS; looks++) {
    nth_pause();
    if (nth_load_rlx(&m->word) == NTH_MUTEX_FREE && nth_mutex_try(m))
      return;
  }
  nth_mutex_sleep(m);
}

static inline void nth_mutex_unlock(struct nth_mutex *m) {
  nth_assert(nth_load_rlx(&m->word) != NTH_MUTEX_FREE);
  if (nth_unlikely(nth_xchg_rel(&m->word, NTH_MUTEX_FREE) == NTH_MUTEX_AWAITED)) /* A */
    nth_futex_wake(&m->word, 1);
}

/* For locks of the program: members sleep for them. */
static inline void nth_mutex_await(struct nth_mutex *m) {
  while (nth_xchg_acq(&m->word, NTH_MUTEX_AWAITED) != NTH_MUTEX_FREE) /* A */
    nth_sleep(&m->word, NTH_MUTEX_AWAITED, 0);
}

#endif
