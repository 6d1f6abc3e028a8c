/* task_run.h - runs tasks: one, and those that its end makes ready
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A task is run at once by its maker, or taken out of a queue by who waits. One whose end makes
 *             a sibling ready is followed by that one, which is in no queue meanwhile and for which nobody
 *             is called: a chain of dependent tasks stays with one member.
 * Use         nth_task_run() for a task out of a queue; nth_task_run_one() takes it out, too
 * Invariants  I1  what follows may be started where the first one may: its siblings. It is started for as
 *                 long as the wait lasts only, else it is queued
 * Orders      task.h: A
 * Cost        run: some 60 instructions about the task's own
 * Tested by   tests/model/chain, tests/lit/tasks
 */
#ifndef NTH_OMP_TASK_RUN_H
#define NTH_OMP_TASK_RUN_H

#include "runtime/omp/member.h"
#include "runtime/omp/task.h"
#include "runtime/omp/team.h"

/* Whether the current task has more unfinished children than help anybody: then it runs tasks itself
 * before it makes more of them, and memory stays bounded. less: than the limit. */
static inline bool nth_task_far_ahead(struct nth_member *m, uint32_t less) {
  uint32_t limit = NTH_TASKS_AHEAD * m->now.team_size - less;
  return nth_unlikely(nth_tally_left(&m->now.task->children) >= limit);
}

/* Whether another member is seen that looks for tasks. */
static inline bool nth_task_is_wanted(const struct nth_member *m) {
  return nth_load_rlx(&m->now.slot->queue.deque.word) >= NTH_DEQUE_WANTED ||
         (m->now.team && nth_load_rlx(&m->now.team->bell.sleepers) > 0);
}

/* What a wait is for: a tally of the waiter's, a word, or else all tasks. Or it is none: the member is
 * about to make more tasks, when it is not ahead any more or another one may go on with these. */
struct nth_awaited {
  struct nth_tally *tally;
  _Atomic(uint32_t) *count;
  bool backlog;
};

static inline bool nth_task_is_over(struct nth_member *m, const struct nth_awaited *what) {
  if (nth_unlikely(what->backlog))
    return !nth_task_far_ahead(m, NTH_AHEAD_LESS) || nth_task_is_wanted(m);
  if (what->tally)
    return nth_tally_left(what->tally) == 0; /* task:A */
  if (what->count)
    return nth_load_acq(what->count) == 0; /* task:A */
  return !nth_tasks_left(m->now.team, m->now.slot);
}

/* Makes t the member's current task, calls its function, goes back. Returns t, or where it moved. */
struct nth_task *nth_task_call(struct nth_member *m, struct nth_task *t);

/* Runs t; then one that its end has made ready, and so on, for as long as the wait lasts (NULL: t only).
 * any: at this point any task may be started. */
void nth_task_run(struct nth_member *m, struct nth_task *t, bool any, const struct nth_awaited *what);

/* Starts a task that descends from `from`, or any if NULL; false when none is seen. what: the wait */
static inline bool nth_task_run_one(struct nth_member *m, const struct nth_task *from, enum nth_look look,
                                    const struct nth_awaited *what) {
  struct nth_task *t = nth_task_find(m, from, look);
  if (t)
    nth_task_run(m, t, !from, what);
  return t != 0;
}

#endif
