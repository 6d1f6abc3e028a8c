/* member.c - a member: what a program sees as one OpenMP thread
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/member/member.h"

#include <assert.h>
#include <pthread.h>

#include "runtime/arch/section.h"
#include "runtime/mem/heap.h"
#include "runtime/omp/member/roll.h"
#include "runtime/omp/types/team_type.h"
#include "runtime/sched/adapt/follow.h"
#include "runtime/sched/nano/watchdog.h"
#include "runtime/sched/threads/holder.h"

static_assert(offsetof(struct nth_member, identity) == 0, "self.h");

struct nth_pool nth_member_no_pool NTH_SPARSE;
void (*nth_member_end_hook)(void *m);

static pthread_key_t end_key;
static pthread_once_t begin_once = PTHREAD_ONCE_INIT;
static bool end_key_made;

static struct nth_permit *my_permit(void) {
  struct nth_member *m = nth_self;
  return m && m->proc ? nth_member_permit(m) : 0;
}

void nth_member_pass_slow(struct nth_member *m) {
  if (m->identity)
    nth_carry_pass(m->identity);
  else
    nth_permit_pass_slow(&m->proc->permit);
}

static void begin(void) {
  nth_worker_begin();
  nth_permit_hooks.mine = my_permit;
  nth_permit_hooks.changed = nth_carry_limit;
  nth_permit_hooks.carries = nth_watch_any;
  nth_permit_hooks.grow = nth_watch_grow;
  nth_follow_begin();
  end_key_made = pthread_key_create(&end_key, nth_member_end_hook) == 0;
}

void nth_member_alone(struct nth_member *m) {
  struct nth_task *t = &m->solo.implicit;
  m->now =
      (struct nth_member_state){.slot = &m->solo, .task = t, .team_size = 1, .seat = m->now.seat};
  m->now.icv = t->flags & NTH_TASK_CHANGED ? &t->own_icv : &nth_env.initial;
}

struct nth_member *nth_member_new(void) {
  return nth_heap_alloc_partly(sizeof(struct nth_member),
                               offsetof(struct nth_member, solo.implicit.newer));
}

/* There is always one in the end. */
static struct nth_member *need_object(void) {
  struct nth_member *m;
  uint64_t until = 0;
  while (!(m = nth_member_new()))
    nth_heap_wait(&until, sizeof *m);
  return m;
}

/* m is zeroed. */
static struct nth_member *new_member(struct nth_member *m, uint32_t pool) {
  static _Atomic(uint32_t) made;
  nth_assert(m->number == 0 && !m->now.slot && !m->teams);
  m->number = nth_add_rlx(&made, 1) + 1;
  m->solo.implicit.flags = NTH_TASK_IMPLICIT | NTH_TASK_LONE; /* before it is read: one fault */
  nth_member_alone(m);
  m->solo.implicit.class = NTH_POOL_BIG;
  m->league.teams = 1;
  nth_pool_init(&m->pool, nth_env.pool_policy, pool);
  return m;
}

bool nth_member_leave(struct nth_worker *p) {
  struct nth_member *m = p->identity;
  nth_assert(m && m->proc == p && !m->is_root);
  if (nth_self != m || !end_key_made)
    return false;
  nth_member_alone(m);
  nth_teams_outdate(m->teams); /* their workers were the root's */
  return true;
}

void nth_member_adopt(struct nth_member *m) {
  nth_self = m;
  pthread_once(&begin_once, begin);
  if (end_key_made)
    pthread_setspecific(end_key, m);
  nth_roll_enter(m);
}

bool nth_member_let_go(void) { return end_key_made && pthread_setspecific(end_key, 0) == 0; }

struct nth_member *nth_member_make(void) {
  nth_assert(!nth_self);
  struct nth_member *m = new_member(need_object(), 0);
  nth_member_adopt(m);
  m->is_root = true;
  uint64_t until = 0;
  while (!(m->proc = nth_holder_adopt()))
    nth_heap_wait(&until, sizeof *m->proc);
  m->identity = m->proc->waiter.serves ? nth_worker_self(m->proc) : 0;
  return m;
}

struct nth_member *nth_member_for_worker(struct nth_worker *p, uint32_t pool,
                                         struct nth_member *object) {
  struct nth_member *m = new_member(object ? object : need_object(), pool);
  m->proc = p;
  m->identity = p->carried ? nth_worker_self(p) : 0;
  nth_roll_expect(m);
  return m;
}

void nth_member_unused(struct nth_member *m) {
  nth_assert(!m->teams && m->now.slot == &m->solo); /* its thread has never run */
  nth_roll_leave(m);
  nth_heap_free(m);
}

void *nth_member_take_slow(size_t size) {
  void *memory;
  uint64_t until = 0;
  while (!(memory = nth_pool_take(nth_member_pool(), nth_pool_class(size), size)))
    nth_heap_wait(&until, size);
  return memory;
}

struct nth_icv *nth_icv_mine(void) {
  struct nth_member *m = nth_member_get();
  struct nth_task *t = m->now.task;
  if (m->now.icv != &t->own_icv) {
    t->own_icv = *m->now.icv;
    m->now.icv = &t->own_icv;
  }
  t->flags |= NTH_TASK_CHANGED;
  return &t->own_icv;
}
