/* lock.h - OpenMP locks and critical constructs
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         OpenMP 5.2, sections 15.2 and 18.9. A lock is one word in the program's own object, zero
 *             means free (struct/mutex.h); what is added here is the waiting.
 * Rules       A wait for a lock starts no task (DESIGN: a waiting processor works).
 * Orders      L   owner of the old nest lock: store-release -> CAS acquire; the rest is mutex:A
 * Cost        alone: one locked operation each way
 */
#ifndef NTH_OMP_LOCK_H
#define NTH_OMP_LOCK_H

#include "runtime/struct/mutex.h"

/* Spins as the wait policy says, then sleeps. */
void nth_lock_wait(struct nth_mutex *l);

static inline void nth_lock_set(struct nth_mutex *l) {
  if (nth_unlikely(!nth_mutex_try(l)))
    nth_lock_wait(l);
}

#define nth_lock_unset nth_mutex_release

/* A lock that the caller wanted is taken: its owner may be a member that takes turns with it. */
void nth_lock_missed(void);
static inline int nth_lock_test(struct nth_mutex *l) {
  if (nth_likely(nth_mutex_try(l)))
    return 1;
  nth_lock_missed();
  return 0;
}

/* A nestable lock belongs to a task; count is how often it has set it. Zero-filled means free. */
struct nth_nest_lock {
  struct nth_mutex lock;
  int32_t count;         /* w, r: the owner */
  _Atomic(const void *) owner; /* w: the owner, under lock; r: anybody, to compare with itself */
};

void nth_nest_lock_set(struct nth_nest_lock *l);
void nth_nest_lock_unset(struct nth_nest_lock *l);
/* The new count, or 0 when another task has it. */
int nth_nest_lock_test(struct nth_nest_lock *l);

/* The nest lock of old binaries (version node OMP_1.0): 8 bytes, owned by a thread. */
struct nth_old_nest_lock {
  _Atomic(uint32_t) owner; /* the member's number, 0: free */
  int32_t count;
};
void nth_old_nest_lock_set(struct nth_old_nest_lock *l);
void nth_old_nest_lock_unset(struct nth_old_nest_lock *l);
int nth_old_nest_lock_test(struct nth_old_nest_lock *l);

#endif
