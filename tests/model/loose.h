/* loose.h - a member whose current task is loose, for models of suspended tasks
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Use         model_loose_setup() in setup(). Where member 0 leaves the task's stack, the model
 *             goes on as a barrier does: it sleeps until a suspended task can go on. `stuck`: as a
 *             wait that begins only what a suspended task waits for.
 */
#ifndef NTH_MODEL_LOOSE_H
#define NTH_MODEL_LOOSE_H

#include "runtime/omp/sync/lock.h"
#include "runtime/omp/tasks/task_run.h"
#include "tests/model/members.h"

struct model_loose {
  struct nth_task task; /* member 0's, with its berth */
  struct nth_stack stack;
  struct nth_berth berth;
  bool stuck;
};
static struct model_loose *model_loose(void); /* the harness has one in its world */

/* --- what the text wants besides --- */

void nth_luggage_pack(struct nth_luggage *l) { (void)l; }
void nth_luggage_unpack(const struct nth_luggage *l) { (void)l; }
struct nth_stack *nth_stack_take(struct nth_pool *p, void (*f)(void *), void *arg,
                                 uint64_t control) {
  return (void)p, (void)f, (void)arg, (void)control, NULL;
}
void nth_stack_give(struct nth_pool *p, struct nth_stack *s) { (void)p, (void)s; }
void nth_stack_adopt(struct nth_stack *s) { (void)s; }
void nth_stack_look(void) {}
bool nth_runtimes_know_stacks(void) { return false; }
void nth_stack_arrived(struct nth_stack *s) { (void)s; }
void nth_stack_end(struct nth_stack *from, struct nth_stack *to) { (void)from, (void)to; }
bool nth_os_shadow_stack(void) { return false; }
bool nth_os_offer_cpu(void) { return false; }
uint64_t nth_switch_control(void) { return 0; }

/* Member 0 leaves the task's stack, and comes back when that can go on. */
void nth_stack_switch(struct nth_stack *from, struct nth_stack *to) {
  struct nth_slot *s = &model_team()->slot[0];
  (void)from, (void)to;
  model_check(model_thread() == 0 && s->berths.suspended == 1);
  while (!nth_berth_next(s)) {
    for (int i = 0; i < (int)NTH_AWAITED_EACH && model_loose()->stuck; i++)
      (void)nth_task_begin_awaited(model_member());
    uint32_t ticket = nth_bell_enter(&model_team()->team.help.bell);
    if (!nth_berth_any(s))
      nth_bell_sleep(&model_team()->team.help.bell, ticket, 0);
    nth_bell_leave(&model_team()->team.help.bell);
  }
  s->berths.suspended--;
}

static inline void model_loose_setup(uint32_t n) {
  struct model_team *t = model_team();
  struct model_loose *l = model_loose();
  model_region(n);
  nth_lock_forked(); /* its lists are not the world's */
  nth_store_rlx(&t->team.tasked, true);
  for (uint32_t i = 0; i < n; i++)
    MODEL_ATOM_AT(i, t->slot[i].berths.woken);
  l->task.class = NTH_POOL_BIG;
  l->task.flags = NTH_TASK_UNTIED | NTH_TASK_LOOSE;
  l->task.team = &t->team;
  nth_store_rlx(&l->task.parent, (uintptr_t)&t->slot[0].implicit);
  nth_store_rlx(&l->task.refs, 1);
  nth_store_rlx(&l->task.runner, &t->member[0]);
  nth_tally_clear(&l->task.children);
  l->berth = (struct nth_berth){.stack = &l->stack, .member = &t->member[0], .task = &l->task};
  t->member[0].now.task = &l->task;
  t->member[0].berth = &l->berth;
}

#endif
