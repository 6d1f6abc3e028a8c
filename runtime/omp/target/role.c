/* role.c - an initial task of its own, run by a thread that may be a member of a team
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/target/role.h"

#include <string.h>

#include "runtime/omp/tasks/depend.h"
#include "runtime/omp/tasks/task_run.h"
#include "runtime/omp/worksharing/workshare.h"
#include "runtime/place/places/assign.h"
#include "runtime/place/places/places.h"

/* The seat with all places as its partition, the initial value of place-partition-var. */
static inline uint64_t with_all_places(uint64_t seat) {
  return seat ? nth_seat(nth_seat_place(seat), 0, nth_places_get()->count) : 0;
}

void nth_role_restart(struct nth_member *m, struct nth_role *c, uint32_t thread_limit) {
  struct nth_task *task = &c->slot.implicit;
  nth_assert(m->role == c && !m->now.team && m->now.task == task); /* I1, I2 */
  nth_task_wait_all(m);
  nth_depend_forget(task);
  task->own_icv = c->icv;
  if (thread_limit)
    task->own_icv.thread_limit = thread_limit;
  m->now.icv = &task->own_icv;
}

void nth_role_enter(struct nth_member *m, struct nth_role *c, const struct nth_icv *icv,
                    uint32_t thread_limit) {
  if (nth_unlikely(m->now.team != 0))
    nth_task_before_region(m);
  c->outer = m->role;
  c->saved = m->now;
  c->league = m->league;
  c->told = 0;
  c->icv = *icv;
  memset(&c->slot, 0, sizeof c->slot);
  c->slot.implicit.flags = NTH_TASK_IMPLICIT | NTH_TASK_LONE;
  c->slot.implicit.class = NTH_POOL_BIG;
  m->role = c;
  m->league = (struct nth_league){0, 1};
  if (thread_limit)
    c->icv.thread_limit = thread_limit;
  /* field by field: a signal handler that asks for an ICV must not find NULL */
  m->now.icv = &c->icv;
  m->now.slot = &c->slot;
  m->now.task = &c->slot.implicit;
  m->now.team = 0;
  m->now.thread_num = m->now.level = m->now.active_level = 0;
  m->now.team_size = 1;
  m->now.seat = with_all_places(m->now.seat);
  nth_role_restart(m, c, 0);
}

void nth_role_leave(struct nth_member *m, struct nth_role *c) {
  nth_assert(m->role == c && m->now.slot == &c->slot); /* I1, I2 */
  nth_task_wait_all(m);
  nth_depend_forget(&c->slot.implicit);
  nth_workshare_free_alone(&c->slot);
  m->now = c->saved;
  m->league = c->league;
  m->role = c->outer;
}
