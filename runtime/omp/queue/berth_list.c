/* berth_list.c - a member's suspended tasks that can go on
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/queue/berth_list.h"

#include "runtime/omp/member/member.h"
#include "runtime/omp/nano/members.h"

void nth_berth_append(struct nth_berth_list *l, struct nth_berth *b) {
  b->next = 0;
  if (l->first)
    l->last->next = b;
  else
    l->first = b;
  l->last = b;
}

static inline struct nth_berth *take_first(struct nth_berth_list *l) {
  struct nth_berth *b = l->first;
  if (b)
    l->first = b->next;
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
    while (b) { /* the one that came first is the last */
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
  return b ? b->task : 0;
}

struct nth_task *nth_berth_next_in_turn(struct nth_member *m) {
  struct nth_berths *in = &m->now.slot->berths;
  struct nth_berth *b = take_first(&in->yielded);
  if (!b)
    return 0;
  in->turns++;
  if (!in->round || b == in->round) { /* all had a turn: let others have theirs */
    in->round = in->yielded.first ? in->yielded.last : b;
    if (m->now.team->crowded) {
      nth_members_yield(m);
      (void)nth_os_offer_cpu();
    }
  }
  return b->task;
}

void nth_berth_forget(struct nth_slot *s) {
  struct nth_berths *in = &s->berths;
  nth_store_rlx(&in->woken, NULL);
  in->suspended = 0;
  in->round = in->ready.first = in->yielded.first = 0;
}
