/* task_queue.c - the ready tasks of a member
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/task_queue.h"

#include "runtime/omp/member.h"
#include "runtime/omp/team.h"

/* --- the lists --- */

static void push_urgent(struct nth_task_queue *q, struct nth_task *t) {
  struct nth_task **at = &q->urgent;
  while (*at && (*at)->priority > t->priority)
    at = &(*at)->older;
  struct nth_task *last = *at;
  if (last && last->priority == t->priority) {
    t->newer = last->newer;
    last->newer = t;
    t->older = last->older;
  } else {
    t->newer = t;
    t->older = last;
  }
  *at = t;
  nth_store_rlx(&q->top, q->urgent->priority);
}

void nth_task_push(struct nth_task_queue *q, struct nth_task *t) {
  nth_mutex_lock(&q->lock);
  if (nth_unlikely(t->priority != 0)) {
    push_urgent(q, t);
  } else {
    t->newer = 0;
    t->older = q->newest;
    if (q->newest)
      q->newest->newer = t;
    else
      q->oldest = t;
    q->newest = t;
  }
  nth_store_rlx(&q->length, nth_load_rlx(&q->length) + 1);
  nth_mutex_unlock(&q->lock);
}

static void take_out(struct nth_task_queue *q, struct nth_task *t) {
  if (t->older)
    t->older->newer = t->newer;
  else
    q->oldest = t->newer;
  if (t->newer)
    t->newer->older = t->older;
  else
    q->newest = t->older;
  nth_store_rlx(&q->length, nth_load_rlx(&q->length) - 1);
}

bool nth_task_descends(const struct nth_task *t, const struct nth_task *from) {
  while ((t = nth_task_parent(t))) {
    if (t == from)
      return true;
  }
  return false;
}

static inline bool may_start(const struct nth_task *t, const struct nth_task *from) {
  return !from || nth_task_descends(t, from);
}

static struct nth_task *take(struct nth_task_queue *q, bool own, const struct nth_task *from,
                             enum nth_look look) {
  if (nth_load_rlx(&q->length) == 0)
    return 0;
  nth_mutex_lock(&q->lock);
  struct nth_task *t = own ? q->newest : q->oldest;
  while (t && !may_start(t, from))
    t = look == NTH_LOOK_ENDS ? 0 : own ? t->older : t->newer;
  if (t)
    take_out(q, t);
  nth_mutex_unlock(&q->lock);
  return t;
}

/* The oldest task of a ring that may start, taken out of it; *ring is its newest. */
static struct nth_task *take_of_ring(struct nth_task **ring, const struct nth_task *from) {
  struct nth_task *newest = *ring, *before = newest, *t;
  while (!may_start(t = before->newer, from)) {
    if (t == newest)
      return 0;
    before = t;
  }
  before->newer = t->newer;
  if (before == t) { /* the only one */
    *ring = t->older;
  } else if (t == newest) {
    before->older = t->older;
    *ring = before;
  }
  return t;
}

static struct nth_task *take_urgent(struct nth_task_queue *q, const struct nth_task *from) {
  nth_mutex_lock(&q->lock);
  struct nth_task *t = 0;
  for (struct nth_task **ring = &q->urgent; *ring && !t; ring = t ? ring : &(*ring)->older)
    t = take_of_ring(ring, from);
  if (t) {
    nth_store_rlx(&q->length, nth_load_rlx(&q->length) - 1);
    nth_store_rlx(&q->top, q->urgent ? q->urgent->priority : 0);
  }
  nth_mutex_unlock(&q->lock);
  return t;
}

/* The queue of the member i places after m's own. */
static struct nth_task_queue *queue_of(struct nth_member *m, uint32_t i) {
  uint32_t n = m->now.thread_num + i;
  n -= n >= m->now.team_size ? m->now.team_size : 0;
  return i == 0 ? &m->now.slot->queue : &m->now.team->slot[n]->queue;
}

/* Of the queues with urgent tasks the one with the highest first, then, while nothing in it may start
 * here, those below it. */
static struct nth_task *find_urgent(struct nth_member *m, const struct nth_task *from) {
  uint32_t below = UINT32_MAX;
  for (;;) {
    uint32_t best = 0;
    for (uint32_t i = 0; i < m->now.team_size; i++) {
      uint32_t top = nth_load_rlx(&queue_of(m, i)->top);
      best = top < below && top > best ? top : best;
    }
    if (best == 0)
      return 0;
    for (uint32_t i = 0; i < m->now.team_size; i++) {
      struct nth_task_queue *q = queue_of(m, i);
      struct nth_task *t = nth_load_rlx(&q->top) == best ? take_urgent(q, from) : 0;
      if (t)
        return t;
    }
    below = best;
  }
}

/* --- the deques --- */

static inline void *item_of(struct nth_task *t) {
  return (char *)t + (t->class == NTH_POOL_BIG);
}
static inline struct nth_task *task_of(void *item) {
  return (struct nth_task *)((uintptr_t)item & ~(uintptr_t)1);
}

/* Others may want what the member may not come to for long. Without a fence they cannot make it share. */
static inline void share(struct nth_task_queue *q) {
  if (nth_unlikely(nth_load_rlx(&nth_os_fences_lost)))
    nth_deque_publish(&q->deque);
}

bool nth_task_push_own(struct nth_task_queue *q, struct nth_task *t) {
  if (nth_unlikely(t->priority != 0))
    nth_task_push(q, t);
  else if (nth_unlikely(!nth_deque_push(&q->deque, item_of(t))))
    return false;
  else
    share(q);
  return true;
}

/* What a look at an item that may be gone says. */
enum relation { RELATION_NONE, RELATION_UNKNOWN, RELATION_DESCENDS };

/* Whether what is in a deque seems to descend from `from`. It may be gone, and its memory another
 * task's: then the answer may be wrong. Nothing is read that may have gone back to the system (I3).
 * known: something that does not descend from it. */
static NTH_POOL_LATE enum relation relation_of(const void *item, const struct nth_task *from,
                                               uintptr_t known) {
  if ((uintptr_t)item & 1)
    return RELATION_UNKNOWN;
  const struct nth_task *t = item;
  for (uint32_t i = 0; i < NTH_LATE_STEPS; i++) {
    uintptr_t parent = nth_load_rlx(&t->parent);
    t = (const struct nth_task *)(parent & ~NTH_TASK_PASSES);
    if (t == from)
      return RELATION_DESCENDS;
    if (!t || parent == known)
      return RELATION_NONE;
    if (parent & NTH_TASK_PASSES)
      return RELATION_UNKNOWN;
  }
  return RELATION_UNKNOWN;
}

static NTH_POOL_LATE uintptr_t parent_of(const void *item) {
  return (uintptr_t)item & 1 ? 0 : nth_load_rlx(&((const struct nth_task *)item)->parent);
}

/* How many of a deque's oldest items come before one that may descend from `from`; UINT32_MAX: there is
 * none. Neighbours mostly have their nearest ancestors in common. */
static uint32_t others_before(const struct nth_deque *d, const struct nth_task *from) {
  uintptr_t known = 0;
  void *item;
  for (uint32_t i = 0; (item = nth_deque_at(d, i)); i++) {
    if (relation_of(item, from, known) != RELATION_NONE)
      return i;
    known = parent_of(item);
  }
  return UINT32_MAX;
}

/* Tasks that were in this thread's hands can be seen again: somebody may have missed them in a last look
 * before sleep. */
static void tell(struct nth_member *m) {
  struct nth_team *team = m->now.team;
  nth_fence_light(); /* task:F */
  nth_bell_ring(&team->choosy, INT_MAX);
  nth_team_call_help(m, team);
}

/* Steals some, of which all but the first are queued here. */
static struct nth_task *steal_any(struct nth_member *m, struct nth_task_queue *from_queue) {
  void *items[NTH_STEAL_MOST];
  uint32_t n = nth_deque_steal(&from_queue->deque, items, NTH_STEAL_MOST);
  struct nth_task_queue *mine = &m->now.slot->queue;
  for (uint32_t i = 1; i < n; i++) {
    if (nth_unlikely(!nth_deque_push(&mine->deque, items[i])))
      nth_task_push(mine, task_of(items[i]));
  }
  if (n > 1) {
    share(mine);
    tell(m);
  }
  return n > 0 ? task_of(items[0]) : 0;
}

static struct nth_task *steal_one(struct nth_member *m, struct nth_task_queue *q,
                                  const struct nth_task *from) {
  void *item = nth_deque_oldest(&q->deque);
  if (item && relation_of(item, from, 0) != RELATION_DESCENDS)
    return 0;
  if (nth_deque_steal(&q->deque, &item, 1) == 0) /* marks it, if there is nothing public */
    return 0;
  struct nth_task *t = task_of(item);
  if (nth_likely(nth_task_descends(t, from)))
    return t;
  nth_task_push(q, t); /* another one than the one looked at */
  tell(m);
  return 0;
}

/* The same where a descendant may lie behind others' tasks: these go into the list of their owner, who
 * may be waiting for something that only this member can give it. */
static struct nth_task *dig(struct nth_member *m, struct nth_task_queue *q,
                            const struct nth_task *from) {
  uint32_t others = others_before(&q->deque, from);
  struct nth_task *t = 0;
  bool moved = false;
  void *item;
  if (others == UINT32_MAX)
    return 0;
  for (uint32_t i = 0; !t && i <= others; i++) {
    if (!nth_deque_force(&q->deque) || nth_deque_steal(&q->deque, &item, 1) == 0)
      break; /* there are none any more, or another thief is at work */
    if (nth_task_descends(task_of(item), from)) {
      t = task_of(item);
    } else {
      nth_task_push(q, task_of(item));
      moved = true;
    }
  }
  if (moved)
    tell(m);
  return t;
}

static struct nth_task *steal(struct nth_member *m, struct nth_task_queue *q,
                              const struct nth_task *from, enum nth_look look) {
  if (look == NTH_LOOK_ALL && from)
    return dig(m, q, from);
  if (look != NTH_LOOK_ENDS && !nth_deque_force(&q->deque))
    return 0;
  return from ? steal_one(m, q, from) : steal_any(m, q);
}

static struct nth_task *pop(struct nth_member *m, const struct nth_task *from) {
  struct nth_deque *d = &m->now.slot->queue.deque;
  void *item = from && !(from->flags & NTH_TASK_IMPLICIT) ? nth_deque_pop(d, from->base)
                                                          : nth_deque_pop_any(d);
  return task_of(item);
}

struct nth_task *nth_task_find(struct nth_member *m, const struct nth_task *from,
                               enum nth_look look) {
  struct nth_task *t = 0;
  if (nth_unlikely(nth_env.max_task_priority > 0))
    t = find_urgent(m, from);
  if (!t)
    t = pop(m, from);
  if (!t)
    t = take(queue_of(m, 0), true, from, look);
  for (uint32_t i = 1; !t && i < m->now.team_size; i++) {
    struct nth_task_queue *q = queue_of(m, i);
    t = steal(m, q, from, look);
    if (!t)
      t = take(q, false, from, look);
  }
  return t;
}

bool nth_task_hidden(struct nth_member *m, const struct nth_task *from) {
  for (uint32_t i = 1; i < m->now.team_size; i++) {
    const struct nth_deque *d = &queue_of(m, i)->deque;
    if (from ? others_before(d, from) != UINT32_MAX : nth_deque_any(d))
      return true;
  }
  return false;
}

void nth_task_put_aside(struct nth_member *m) {
  struct nth_task_queue *q = &m->now.slot->queue;
  void *item;
  while ((item = nth_deque_pop_any(&q->deque)))
    nth_task_push(q, task_of(item));
  tell(m);
}

bool nth_task_queued(const struct nth_team *team) {
  for (uint32_t i = 0; i < team->size; i++) {
    const struct nth_task_queue *q = &team->slot[i]->queue;
    if (nth_load_rlx(&q->length) > 0 || nth_deque_any(&q->deque))
      return true;
  }
  return false;
}

void nth_task_queue_forget(struct nth_task_queue *q) {
  nth_deque_clear(&q->deque);
  nth_mutex_init(&q->lock);
  nth_store_rlx(&q->length, 0);
  nth_store_rlx(&q->top, 0);
  q->oldest = q->newest = q->urgent = 0;
}
