/* task_list.c - ready tasks under a lock, in a list that can be searched
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/queue/task_list.h"

#include "runtime/arch/section.h"
#include "runtime/base/check.h"

/* more: how many tasks, or -n in two's complement. */
static inline void count(struct nth_task_list *l, uint32_t more) {
  nth_assert((int32_t)(nth_load_rlx(&l->length) + more) >= 0);
  nth_store_rlx(&l->length, nth_load_rlx(&l->length) + more);
}

/* --- put --- */

static void push_urgent(struct nth_task_list *l, struct nth_task *t) {
  nth_assert(nth_load_rlx(&l->top) == (l->urgent ? l->urgent->priority : 0));
  struct nth_task **at = &l->urgent;
  while (*at && (*at)->priority > t->priority)
    at = &(*at)->next;
  struct nth_task *last = *at;
  if (last && last->priority == t->priority) {
    t->newer = last->newer;
    last->newer = t;
    t->next = last->next;
  } else {
    t->newer = t;
    t->next = last;
  }
  *at = t;
  nth_store_rlx(&l->top, l->urgent->priority);
}

void nth_task_list_push_locked(struct nth_task_list *l, struct nth_task *t) {
  nth_assert(nth_task_list_held(l));
  nth_assert(nth_task_may_queue(t));
  if (nth_unlikely(t->priority != 0)) {
    push_urgent(l, t);
  } else {
    t->newer = 0;
    t->next = l->newest;
    if (l->newest)
      l->newest->newer = t;
    else
      l->oldest = t;
    l->newest = t;
  }
  count(l, 1);
  nth_assert_valid(nth_task_list_valid(l));
}

void nth_task_list_push(struct nth_task_list *l, struct nth_task *t) {
  nth_mutex_lock_soon(&l->lock);
  nth_task_list_push_locked(l, t);
  nth_mutex_unlock(&l->lock);
}

/* --- take --- */

static inline bool may_start(const struct nth_task *t, const struct nth_task *from) {
  return !from || nth_task_is_sought(t, from);
}

static void take_out(struct nth_task_list *l, struct nth_task *t) {
  nth_assert(t->priority == 0 && l->oldest && l->newest);
  nth_assert(t->next ? t->next->newer == t : l->oldest == t);
  nth_assert(t->newer ? t->newer->next == t : l->newest == t);
  if (t->next)
    t->next->newer = t->newer;
  else
    l->oldest = t->newer;
  if (t->newer)
    t->newer->next = t->next;
  else
    l->newest = t->next;
  t->flags &= ~(uint32_t)NTH_TASK_LEFT;
  count(l, UINT32_MAX);
}

struct nth_task *nth_task_list_take_locked(struct nth_task_list *l, const struct nth_task *from,
                                           unsigned how) {
  nth_assert(nth_task_list_held(l));
  nth_assert((how & ~(unsigned)(NTH_TAKE_NEWEST | NTH_TAKE_DEEP)) == 0);
  struct nth_task *t = how & NTH_TAKE_NEWEST ? l->newest : l->oldest;
  while (t && !may_start(t, from))
    t = !(how & NTH_TAKE_DEEP) ? 0 : how & NTH_TAKE_NEWEST ? t->next : t->newer;
  if (t)
    take_out(l, t);
  nth_assert_valid(nth_task_list_valid(l));
  return t;
}

struct nth_task *nth_task_list_take(struct nth_task_list *l, const struct nth_task *from,
                                    unsigned how) {
  if (nth_load_rlx(&l->length) == 0)
    return 0;
  nth_mutex_lock_soon(&l->lock);
  struct nth_task *t = nth_task_list_take_locked(l, from, how);
  nth_mutex_unlock(&l->lock);
  return t;
}

struct nth_task *nth_task_list_take_left(struct nth_task_list *l, uint32_t number) {
  if (nth_load_rlx(&l->length) == 0)
    return 0;
  nth_mutex_lock_soon(&l->lock);
  struct nth_task *t = l->newest;
  for (int i = 0; t && !(t->flags & NTH_TASK_LEFT); i++)
    t = i < NTH_LIST_LOOKS ? t->next : 0;
  if (t && (int32_t)(t->base - number) <= 0)
    t = 0;
  if (t)
    take_out(l, t);
  nth_mutex_unlock(&l->lock);
  return t;
}

/* Takes the oldest task of a ring that may start; *ring is the ring's newest. */
static struct nth_task *take_of_ring(struct nth_task **ring, const struct nth_task *from) {
  struct nth_task *newest = *ring, *before = newest, *t;
  nth_assert(newest->priority != 0 && newest->newer->priority == newest->priority);
  while (!may_start(t = before->newer, from)) {
    if (t == newest)
      return 0;
    before = t;
  }
  before->newer = t->newer;
  if (before == t) { /* the only one */
    *ring = t->next;
  } else if (t == newest) {
    before->next = t->next;
    *ring = before;
  }
  return t;
}

struct nth_task *nth_task_list_take_urgent_locked(struct nth_task_list *l,
                                                  const struct nth_task *from) {
  nth_assert(nth_task_list_held(l));
  struct nth_task *t = 0;
  for (struct nth_task **ring = &l->urgent; *ring && !t; ring = t ? ring : &(*ring)->next)
    t = take_of_ring(ring, from);
  if (t) {
    count(l, UINT32_MAX);
    nth_store_rlx(&l->top, l->urgent ? l->urgent->priority : 0);
    nth_assert_valid(nth_task_list_valid(l));
  }
  return t;
}

struct nth_task *nth_task_list_take_urgent(struct nth_task_list *l, const struct nth_task *from) {
  if (nth_load_rlx(&l->top) == 0)
    return 0;
  nth_mutex_lock_soon(&l->lock);
  struct nth_task *t = nth_task_list_take_urgent_locked(l, from);
  nth_mutex_unlock(&l->lock);
  return t;
}

/* --- the rest --- */

NTH_IN_CHILD void nth_task_list_forget(struct nth_task_list *l) {
  nth_mutex_init(&l->lock);
  nth_store_rlx(&l->length, 0);
  nth_store_rlx(&l->top, 0);
  l->oldest = l->newest = l->urgent = 0;
}

/* Tasks of each list that a check looks at, at most: it runs at each change. */
enum { CHECKED = 32 };

/* How many tasks there are without a priority, CHECKED at most, with sound links; UINT32_MAX: the
 * links are wrong. */
static uint32_t check_plain(const struct nth_task_list *l) {
  uint32_t n = 0;
  for (const struct nth_task *t = l->oldest; t && n < CHECKED; t = t->newer, n++)
    if (t->priority != 0 || !nth_task_may_queue(t) ||
        (t->newer ? t->newer->next != t : t != l->newest))
      return UINT32_MAX;
  return n;
}

/* check_plain for the tasks of one ring, of which *n others were seen before. */
static bool check_ring(const struct nth_task *newest, uint32_t *n) {
  const struct nth_task *t = newest;
  do {
    t = t->newer;
    if (!nth_task_may_queue(t) || t->priority != newest->priority)
      return false;
    ++*n;
  } while (t != newest && *n < CHECKED);
  return true;
}

/* check_plain for the tasks with a priority. */
static uint32_t check_urgent(const struct nth_task_list *l) {
  uint32_t n = 0;
  for (const struct nth_task *ring = l->urgent; ring && n < CHECKED; ring = ring->next)
    if (ring->priority == 0 || (ring->next && ring->next->priority >= ring->priority) ||
        !check_ring(ring, &n))
      return UINT32_MAX;
  return n;
}

bool nth_task_list_valid(const struct nth_task_list *l) {
  uint32_t length = nth_load_rlx(&l->length), plain, urgent;
  if (!l->oldest != !l->newest || (l->oldest && (l->oldest->next || l->newest->newer)) ||
      nth_load_rlx(&l->top) != (l->urgent ? l->urgent->priority : 0))
    return false;
  plain = check_plain(l);
  urgent = check_urgent(l);
  if (plain == UINT32_MAX || urgent == UINT32_MAX)
    return false;
  return plain < CHECKED && urgent < CHECKED ? plain + urgent == length : plain + urgent <= length;
}
