/* lock.h - OpenMP locks and critical constructs
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         OpenMP 5.2, sections 15.2 and 18.9. A lock is one word in the program's own object,
 *             and zero means free (struct/mutex.h). This file adds the waiting.
 * Rules       A wait for a lock starts no task. A loose task (task_berth.h) leaves its stack and
 *             stands in a list until the lock is left. While many are suspended it first sleeps on
 *             its stack for a while, unless one of them may have the lock or can go on. Any other
 *             wait, after some looks, goes on with tasks that are suspended here, for one of them
 *             may have the lock
 * Lists       The word is AWAITED, 2, while a task stands in a list, as it is for sleepers
 *             (struct/mutex.h, I2). The task makes it 2 and enters the list under the list's lock.
 *             A member that leaves such a lock calls the first task of each member in the list. It
 *             also calls a sleeper if the list is empty, or some OS thread sleeps. Who is called
 *             looks at the word as if it had just come
 * Turns       A nano-thread that waits would leave its OS thread to another member (carry.h). If
 *             the lock is held for a moment, that one wants it as well, and the line goes to and
 *             fro with each of them. So a member first looks for some us, as an OS thread does,
 *             while the owner works undisturbed. With each NTH_LOCK_TURN-th such wait it lets all
 *             others that are ready on its OS thread go first, so none of them waits for its whole
 *             loop. With one CPU nobody looks: the owner does not run meanwhile.
 *             A member that sleeps has made the word 2, and so may others have that sleep. An
 *             unlock makes it 0 and wakes one of them. That one takes the lock by 0 -> 2, or makes
 *             the word 2 again before it sleeps. While it looks the word may be 1 or 0: to wake the
 *             others is its business
 * Orders      S   a waiter: suspended, full fence, the word made 2. A member that finds 2 when it
 *                 leaves the lock: full fence, load of suspended. It sees the waiter that made the
 *                 word 2, or a later owner has the lock
 *             L   owner of the old nest lock: store-release -> CAS acquire; the rest is mutex:A
 * Cost        without other threads: one locked operation each way
 */
#ifndef NTH_OMP_LOCK_H
#define NTH_OMP_LOCK_H

#include "runtime/sched/nano/self.h"
#include "runtime/struct/mutex.h"

/* The word of a lock that a program may set at once: NTH_MUTEX_FREE. With a tool that watches, a
 * value that no lock has: each set then takes the slow way, where the tool hears of it. w: the
 * start of the library. */
extern uint32_t nth_lock_free __attribute__((visibility("hidden")));

/* The lock of atomic constructs for which there is no instruction, and of reductions. A fork's
 * child frees it, since another member may have had it. */
extern struct nth_mutex nth_lock_atomic __attribute__((visibility("hidden")));

/* The caller sets a lock of the program, or leaves one (task_run.h, Locks). Where a thread leaves
 * what another has set, that one's number stays too high: more of its tasks are put off. None
 * becomes negative. */
static inline void nth_lock_count(void) { nth_locks++; }
static inline void nth_lock_count_off(void) {
  if (nth_unlikely(--nth_locks < 0))
    nth_locks = 0;
}

/* Spins as the wait policy says, then sleeps. */
void nth_lock_wait(struct nth_mutex *l);

/* Sets a lock of the program. False: nth_lock_wait() does it, after what a tool wants to hear; the
 * lock is counted already. */
static inline bool nth_lock_set_quick(struct nth_mutex *l) {
  uint32_t free = nth_lock_free;
  nth_lock_count();
  return nth_cas_acq(&l->word, &free, NTH_MUTEX_TAKEN); /* mutex:A */
}
static inline void nth_lock_set(struct nth_mutex *l) {
  if (nth_unlikely(!nth_lock_set_quick(l)))
    nth_lock_wait(l);
}

/* Calls waiters: the lock was left while tasks or threads waited for it. Of suspended tasks one of
 * each member is called; they look again as if they had just come. */
void nth_lock_pass(struct nth_mutex *l);
/* Leaves a lock. False: nth_lock_left() is to come, with the word that it had. The lock may be free
 * by a mistake of the program; then nothing happens. */
static inline bool nth_lock_unset_quick(struct nth_mutex *l, uint32_t *was) {
  nth_lock_count_off();
  *was = nth_xchg_rel(&l->word, NTH_MUTEX_FREE); /* mutex:A */
  return nth_likely(*was <= NTH_MUTEX_TAKEN);
}
static inline void nth_lock_left(struct nth_mutex *l, uint32_t was) {
  if (was == NTH_MUTEX_AWAITED)
    nth_lock_pass(l);
}
static inline void nth_lock_unset(struct nth_mutex *l) {
  uint32_t was;
  if (!nth_lock_unset_quick(l, &was))
    nth_lock_left(l, was);
}

/* In a forked child no task is suspended. */
void nth_lock_forked(void);
/* Whether some task has been suspended for a lock: else nth_lock_forked() has nothing to do. */
bool nth_lock_listed(void);

/* A test has failed: yields if the lock's owner may be a member that takes turns with the
 * caller. */
void nth_lock_missed(void);
static inline int nth_lock_test(struct nth_mutex *l) {
  if (nth_likely(nth_mutex_try(l))) {
    nth_lock_count();
    return 1;
  }
  nth_lock_missed();
  return 0;
}

/* A nestable lock belongs to a task; count is how often that task has set it. Zero-filled means
 * free. */
struct nth_nest_lock {
  struct nth_mutex lock;
  int32_t count;               /* w, r: the owner */
  _Atomic(const void *) owner; /* w: the owner, under lock; r: any thread, to compare with itself */
};

void nth_nest_lock_set(struct nth_nest_lock *l);
void nth_nest_lock_unset(struct nth_nest_lock *l);
/* The new count; 0: another task has the lock. */
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
