/* taskgroup.c - taskgroup constructs
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/tasks/taskgroup.h"

#include "runtime/base/check.h"
#include "runtime/omp/member/member.h"
#include "runtime/omp/tasks/depend.h"
#include "runtime/omp/tasks/task.h"
#include "runtime/omp/types/taskgroup_type.h"

void nth_taskgroup_begin(struct nth_member *m) {
  nth_assert(nth_task_caller_is(m));
  struct nth_taskgroup *g = nth_member_take(sizeof *g);
  g->outer = m->now.task->group;
  g->reductions = 0;
  g->workshare = false;
  nth_store_rlx(&g->cancelled, false);
  nth_store_rlx(&g->owner, m);
  nth_tally_clear(&g->count);
  m->now.task->group = g;
}

void nth_taskgroup_end(struct nth_member *m) {
  struct nth_taskgroup *g = m->now.task->group;
  if (!g)
    return;
  nth_assert(nth_load_rlx(&g->owner) == m && nth_task_caller_is(m));
  if (nth_tally_left(&g->count) != 0) /* task:A */
    nth_task_wait_tally(m, &g->count);
  nth_assert(m->now.task->group == g); /* what was opened since has ended */
  nth_assert(nth_tally_valid(&g->count));
  m->now.task->group = g->outer;
  if (nth_unlikely(m->now.task->table != 0))
    nth_depend_group_over(m->now.task);
  nth_member_give(g, sizeof *g);
}
