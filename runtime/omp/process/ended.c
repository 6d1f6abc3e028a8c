/* ended.c - the end of a member, with its thread
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/process/ended.h"

#include "runtime/base/os.h"
#include "runtime/mem/heap.h"
#include "runtime/omp/member/member.h"
#include "runtime/omp/member/roll.h"
#include "runtime/omp/nano/members.h"
#include "runtime/omp/tasks/depend.h"
#include "runtime/omp/tasks/task.h"
#include "runtime/omp/team/team_make.h"
#include "runtime/omp/told/told.h"
#include "runtime/omp/worksharing/workshare.h"
#include "runtime/sched/nano/stack.h"
#include "runtime/sched/threads/holder.h"

void nth_ended_member(void *arg) {
  struct nth_member *m = arg;
  if (nth_unlikely(m->outside) && !m->now.team && !m->role)
    nth_task_run_outside(m);
  nth_told_member_end(m);
  nth_roll_leave(m);
  if (m->is_root && m->identity)
    nth_carry_come_home(m->identity); /* its own OS thread is the one that ends */
  /* pthread_exit in a region: the other members still run */
  bool inside = m->is_root && (m->now.team || m->role);
  nth_members_over(m);
  for (struct nth_team *t = m->teams; t && !inside;) {
    struct nth_team *next = t->next, *other = t->twin.other;
    nth_group_release(&t->group);
    if (other) {
      nth_group_release(&other->group);
      nth_team_reuse(other);
    }
    nth_team_reuse(t);
    t = next;
  }
  if (m->lent && !m->lends && !inside) {
    nth_group_release(&m->lent->group);
    nth_team_reuse(m->lent);
  }
  nth_stack_leave(&m->pool);
  nth_pool_end(&m->pool);
  m->identity = 0; /* from here on the thread waits as any thread does */
  if (m->is_root)
    nth_holder_dismiss(m->proc);
  else if (m->proc->ending) /* false after pthread_exit in a region */
    nth_holder_recycle(m->proc);
  if (!inside && !nth_tasks_left(0, &m->solo)) {
    nth_depend_forget(&m->solo.implicit);
    nth_workshare_free_alone(&m->solo);
    nth_heap_free(m);
  } else if (!inside) {
    nth_task_leave_outside(m); /* events refer to it */
  }
  nth_self = 0;
}

bool nth_ended_early(void) {
  struct nth_member *m = nth_self;
  nth_assert(m);
  bool done = m->is_root || m->proc->ending;
  if (!done || m->now.team || m->role || m->lends || nth_load_rlx(&nth_os_bound) ||
      !nth_member_let_go())
    return false;
  nth_ended_member(m);
  return true;
}
