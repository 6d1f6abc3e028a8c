/* task_run.h - runs tasks: one, and those that its end makes ready
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A task is run at once by its maker, or taken out of a queue by who waits. One whose
 *             end makes a sibling ready is followed by that one, which is in no queue meanwhile and
 *             for which nobody is called: a chain of dependent tasks stays with one member.
 * Use         nth_task_run() for a task out of a queue; nth_task_run_one() takes it out, too
 * Deep        A task that is run by its maker, at once or since its deque is full, lies on the
 *             stack above that one, as far as NTH_NESTED_MOST of them. Beyond, tasks are queued, or
 *             left in the list. The call at the limit goes through them when it has returned
 *             (nth_task_run_left()), the newest first, each as deep as that was, so that its tasks
 *             are left as well: of a tree of any depth there are only those beside one path. They
 *             are told from others' by numbers: what is left since a call or a wait began descends
 *             from its task.
 * Invariants  I1  what follows may be started where the first one may: its siblings. It is started
 *                 for as long as the wait lasts only, else it is queued
 * Orders      task.h: A
 * Cost        run: some 60 instructions about the task's own
 * Tested by   tests/model/chain, tests/lit/tasks
 */
#ifndef NTH_OMP_TASK_RUN_H
#define NTH_OMP_TASK_RUN_H

#include "runtime/omp/member/member.h"
#include "runtime/omp/queue/help.h"
#include "runtime/omp/tasks/task.h"

/* Whether so many tasks lie one in the other on the stack that the next one is to be deferred,
 * however many there are: the stack has an end. Not where the current one makes them by the
 * thousand: memory has one, too. */
static inline bool nth_task_too_deep(const struct nth_member *m) {
  return nth_unlikely(m->now.task->nested >= NTH_NESTED_MOST) &&
         nth_tally_left(&m->now.task->children) < NTH_NESTED_AHEAD;
}

/* Whether the member has so many ready tasks that nobody gains by one more, and nobody is hungry:
 * then it runs the new one itself, at once. In a recursion it is those made before the current task
 * that count: they are the large ones, and a few for each member will do. */
static inline bool nth_task_enough_ready(const struct nth_member *m) {
  const struct nth_deque *d = &m->now.slot->queue.deque;
  const struct nth_task *t = m->now.task;
  uint64_t w = nth_load_rlx(&d->word);
  int32_t older = (int32_t)(t->base - (uint32_t)w),
          all = (int32_t)(nth_load_rlx(&d->head) - (uint32_t)w);
  bool enough =
      all >= (int32_t)NTH_TASKS_AHEAD ||
      (older >= (int32_t)(NTH_TASKS_NESTED * m->now.team_size) && !(t->flags & NTH_TASK_IMPLICIT));
  return enough && w < NTH_DEQUE_WANTED && !nth_task_too_deep(m);
}

/* Whether a task construct, as far as it has no dependences and no event, is run by the caller at
 * once. */
static inline bool nth_task_at_once(const struct nth_member *m, bool deferred) {
  return !deferred || m->now.task->flags & NTH_TASK_FINAL ||
         (m->now.team_size == 1 ? !nth_task_too_deep(m) : nth_task_enough_ready(m));
}

/* Whether the current task has more unfinished children, a member of the team, than help anybody:
 * then it runs tasks itself before it makes more of them, and memory stays bounded. less: than the
 * limit. */
static inline bool nth_task_far_ahead(struct nth_member *m, uint32_t each, uint32_t less) {
  return nth_unlikely(nth_tally_left(&m->now.task->children) >= each * m->now.team_size - less);
}

/* Whether another member is seen that looks for tasks, or would. Those with a priority pass the
 * deque, whose mark would stay; in a crowded team somebody always sleeps, which says nothing. */
static inline bool nth_task_is_wanted(const struct nth_member *m) {
  return (nth_env.max_task_priority == 0 && nth_deque_wanted(&m->now.slot->queue.deque)) ||
         (m->now.team && !m->now.team->crowded && nth_load_rlx(&m->now.team->bell.sleepers) > 0);
}

/* What a wait is for: a tally of the waiter's, dependences, or else all tasks. Or it is none: the
 * member is about to make more tasks, when it is not ahead any more or another one may go on with
 * these. */
struct nth_awaited {
  struct nth_tally *tally;
  struct nth_deps *deps;
  bool backlog;
};

static inline bool nth_task_is_over(struct nth_member *m, const struct nth_awaited *what) {
  if (nth_unlikely(what->backlog))
    return !nth_task_far_ahead(m, NTH_DEPENDS_AHEAD, NTH_AHEAD_LESS) || nth_task_is_wanted(m);
  if (what->tally)
    return nth_tally_left(what->tally) == 0; /* task:A */
  if (what->deps)
    return nth_deps_done(what->deps); /* deps:A */
  return !nth_tasks_left(m->now.team, m->now.slot);
}

/* The function of m's current task has returned: goes back to the task around. Returns the
 * former. */
struct nth_task *nth_task_after(struct nth_member *m, struct nth_task *outer,
                                const struct nth_icv *icv);

/* Makes t the member's current task, calls its function, goes back. Returns t, or where it
 * moved. */
struct nth_task *nth_task_call(struct nth_member *m, struct nth_task *t);

/* Runs t; then one that its end has made ready, and so on, for as long as the wait lasts (NULL: t
 * only). any: at this point any task may be started. */
void nth_task_run(struct nth_member *m, struct nth_task *t, bool any,
                  const struct nth_awaited *what);

/* Goes on with a suspended task of the member's, in a wait that starts none. False: none can. */
bool nth_task_go_on(struct nth_member *m);

/* Runs t on the stack of the current task, which it descends from. */
void nth_task_run_above(struct nth_member *m, struct nth_task *t);

/* The current task's call has NTH_NESTED_MOST - 1 or more below it, and has returned from one
 * above: runs what that has left. */
void nth_task_run_left(struct nth_member *m);

/* A call or a wait begins that has others' tasks below it; then ends. */
static inline uint32_t nth_task_left_begin(struct nth_member *m) {
  uint32_t before = m->left_before;
  m->left_before = m->left;
  return before;
}
static inline void nth_task_left_end(struct nth_member *m, uint32_t before) {
  m->left_before = before;
}

/* Starts a task that descends from `from`, or any if NULL; false when none is seen. what: the
 * wait */
static inline bool nth_task_run_one(struct nth_member *m, const struct nth_task *from,
                                    enum nth_look look, const struct nth_awaited *what) {
  struct nth_task *t = nth_task_find(m, from, look);
  if (!t)
    return false;
  if (!from)
    nth_team_search_over(m);
  nth_task_run(m, t, !from, what);
  return true;
}

#endif
