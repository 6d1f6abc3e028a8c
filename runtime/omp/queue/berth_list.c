/* berth_list.c - a member's suspended tasks that can go on
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/queue/berth_list.h"

#include "runtime/arch/section.h"
#include "runtime/base/check.h"
#include "runtime/omp/member/member.h"
#include "runtime/omp/nano/members.h"
#include "runtime/omp/queue/task_queue.h"

/* Berths of a list that a check looks at, at most. */
enum { CHECKED = 32 };

/* Each berth holds a suspended task; `last` ends the list. By the lists' member. */
static __attribute__((unused)) bool list_valid(const struct nth_berth_list *l) {
  const struct nth_berth *b = l->first;
  for (uint32_t i = 0; b && i < CHECKED; i++, b = b->next)
    if (!(b->task->flags & NTH_TASK_STAYS) || (b->next == 0) != (b == l->last))
      return false;
  return true;
}

void nth_berth_append(struct nth_berth_list *l, struct nth_berth *b) {
  nth_assert(b->task->flags & NTH_TASK_STAYS && (!l->first || b != l->last));
  b->next = 0;
  if (l->first)
    l->last->next = b;
  else
    l->first = b;
  l->last = b;
  nth_assert_valid(list_valid(l));
}

static inline struct nth_berth *take_first(struct nth_berth_list *l) {
  struct nth_berth *b = l->first;
  nth_assert_valid(list_valid(l));
  if (b)
    l->first = b->next;
  return b;
}

void nth_berth_awaits(struct nth_berths *in, struct nth_berth *b) {
  struct nth_berth_list *l = &in->awaiting;
  nth_assert(b->task->flags & NTH_TASK_STAYS && (!l->first || b != l->last));
  b->newer = 0;
  b->older = l->first ? l->last : 0;
  if (b->older)
    b->older->newer = b;
  else
    l->first = b;
  l->last = b;
}

void nth_berth_awaited(struct nth_berths *in, struct nth_berth *b) {
  struct nth_berth_list *l = &in->awaiting;
  nth_assert(b->older ? b->older->newer == b : l->first == b);
  nth_assert(b->newer ? b->newer->older == b : l->last == b);
  if (b->older)
    b->older->newer = b->newer;
  else
    l->first = b->newer;
  if (b->newer)
    b->newer->older = b->older;
  else
    l->last = b->older;
}

struct nth_berth *nth_berth_awaiting_next(struct nth_berths *in) {
  struct nth_berth *b = in->awaiting.first;
  nth_assert(!b || in->suspended > 0);
  if (b && b->newer) {
    nth_berth_awaited(in, b);
    nth_berth_awaits(in, b);
  }
  return b;
}

void nth_berth_wake(struct nth_berths *in, struct nth_berth *b) {
  struct nth_berth *head = nth_load_rlx(&in->woken);
  do
    b->next = head;
  while (!nth_cas_rel(&in->woken, &head, b)); /* W */
}

struct nth_task *nth_berth_next(struct nth_slot *s) {
  struct nth_berths *in = &s->berths;
  if (nth_load_rlx(&in->woken)) {
    struct nth_berth *b = nth_xchg_acq(&in->woken, NULL), *first = 0; /* W */
    while (b) { /* woken has the latest first: turns the order round */
      struct nth_berth *next = b->next;
      b->next = first;
      first = b;
      b = next;
    }
    while ((b = first)) {
      first = b->next;
      nth_berth_append(&in->ready, b);
    }
  }
  struct nth_berth *b = take_first(&in->ready);
  nth_assert(!b || in->suspended > 0); /* task_berth:I3 */
  if (b)
    in->unmoved--; /* it goes on */
  return b ? b->task : 0;
}

struct nth_task *nth_berth_next_in_turn(struct nth_member *m) {
  struct nth_berths *in = &m->now.slot->berths;
  struct nth_berth *b = take_first(&in->yielded);
  if (!b)
    return 0;
  nth_assert(in->suspended > 0 && nth_task_caller_is(m));
  in->turns++;
  if (!in->round || b == in->round) { /* each one has had a turn: lets other members have theirs */
    in->round = in->yielded.first ? in->yielded.last : b;
    if (m->now.team->crowded) {
      nth_members_yield(m);
      (void)nth_os_offer_cpu();
    }
  }
  return b->task;
}

NTH_IN_CHILD void nth_berth_forget(struct nth_slot *s) {
  struct nth_berths *in = &s->berths;
  nth_store_rlx(&in->woken, NULL);
  in->suspended = in->locked = in->guarded = 0;
  in->round = in->ready.first = in->yielded.first = in->awaiting.first = 0;
}
