/* lock.c - OpenMP locks and critical constructs
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/sync/lock.h"

#include "runtime/arch/section.h"
#include "runtime/base/os.h"
#include "runtime/omp/member/member.h"
#include "runtime/omp/nano/members.h"
#include "runtime/omp/tasks/task_berth.h"
#include "runtime/omp/tasks/task_run.h"
#include "runtime/omp/types/team_type.h"
#include "runtime/place/places/allowed.h"
#include "runtime/sched/wait/wait.h"

uint32_t nth_lock_free = NTH_MUTEX_FREE;
_Alignas(NTH_APART) struct nth_mutex nth_lock_atomic;

static inline bool crowded(const struct nth_member *m) {
  return m->now.team && m->now.team->crowded;
}

/* Stays away from the line for a while after each look, longer each time. The owner, which may set
 * the lock again soon, works undisturbed, and the line moves once a turn instead of once a poll.
 * Up to some 0.5 us, or the owner would mostly have the lock again at each look. */
static void stay_away(uint32_t looks) {
  for (uint32_t i = looks < 10 ? 1 + 3 * looks : 32; i > 0; i--)
    nth_pause();
}

/* Looks at the lock for a moment, and makes the word `as` if it is free: TAKEN, or AWAITED if the
 * caller has slept. */
static bool look_for(struct nth_mutex *l, uint32_t as) {
  nth_assert(as == NTH_MUTEX_TAKEN || as == NTH_MUTEX_AWAITED);
  for (uint32_t looks = 0; looks < NTH_LOCK_LOOKS; looks++) {
    uint32_t free = NTH_MUTEX_FREE;
    stay_away(looks);
    if (nth_load_rlx(&l->word) == NTH_MUTEX_FREE && nth_cas_acq(&l->word, &free, as)) /* mutex:A */
      return true;
  }
  return false;
}

/* --- tasks suspended for locks --- */

static struct list {
  struct nth_mutex lock;
  struct nth_berth *first, *last; /* tasks that wait for locks whose addresses share the list;
                                   * under its lock */
} lists[NTH_LOCK_LISTS] NTH_SPARSE;
static _Atomic(uint32_t) suspended; /* tasks in all lists, or about to enter one; w: these; S */
static _Atomic(bool) listed; /* some list has been in use; w: a task that is about to enter one */

static struct list *list_of(const struct nth_mutex *l) {
  uintptr_t a = (uintptr_t)l;
  return &lists[(a >> 2 ^ a >> 9) % NTH_LOCK_LISTS];
}

/* Whether all in the list wait for locks that share it, and `last` is its last element. Under its
 * lock. */
__attribute__((unused)) static bool list_valid(const struct list *in) {
  for (const struct nth_berth *b = in->first; b; b = b->next)
    if (list_of(b->lock) != in || (!b->next && b != in->last))
      return false;
  return true;
}

/* Whether b is in the list. Under its lock. */
__attribute__((unused)) static bool is_in(const struct list *in, const struct nth_berth *b) {
  const struct nth_berth *at = in->first;
  while (at && at != b)
    at = at->next;
  return at != 0;
}

/* Puts b into the lock's list. True: b is in the list; false: it has the lock. */
static bool enter(struct nth_mutex *l, struct nth_berth *b) {
  struct list *in = list_of(l);
  b->lock = l;
  b->next = 0;
  nth_store_rlx(&listed, true);
  nth_add_rlx(&suspended, 1);
  nth_fence_full(); /* S */
  nth_mutex_lock_soon(&in->lock);
  nth_assert_valid(list_valid(in) && !is_in(in, b));
  bool waits = nth_xchg_acq(&l->word, NTH_MUTEX_AWAITED) != NTH_MUTEX_FREE; /* mutex:A */
  if (waits && in->first)
    in->last->next = b;
  else if (waits)
    in->first = b;
  if (waits)
    in->last = b;
  nth_assert(!waits || (in->first && !b->next));
  nth_mutex_unlock(&in->lock);
  return waits;
}

/* Many tasks are suspended here, and none of them has a lock: its owner is elsewhere, perhaps off
 * its CPU. If each new task left its stack, all would begin before the lock is free. So the task
 * stays for a while. True: it has the lock; false: it is to leave its stack. The owner may wait for
 * a suspended task that can go on, or for one that has not begun. */
static bool stay_for_lock(const struct nth_member *m, struct nth_mutex *l) {
  const struct nth_berths *in = &m->now.slot->berths;
  bool owned_here = in->locked != 0 || nth_locks > 1; /* the one that it waits for is counted */
  if (nth_likely(in->suspended < NTH_BERTHS_MANY) || owned_here)
    return false;
  nth_deque_publish(&m->now.slot->queue.deque);
  uint32_t stays = in->suspended / NTH_LOCK_STAY_SHARE;
  for (; stays > 0 && !nth_berth_any(m->now.slot); stays--) {
    if (nth_xchg_acq(&l->word, NTH_MUTEX_AWAITED) == NTH_MUTEX_FREE) /* mutex:A */
      return true;
    nth_sleep(&l->word, NTH_MUTEX_AWAITED, NTH_LOCK_STAY_NS);
  }
  return false;
}

static void leave_for_lock(struct nth_member *m, struct nth_mutex *l) {
  bool waits = true;
  if (look_for(l, NTH_MUTEX_TAKEN) || stay_for_lock(m, l))
    return;
  nth_habit_note(m, m->now.task->fn, false);
  while (waits) {
    nth_assert(nth_task_is_loose(m->now.task)); /* it goes on with the same task */
    struct nth_berth *b = nth_berth_mark(m);
    if ((waits = enter(l, b))) {
      nth_lock_count_off(); /* it has not got it yet */
      nth_berth_leave(b);
      nth_lock_count();
    } else {
      nth_berth_unmark(b);
    }
    nth_assert(nth_load_rlx(&suspended) > 0);
    nth_sub_rlx(&suspended, 1);
  }
}

static bool has_one_of(const struct nth_berth *b, const struct nth_slot *s) {
  while (b && b->slot != s)
    b = b->next;
  return b != 0;
}

/* Takes berths that wait for the lock out of the list: the first one of each member, in each of its
 * teams. A member may be at work for long, and the others' tasks must not wait for that; nor may
 * those in an inner region wait for its tasks outside. Returns them in order. */
static struct nth_berth *first_of_each(struct nth_mutex *l) {
  struct list *in = list_of(l);
  struct nth_berth *before = 0, *called = 0, **end = &called;
  nth_mutex_lock_soon(&in->lock);
  nth_assert_valid(list_valid(in));
  for (struct nth_berth *b = in->first, *next; b; b = next) {
    next = b->next;
    if (b->lock != l || has_one_of(called, b->slot)) {
      before = b;
      continue;
    }
    *(before ? &before->next : &in->first) = next;
    in->last = in->last == b ? before : in->last;
    b->next = 0;
    *end = b;
    end = &b->next;
  }
  nth_assert_valid(list_valid(in));
  nth_mutex_unlock(&in->lock);
  return called;
}

void nth_lock_pass(struct nth_mutex *l) {
  nth_fence_full(); /* S */
  struct nth_berth *b = nth_unlikely(nth_load_rlx(&suspended) != 0) ? first_of_each(l) : 0;
  if (nth_likely(!b) || nth_sleep_any())
    nth_rouse(&l->word, 1); /* it may be long until b's member comes to b */
  for (struct nth_berth *next; b; b = next) {
    next = b->next;
    nth_berth_ready(b);
  }
}

NTH_IN_CHILD bool nth_lock_listed(void) { return nth_load_rlx(&listed); }

NTH_IN_CHILD void nth_lock_forked(void) {
  for (struct list *in = lists; in < lists + NTH_LOCK_LISTS; in++) {
    nth_mutex_init(&in->lock);
    in->first = in->last = 0;
  }
  nth_store_rlx(&suspended, 0);
  nth_store_rlx(&listed, false);
}

/* --- waits --- */

/* Waits for a member that leaves its OS thread with each sleep. */
static void await_in_turn(struct nth_member *m, struct nth_mutex *l) {
  uint32_t as = NTH_MUTEX_TAKEN;
  bool looks = nth_load_rlx(&nth_allowed.cpus) != 1; /* else the owner does not run meanwhile */
  if (m->identity && ++m->proc->waiter.locks % NTH_LOCK_TURN == 0)
    (void)nth_carry_yield(m->identity);
  while (!(looks && look_for(l, as)) &&
         nth_xchg_acq(&l->word, NTH_MUTEX_AWAITED) != NTH_MUTEX_FREE) { /* mutex:A */
    nth_sleep(&l->word, NTH_MUTEX_AWAITED, 0);
    as = NTH_MUTEX_AWAITED; /* others may sleep */
  }
}

/* Waits for the lock asleep, and in between goes on with tasks that are suspended here. */
static void await_beside(struct nth_member *m, struct nth_mutex *l) {
  while (nth_xchg_acq(&l->word, NTH_MUTEX_AWAITED) != NTH_MUTEX_FREE) { /* mutex:A */
    uint32_t before = nth_berth_moves(m->now.slot);
    if (!nth_task_go_on(m) || nth_berth_moves(m->now.slot) == before)
      nth_sleep(&l->word, NTH_MUTEX_AWAITED, NTH_UNSURE_NS);
  }
}

void nth_lock_wait(struct nth_mutex *l) {
  struct nth_member *m = nth_member_get();
  struct nth_wait w;
  uint32_t looks = 0;
  if (nth_berth_may_leave(m)) {
    leave_for_lock(m, l);
    return;
  }
  if (m->now.task->flags & NTH_TASK_UNTIED)
    nth_habit_note(m, m->now.task->fn, false);
  nth_wait_begin(&w, &m->proc->waiter, NTH_WAIT_LOCK, crowded(m));
  while (nth_wait_poll(&w)) {
    if (nth_load_rlx(&l->word) == NTH_MUTEX_FREE && nth_mutex_try(l)) {
      nth_wait_end(&w);
      return;
    }
    stay_away(looks++);
    if (nth_unlikely(nth_load_rlx(&nth_os_fences_lost)))
      nth_deque_publish(&m->now.slot->queue.deque);
    if (looks > NTH_LOCK_LOOKS)
      (void)nth_task_go_on_beside(m);
  }
  /* Its tasks, perhaps stolen ones that the lock's holder waits for, stay here while it sleeps.
   * Where membarrier turns out to be refused just now, nobody can take them by force. */
  nth_deque_publish(&m->now.slot->queue.deque);
  if (nth_unlikely(m->now.slot->berths.suspended != 0))
    await_beside(m, l);
  else if (m->proc->waiter.serves)
    await_in_turn(m, l);
  else
    nth_mutex_await(l);
  nth_wait_end(&w);
  if (nth_unlikely(m->identity != 0) && !m->now.team)
    nth_carry_own(m->identity); /* as at the end of a region */
}

void nth_lock_missed(void) {
  struct nth_member *m = nth_member_known();
  if (!m)
    return;
  if (nth_unlikely(m->now.task->flags & NTH_TASK_UNTIED))
    nth_habit_note(m, m->now.task->fn, true);
  if (nth_berth_may_leave(m))
    nth_berth_yield(m);
  else if (!nth_task_go_on_beside(m))
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
  l->count = 0; /* it stays 0 if nobody has set the lock */
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
  if (l->count++ == 0)
    nth_lock_count();
}

void nth_old_nest_lock_unset(struct nth_old_nest_lock *l) {
  if (l->count > 1) {
    l->count--;
    return;
  }
  l->count = 0;
  nth_lock_count_off();
  nth_store_rel(&l->owner, 0); /* L */
  nth_rouse(&l->owner, 1);     /* the object has no room to say whether a thread sleeps */
}

int nth_old_nest_lock_test(struct nth_old_nest_lock *l) {
  uint32_t me = nth_member_get()->number, owner = 0;
  if (!nth_cas_acq(&l->owner, &owner, me) && owner != me) { /* L */
    nth_lock_missed();
    return 0;
  }
  if (owner != me)
    nth_lock_count();
  return ++l->count;
}
