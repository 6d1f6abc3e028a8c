/* lock.c - OpenMP locks and critical constructs
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/lock.h"

#include "runtime/omp/member.h"
#include "runtime/omp/members.h"
#include "runtime/omp/team.h"
#include "runtime/sched/wait.h"

static inline bool crowded(const struct nth_member *m) {
  return m->now.team && m->now.team->crowded;
}

/* A waiter stays away from the line for a while after each look: the owner, which may set the lock
 * again soon, works undisturbed, and the line moves once a turn instead of once a poll. */
static void stay_away(uint32_t looks) {
  for (uint32_t i = looks < 6 ? 1u << looks : 64; i > 0; i--)
    nth_pause();
}

void nth_lock_wait(struct nth_mutex *l) {
  struct nth_member *m = nth_member_get();
  struct nth_wait w;
  uint32_t looks = 0;
  nth_wait_begin(&w, &m->proc->waiter, NTH_WAIT_LOCK, crowded(m));
  while (nth_wait_poll(&w)) {
    if (nth_load_rlx(&l->word) == 0 && nth_mutex_try(l)) {
      nth_wait_end(&w);
      return;
    }
    stay_away(looks++);
  }
  nth_mutex_await(l);
  nth_wait_end(&w);
  if (nth_unlikely(m->identity != 0) && !m->now.team)
    nth_carry_own(m->identity); /* as at the end of a region */
}

void nth_lock_missed(void) {
  struct nth_member *m = nth_member_known();
  if (m)
    nth_members_yield(m);
}

void nth_nest_lock_set(struct nth_nest_lock *l) {
  const struct nth_task *me = nth_task_identity(nth_member_get()->now.task);
  if (nth_load_rlx(&l->owner) != me) {
    nth_lock_set(&l->lock);
    nth_store_rlx(&l->owner, me);
  }
  l->count++;
}

void nth_nest_lock_unset(struct nth_nest_lock *l) {
  if (l->count > 1) {
    l->count--;
    return;
  }
  l->count = 0; /* stays 0 when nobody has set it */
  nth_store_rlx(&l->owner, 0);
  nth_lock_unset(&l->lock);
}

int nth_nest_lock_test(struct nth_nest_lock *l) {
  const struct nth_task *me = nth_task_identity(nth_member_get()->now.task);
  if (nth_load_rlx(&l->owner) != me) {
    if (!nth_lock_test(&l->lock))
      return 0;
    nth_store_rlx(&l->owner, me);
  }
  return ++l->count;
}

void nth_old_nest_lock_set(struct nth_old_nest_lock *l) {
  uint32_t me = nth_member_get()->number, owner;
  while (owner = 0, !nth_cas_acq(&l->owner, &owner, me)) { /* L */
    if (owner == me)
      break;
    nth_sleep(&l->owner, owner, 0);
  }
  l->count++;
}

void nth_old_nest_lock_unset(struct nth_old_nest_lock *l) {
  if (l->count > 1) {
    l->count--;
    return;
  }
  l->count = 0;
  nth_store_rel(&l->owner, 0); /* L */
  nth_rouse(&l->owner, 1); /* the object has no room to say whether somebody sleeps */
}

int nth_old_nest_lock_test(struct nth_old_nest_lock *l) {
  uint32_t me = nth_member_get()->number, owner = 0;
  if (!nth_cas_acq(&l->owner, &owner, me) && owner != me) { /* L */
    nth_lock_missed();
    return 0;
  }
  return ++l->count;
}
