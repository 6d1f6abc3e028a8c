/* task_finish.h - counts of tasks: made, finished, waited for
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Three kinds of wait depend on a task's end: its parent's taskwait, the end of its
 *             taskgroup, and the waits for all tasks of the team. Mostly one member makes and
 *             finishes a task, and then none of these counts costs a locked operation.
 * Use         nth_task_count_made() before others can see the task; nth_task_finish() when it has
 *             run. A member that runs a chain of tasks puts some counts off, and pays them with
 *             nth_task_pay_owed() at the chain's end
 * Invariants  task.h, I1 and I2. What a chain owes belongs to children of one parent, in one
 *             group. This member has their next sibling in hand, so neither count comes to 0
 *             before it pays
 * Orders      task.h: A, F; deps.h
 * Cost        a child of the member's own task: an addition for each count, a load of the
 *             sleepers. A child of another's: one locked subtraction, for a whole chain too, and
 *             one more in a taskgroup
 * Tested by   tests/model/chain, tests/model/barrier, tests/lit/tasks
 */
#ifndef NTH_OMP_TASK_FINISH_H
#define NTH_OMP_TASK_FINISH_H

#include "runtime/base/check.h"
#include "runtime/omp/member/member.h"
#include "runtime/omp/tasks/task.h"
#include "runtime/omp/tasks/taskgroup.h"
#include "runtime/omp/types/taskgroup_type.h"
#include "runtime/omp/types/team_type.h"

/* A chain: tasks that a member runs one after the other. Here is what the end of one leaves for the
 * next. It lies in the frame of the call that runs them. */
struct nth_chain {
  struct nth_task *next;       /* made ready by the last end, to be run next; NULL: none */
  struct nth_task *parent;     /* the parent whose `owed` finished children are not yet counted */
  struct nth_taskgroup *group; /* the taskgroup in which these count, NULL: none */
  uint32_t owed;
};

/* One more task of the group (NULL: there is none), and of the team. */
static inline void nth_task_count_in(struct nth_member *m, struct nth_taskgroup *group) {
  if (group && nth_load_rlx(&group->owner) == m)
    nth_tally_add_own(&group->count);
  else if (group)
    nth_tally_add(&group->count);
  _Atomic(uint32_t) *made = &m->now.slot->tasks.made;
  nth_store_rel(made, nth_load_rlx(made) + 1); /* task:A */
}

/* Counts a task before others can see it. */
static inline void nth_task_count_made(struct nth_member *m, struct nth_task *t) {
  struct nth_task *parent = m->now.task;
  nth_assert(nth_task_caller_is(m) && parent == nth_task_parent(t));
  nth_assert(!(parent->flags & NTH_TASK_FRAME)); /* I4 */
  if (parent->flags & NTH_TASK_IMPLICIT && nth_load_rlx(&parent->runner) != m)
    nth_store_rlx(&parent->runner, m); /* once: others read that line at each child's end */
  nth_tally_add_own(&parent->children);
  nth_assert(parent->group == t->made_in);
  nth_task_count_in(m, parent->group);
  struct nth_team *team = m->now.team;
  if (nth_unlikely(team && !nth_load_rlx(&team->tasked))) {
    nth_store_rlx(&team->tasked, true);
    nth_fence_full(); /* task:F: a sleeper that missed this is seen by nth_team_call_help */
  }
}

/* Counts t, which others cannot see yet. Its maker may be another member; m has in hand an
 * unfinished task with the same parent, group and team. */
static inline void nth_task_count_more(struct nth_member *m, struct nth_task *t) {
  struct nth_task *parent = nth_task_parent(t);
  nth_assert(nth_task_caller_is(m) && m->now.team == t->team);
  if (nth_load_rlx(&parent->runner) == m)
    nth_tally_add_own(&parent->children);
  else
    nth_tally_add(&parent->children);
  nth_task_count_in(m, t->made_in);
}

/* t is finished: the members that wait for it may go on. In task_run.c, beside the run that mostly
 * ends with it. */
void nth_task_finish(struct nth_task *t);

/* Counts the event of a task with detach down by n. */
void nth_task_event_counts(struct nth_task *t, uint32_t n);

/* Counts what the chain has put off. In task_run.c. */
void nth_task_pay_owed_slow(struct nth_member *m, struct nth_chain *c);
static inline void nth_task_pay_owed(struct nth_member *m, struct nth_chain *c) {
  nth_assert(c->owed <= NTH_OWED_MOST);
  if (nth_unlikely(c->owed > 0))
    nth_task_pay_owed_slow(m, c);
}

#endif
