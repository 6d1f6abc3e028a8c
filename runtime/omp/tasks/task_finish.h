/* task_finish.h - counts of tasks: made, finished, waited for
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A task's end is seen by its parent's taskwait, by the end of its taskgroup and by
 *             those who wait for all tasks of the team. A task is made and finished by one member
 *             mostly, so none of these counts costs a locked operation then.
 * Use         nth_task_count_made() before others can see the task; nth_task_finish() when it has
 *             run. A member that runs a chain of tasks pays what it owes with nth_task_pay_owed(),
 *             at its end
 * Invariants  task.h, I1 and I2. What a chain owes are children of one parent, in one group, whose
 *             next sibling this member has in hand: so neither count comes to 0 meanwhile
 * Orders      task.h: A, F; deps.h
 * Cost        an own child: an addition for each count, a load of the sleepers; another's: one
 *             locked subtraction, for a whole chain too, and one more in a taskgroup
 * Tested by   tests/model/chain, tests/model/barrier, tests/lit/tasks
 */
#ifndef NTH_OMP_TASK_FINISH_H
#define NTH_OMP_TASK_FINISH_H

#include "runtime/omp/member/member.h"
#include "runtime/omp/tasks/task.h"
#include "runtime/omp/tasks/taskgroup.h"
#include "runtime/omp/types/team_type.h"

/* What the ends of the tasks that a member runs one after the other leave over for the next one. In
 * the frame of the call that runs them. */
struct nth_chain {
  struct nth_task *next;       /* made ready, this member runs it now; NULL: none */
  struct nth_task *parent;     /* of which `owed` children have finished and are not yet counted */
  struct nth_taskgroup *group; /* in which these count, NULL: none */
  uint32_t owed;
};

/* Counts a task that is about to be seen by others. */
static inline void nth_task_count_made(struct nth_member *m, struct nth_task *t) {
  struct nth_task *parent = nth_task_parent(t);
  if (parent->flags & NTH_TASK_IMPLICIT)
    nth_store_rlx(&parent->runner, m);
  nth_tally_add_own(&parent->children);
  struct nth_taskgroup *group = t->made_in;
  if (group && nth_load_rlx(&group->owner) == m)
    nth_tally_add_own(&group->count);
  else if (group)
    nth_tally_add(&group->count);
  _Atomic(uint32_t) *made = &m->now.slot->tasks_made;
  nth_store_rel(made, nth_load_rlx(made) + 1); /* task:A */
  struct nth_team *team = m->now.team;
  if (nth_unlikely(team && !nth_load_rlx(&team->tasked))) {
    nth_store_rlx(&team->tasked, true);
    nth_fence_full(); /* task:F: sleepers that did not see it are seen by nth_team_call_help */
  }
}

/* t is finished: whoever waits for it may go on. In task_run.c, with the run that it mostly
 * ends. */
void nth_task_finish(struct nth_task *t);

/* n of what the event of a task with detach waits for have ended. */
void nth_task_event_counts(struct nth_task *t, uint32_t n);

/* Counts what has been put off. In task_run.c. */
void nth_task_pay_owed_slow(struct nth_member *m, struct nth_chain *c);
static inline void nth_task_pay_owed(struct nth_member *m, struct nth_chain *c) {
  if (nth_unlikely(c->owed > 0))
    nth_task_pay_owed_slow(m, c);
}

#endif
