/* task_queue.c - the ready tasks of a member
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/queue/task_queue.h"

#include "runtime/arch/section.h"
#include "runtime/base/check.h"
#include "runtime/base/count.h"
#include "runtime/omp/member/member.h"
#include "runtime/omp/queue/berth_list.h"
#include "runtime/omp/queue/brief.h"
#include "runtime/omp/queue/help.h"
#include "runtime/omp/types/generation.h"
#include "runtime/sched/wait/poll.h"

/* --- other queues --- */

static void push(struct nth_task_queue *q, struct nth_task *t, bool to_domain) {
  nth_assert(nth_task_may_queue(t));
  if (to_domain && q->domain)
    nth_task_domain_push(q->domain, q->part, t);
  else
    nth_task_list_push(&q->list, t);
}

void nth_task_push(struct nth_task_queue *q, struct nth_task *t) { push(q, t, t->priority != 0); }

void nth_task_push_outside(struct nth_task_queue *q, struct nth_task *t) { push(q, t, true); }

/* --- the deques --- */

/* Lets others have what the member may not come to for long: without a fence in all threads they
 * cannot make it share. */
static inline void share(struct nth_task_queue *q) {
  if (nth_unlikely(nth_load_rlx(&nth_os_fences_lost)))
    nth_deque_publish(&q->deque);
}

static inline void *brief_item(struct nth_task *t) {
  return (char *)nth_task_item(t) + (nth_is_brief(t->fn) ? NTH_ITEM_BRIEF : 0);
}

bool nth_task_push_own(struct nth_task_queue *q, struct nth_task *t) {
  nth_assert(nth_task_may_queue(t));
  if (nth_unlikely(t->priority != 0))
    nth_task_push(q, t);
  else if (nth_unlikely(!nth_deque_push(&q->deque, brief_item(t))))
    return false;
  else
    share(q);
  return true;
}

/* What is learned from an item that may be gone. */
enum relation { RELATION_NONE, RELATION_UNKNOWN, RELATION_DESCENDS };

/* Whether an item of a deque seems to descend from `from`, as its child if `from` seeks only such.
 * The item may be gone, and its memory may be another task's: then the answer may be wrong. Reads
 * nothing that may have gone back to the system (I1). *known: the parent of an item that does not
 * descend from `from`, 0: none; set to this item's parent if it does not either. */
static NTH_POOL_LATE enum relation relation_of(const void *item, const struct nth_task *from,
                                               uintptr_t *known) {
  if ((uintptr_t)item & NTH_ITEM_BIG)
    return RELATION_UNKNOWN;
  const struct nth_task *t = nth_task_at_item(item);
  uintptr_t first = 0;
  uint32_t steps = from->flags & NTH_TASK_ITS_CHILDREN ? 1 : NTH_LATE_STEPS;
  for (uint32_t i = 0; i < steps; i++) {
    uintptr_t parent = nth_load_rlx(&t->parent);
    first = i == 0 ? parent : first;
    t = (const struct nth_task *)(parent & ~NTH_TASK_PASSES);
    if (t == from)
      return RELATION_DESCENDS;
    if (!t || parent == *known) {
      *known = first;
      return RELATION_NONE;
    }
    if (parent & NTH_TASK_PASSES)
      return RELATION_UNKNOWN;
  }
  return steps == 1 ? RELATION_NONE : RELATION_UNKNOWN;
}

/* How many of a deque's oldest items come before one that `from` may seek; UINT32_MAX: there is
 * none. Neighbours mostly have their nearest ancestors in common, so the last parent is
 * kept. An item that is there during the whole call is not overlooked, whoever takes or makes
 * others: it keeps its position, and its ancestors live. */
static uint32_t others_before(const struct nth_deque *d, const struct nth_task *from) {
  uint32_t begin = nth_deque_begin(d);
  uintptr_t known = 0;
  void *item;
  for (uint32_t i = 0; i < NTH_DEQUE_SLOTS && (item = nth_deque_at(d, begin + i)); i++) {
    if (relation_of(item, from, &known) != RELATION_NONE)
      return i;
  }
  return UINT32_MAX;
}

/* Tasks that were in this thread's hands can be seen again. Another member may have missed them in
 * its last look before sleep. */
static void tell(struct nth_member *m) {
  struct nth_team *team = m->now.team;
  nth_assert(team && nth_task_caller_is(m));
  nth_team_fence(team); /* task:F */
  nth_bell_ring(&team->help.choosy, INT_MAX);
  if (m->now.team_size > 1) /* after a fork in the region it has no slaves */
    nth_team_call_help(m, team);
}

static void *turned_item(void *item) { return (void *)((uintptr_t)item | NTH_ITEM_TURNED); }
static bool is_turned(const void *item) { return (uintptr_t)item & NTH_ITEM_TURNED; }

static void note_steal(uint32_t tasks) {
  nth_count(NTH_COUNT_STEALS);
  nth_count_add(NTH_COUNT_STOLEN, tasks);
}

/* Brings stolen items into the order of their age, the oldest first (I2). */
static void sort(void *items[], uint32_t n) {
  uint32_t turned = 0;
  while (turned < n && is_turned(items[turned]))
    turned++;
  for (uint32_t i = 0, j = turned; i + 1 < j; i++) {
    void *item = items[--j];
    items[j] = items[i];
    items[i] = item;
  }
}

/* So many tasks may be stolen at once: others begin none of them while the first one runs. */
static uint32_t handful(const struct nth_deque *d) {
  uint32_t brief = nth_deque_marked(d, NTH_ITEM_BRIEF, NTH_STEAL_MOST);
  return brief > 0 ? brief : 1;
}

/* Steals a task, or some that are brief. All but the first are queued here, the oldest last, so the
 * oldest is taken next. A task may spin until an older one has run: the older one must not lie
 * behind it. */
static struct nth_task *steal_any(struct nth_member *m, struct nth_task_queue *from_queue) {
  void *items[NTH_STEAL_MOST];
  struct nth_task_queue *mine = &m->now.slot->queue;
  nth_assert(mine != from_queue);
  uint32_t n = nth_deque_steal(&from_queue->deque, items, handful(&from_queue->deque));
  nth_assert(n <= NTH_STEAL_MOST);
  sort(items, n);
  for (uint32_t i = n; i-- > 1;) {
    if (nth_unlikely(!nth_deque_push(&mine->deque, turned_item(items[i]))))
      nth_task_push(mine, nth_task_of_item(items[i]));
  }
  if (n > 1) {
    share(mine);
    tell(m);
  }
  if (n == 0)
    return 0;
  note_steal(n);
  struct nth_task *t = nth_task_of_item(items[0]);
  if (nth_likely(!(t->flags & NTH_TASK_BATCH) && t->fn))
    nth_pace_begin(&mine->pace, t->fn, n);
  return t;
}

static struct nth_task *steal_one(struct nth_member *m, struct nth_task_queue *q,
                                  const struct nth_task *from) {
  nth_assert(q != &m->now.slot->queue);
  void *item = nth_deque_oldest(&q->deque);
  uintptr_t known = 0;
  if (item && relation_of(item, from, &known) != RELATION_DESCENDS)
    return 0;
  if (nth_deque_steal(&q->deque, &item, 1) == 0) /* leaves a mark, if nothing is public */
    return 0;
  struct nth_task *t = nth_task_of_item(item);
  if (nth_likely(nth_task_is_sought(t, from))) {
    note_steal(1);
    return t;
  }
  nth_task_push(q, t); /* not the task that was looked at */
  tell(m);
  return 0;
}

static struct nth_task *steal_public(struct nth_member *m, struct nth_task_queue *q,
                                     const struct nth_task *from) {
  return from ? steal_one(m, q, from) : steal_any(m, q);
}

/* Takes a task sought by `from` that lies behind others. Those go into the list of their
 * owner, which may be waiting for something that only this member can give. In its own deque a
 * member is a thief here: what lies there keeps its position. */
static struct nth_task *dig(struct nth_member *m, struct nth_task_queue *q,
                            const struct nth_task *from) {
  bool mine = q == &m->now.slot->queue;
  uint32_t others = others_before(&q->deque, from);
  struct nth_task *t = 0;
  bool moved = false;
  void *item;
  nth_assert(from);
  if (others == UINT32_MAX)
    return 0;
  if (mine)
    nth_deque_publish(&q->deque);
  for (uint32_t i = 0; !t && i <= others; i++) {
    if (!(mine || nth_deque_force(&q->deque)) || nth_deque_steal(&q->deque, &item, 1) == 0)
      break; /* no item is left, or another thief is at work */
    if (nth_task_is_sought(nth_task_of_item(item), from)) {
      t = nth_task_of_item(item);
    } else {
      nth_task_push(q, nth_task_of_item(item));
      moved = true;
    }
  }
  if (moved)
    tell(m);
  if (t && !mine)
    note_steal(1);
  return t;
}

static struct nth_task *steal(struct nth_member *m, struct nth_task_queue *q,
                              const struct nth_task *from, enum nth_look look) {
  struct nth_task *t = steal_public(m, q, from);
  uint8_t *patience = &m->proc->waiter.patience;
  if (t)
    *patience = 0;
  if (t || look == NTH_LOOK_ENDS)
    return t;
  nth_fence_full(); /* task_batch:S: the mark before the look at private items */
  if (look == NTH_LOOK_ALL && from)
    return dig(m, q, from);
  if (!nth_deque_force(&q->deque))
    return 0;
  nth_count(NTH_COUNT_FORCED);
  if (*patience < NTH_PATIENCE_MOST)
    (*patience)++;
  return steal_public(m, q, from);
}

/* Takes a task from the other members, the nearest first. */
static struct nth_task *find_outward(struct nth_member *m, const struct nth_task *from,
                                     enum nth_look look, unsigned how) {
  struct nth_task *t;
  NTH_ROUTE_EACH_MEMBER(&m->now.slot->route, i) {
    struct nth_task_queue *q = &m->now.team->slot[i]->queue;
    if ((t = steal(m, q, from, look)) || (t = nth_task_list_take(&q->list, from, how)))
      return t;
  }
  return 0;
}

_Atomic(bool) nth_task_find_asks;

static struct nth_task *find_urgent(struct nth_member *m, const struct nth_task *from) {
  if (m->now.team)
    return nth_task_domains_urgent(m, from);
  return nth_task_list_take_urgent(&m->now.slot->queue.list, from);
}

struct nth_task *nth_task_find_left(struct nth_member *m) {
  nth_assert(nth_task_caller_is(m));
  struct nth_task_list *l = &m->now.slot->queue.list;
  if (nth_task_is_loose(m->now.task)) /* suspended since, it has another task's left_before */
    return nth_task_list_take(l, m->now.task, NTH_TAKE_NEWEST);
  struct nth_task *t = nth_task_list_take_left(l, m->left_before);
  if (!t)
    t = nth_task_pop_own(m, m->now.task);
  if (!t && nth_env.max_task_priority > 0 && m->now.team_size == 1) /* nobody else runs these */
    t = find_urgent(m, m->now.task);
  return t;
}

/* What comes before the member's own tasks: a look at what is over outside the runtime, tasks with
 * a priority, and tasks that were suspended until something outside was over. The work that others
 * outside wait for, say the next message, is behind these. */
static __attribute__((noinline)) struct nth_task *
find_first(struct nth_member *m, const struct nth_task *from, bool suspended) {
  struct nth_task *t = 0;
  nth_poll();
  if (nth_env.max_task_priority > 0)
    t = find_urgent(m, from);
  return t || !suspended ? t : nth_berth_next(m->now.slot);
}

struct nth_task *nth_task_find_awaited(struct nth_member *m, const struct nth_task *from) {
  struct nth_task_queue *mine = &m->now.slot->queue;
  nth_assert(nth_task_caller_is(m) && m->now.team);
  struct nth_task *t = nth_env.max_task_priority > 0 ? find_urgent(m, from) : 0;
  if (!t)
    t = nth_task_list_take(&mine->list, from, NTH_TAKE_DEEP | NTH_TAKE_NEWEST);
  if (!t)
    t = dig(m, mine, from);
  if (!t)
    t = nth_task_domains_take(m, from, NTH_TAKE_DEEP, true);
  if (!t)
    t = find_outward(m, from, NTH_LOOK_ALL, NTH_TAKE_DEEP);
  return t ? t : nth_task_domains_take(m, from, NTH_TAKE_DEEP, false);
}

/* Takes a task that has yielded. A wait that finds one each time never polls in vain, so now and
 * then it first looks as far as other waits do. */
static struct nth_task *find_in_turn(struct nth_member *m, const struct nth_task *from,
                                     enum nth_look look) {
  uint32_t turns = m->now.slot->berths.turns;
  nth_assert(m->now.slot->berths.suspended > 0);
  struct nth_task *t = 0;
  if (look == NTH_LOOK_ENDS && turns % NTH_BERTH_LOOKS == NTH_BERTH_LOOKS - 1) {
    m->now.slot->berths.turns++;
    m->now.slot->berths.unmoved++;
    bool all = turns / NTH_BERTH_LOOKS % 16 == 15;
    t = from ? nth_task_find_awaited(m, from)
             : find_outward(m, from, all ? NTH_LOOK_ALL : NTH_LOOK_DEEP, NTH_TAKE_DEEP);
  }
  return t ? t : nth_berth_next_in_turn(m);
}

/* While many are suspended, each with a stack of its own, those that can go on come before tasks
 * that have not begun: in an implicit task's wait those whose own waits are over, and in a wait for
 * all tasks those that have yielded, too. These may wait for one that has not begun. So now and
 * then a search goes the usual way, and as far as it can: *look is set for that. */
static struct nth_task *find_of_many(struct nth_member *m, const struct nth_task *from,
                                     enum nth_look *look) {
  struct nth_berths *in = &m->now.slot->berths;
  if (from)
    return from->flags & NTH_TASK_IMPLICIT && !nth_task_is_choosy(from)
               ? nth_berth_next(m->now.slot)
               : 0;
  uint32_t n = ++in->searches;
  if (n % NTH_BERTHS_MANY == 0) {
    bool all = *look == NTH_LOOK_ALL || n / NTH_BERTHS_MANY % 16 == 15;
    *look = all ? NTH_LOOK_ALL : NTH_LOOK_DEEP;
    return 0;
  }
  struct nth_task *t = nth_berth_next(m->now.slot);
  return t ? t : nth_berth_next_in_turn(m);
}

/* Items of a deque that are brought into order at most. */
enum { STRAIGHTENED = 128 };

/* Brings the items of the member's own deque into the order of their age: what it has stolen lies
 * turned, below what that has made since. Not if that is much: brief tasks make few others. */
static __attribute__((noinline)) void straighten(struct nth_member *m) {
  void *items[STRAIGHTENED];
  struct nth_deque *d = &m->now.slot->queue.deque;
  uint32_t n = 0, made = 0;
  if (nth_deque_base(d) - nth_deque_begin(d) > STRAIGHTENED)
    return;
  m->now.slot->queue.stage.task = 0;
  while (n < STRAIGHTENED && (items[n] = nth_deque_pop_any(d))) {
    made += !is_turned(items[n]);
    n++;
  }
  bool all = true; /* they had room before */
  for (uint32_t i = made; i < n; i++)
    all &= nth_deque_push(d, (void *)((uintptr_t)items[i] & ~(uintptr_t)NTH_ITEM_TURNED));
  for (uint32_t i = made; i-- > 0;)
    all &= nth_deque_push(d, items[i]);
  nth_assert(all);
  (void)all;
  share(&m->now.slot->queue);
  tell(m);
}

/* The oldest of the member's own deque, for a wait for all tasks. NULL: there is none, or a thief
 * is at work: the newest one would not do (task_queue.h, Age). */
static struct nth_task *take_oldest(struct nth_member *m) {
  struct nth_deque *d = &m->now.slot->queue.deque;
  uint32_t head = nth_load_rlx(&d->head), tail = nth_deque_begin(d);
  if (head == tail)
    return 0;
  if (head - tail == 1 || is_turned(nth_deque_at(d, head - 1)))
    return nth_task_pop_own(m, 0);
  if (is_turned(nth_deque_at(d, tail)))
    straighten(m);
  return nth_task_of_item(nth_deque_take_oldest(d));
}

/* What the member has pushed since its current task began. A choosy one puts what hides a task that
 * it seeks into the list. */
static inline struct nth_task *find_own(struct nth_member *m, const struct nth_task *from) {
  if (!from)
    return take_oldest(m);
  struct nth_task *t = nth_task_pop_own(m, from);
  if (nth_likely(!t || !nth_task_is_choosy(from) || nth_task_is_sought(t, from)))
    return t;
  struct nth_task_queue *q = &m->now.slot->queue;
  q->stage.task = 0;
  do
    nth_task_push(q, t);
  while ((t = nth_task_pop_own(m, from)) && !nth_task_is_sought(t, from));
  tell(m);
  return t;
}

/* Whether `from` leaves its stack in its waits, and suspended tasks go on meanwhile. What began
 * before a fork does not in the child: its waits have to go on with them. */
static inline bool leaves(const struct nth_member *m, const struct nth_task *from) {
  return from && nth_task_is_loose(from) && m->berth && m->berth->generation == nth_fork_generation;
}

struct nth_task *nth_task_find(struct nth_member *m, const struct nth_task *from,
                               enum nth_look look) {
  struct nth_task *t = 0;
  bool suspended = nth_unlikely(m->now.slot->berths.suspended != 0) && !leaves(m, from);
  if (nth_unlikely(nth_load_rlx(&nth_task_find_asks)))
    t = find_first(m, from, suspended);
  if (nth_unlikely(suspended) && !t && m->now.slot->berths.suspended >= NTH_BERTHS_MANY)
    t = find_of_many(m, from, &look);
  unsigned how = look == NTH_LOOK_ENDS ? 0 : NTH_TAKE_DEEP;
  if (!t)
    t = find_own(m, from);
  if (!t && nth_unlikely(suspended))
    t = nth_berth_next(m->now.slot);
  if (!t)
    t = nth_task_list_take(&m->now.slot->queue.list, from, how | NTH_TAKE_NEWEST);
  if (!t)
    t = nth_task_domains_take(m, from, how, true);
  if (!t)
    t = find_outward(m, from, look, how);
  if (!t)
    t = nth_task_domains_take(m, from, how, false);
  if (!t && nth_unlikely(suspended))
    t = find_in_turn(m, from, look);
  return t;
}

bool nth_task_hidden(struct nth_member *m, const struct nth_task *from) {
  if (!from && nth_deque_any(&m->now.slot->queue.deque))
    return true;
  NTH_ROUTE_EACH_MEMBER(&m->now.slot->route, i) {
    const struct nth_deque *d = &m->now.team->slot[i]->queue.deque;
    if (from ? others_before(d, from) != UINT32_MAX : nth_deque_any(d))
      return true;
  }
  return false;
}

void nth_task_put_back(struct nth_member *m, struct nth_task *t) {
  nth_task_push(&m->now.slot->queue, t);
  tell(m);
}

void nth_task_put_aside_from(struct nth_member *m, uint32_t position) {
  struct nth_task_queue *q = &m->now.slot->queue;
  nth_assert(nth_task_caller_is(m));
  nth_assert_valid(nth_deque_valid(&q->deque));
  bool any = false;
  void *item;
  q->stage.task = 0;
  for (; (item = nth_deque_pop(&q->deque, position)); any = true)
    nth_task_push(q, nth_task_of_item(item));
  if (any)
    tell(m);
}

void nth_task_put_aside(struct nth_member *m) {
  nth_task_put_aside_from(m, (uint32_t)nth_load_rlx(&m->now.slot->queue.deque.word));
}

NTH_IN_CHILD void nth_task_queue_forget(struct nth_task_queue *q) {
  nth_deque_clear(&q->deque);
  q->stage.task = 0;
  nth_task_list_forget(&q->list);
}
