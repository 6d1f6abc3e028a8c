/* task_run.c - runs tasks: one, and those that its end makes ready
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/task_run.h"

#include "runtime/omp/batch.h"
#include "runtime/omp/cancel.h"
#include "runtime/omp/depend.h"
#include "runtime/omp/forked.h"
#include "runtime/omp/task_finish.h"
#include "runtime/omp/task_memory.h"

/* The task's code has ended. Its children, if some are unfinished, keep its memory. */
static inline void close_children(struct nth_task *t) {
  if (nth_likely(nth_tally_left(&t->children) == 0))
    return;
  nth_add_rlx(&t->refs, 1); /* task.h, I3: the children's */
  nth_store_rlx(&t->runner, NULL);
  if (nth_tally_close(&t->children))
    nth_sub_rlx(&t->refs, 1); /* not the last: t has not finished */
}

struct nth_task *nth_task_call(struct nth_member *m, struct nth_task *t) {
  struct nth_task *outer = m->now.task;
  const struct nth_icv *icv = m->now.icv;
  m->now.task = t;
  m->now.icv = t->icv;
  t->base = nth_deque_base(&m->now.slot->queue.deque);
  nth_store_rlx(&t->runner, m);
  t->fn(t->data);
  t = m->now.task;
  if (nth_unlikely(t->table != 0))
    nth_depend_forget(t);
  close_children(t);
  m->now.task = nth_task_settled(outer);
  m->now.icv = nth_unlikely(m->now.task != outer && icv == &outer->own_icv) ? &m->now.task->own_icv
                                                                            : icv;
  return t;
}

/* Runs a task that was deferred, or discards it when its region is cancelled. any: at this point any task
 * may be started. False: forked in there, the parent process finishes it. */
static inline bool run_link(struct nth_member *m, struct nth_task *t, bool any, struct nth_chain *c) {
  uint32_t generation = nth_fork_generation;
  bool discard = !(t->flags & NTH_TASK_CONSTRUCTED) && nth_cancelled_task(t);
  if (nth_likely(t->fn && !discard))
    nth_task_call(m, t);
  if (nth_unlikely(generation != nth_fork_generation))
    return false;
  c->next = 0;
  if (nth_unlikely(t->depend != 0))
    m->chain = c;
  m->anything = any;
  if (nth_unlikely(t->flags & NTH_TASK_DETACH) && !discard)
    nth_task_part_ends(t, NTH_PART_BODY);
  else
    nth_task_finish(t);
  m->anything = false;
  m->chain = 0;
  return true;
}

void nth_task_run(struct nth_member *m, struct nth_task *t, bool any, const struct nth_awaited *what) {
  struct nth_chain c;
  if (nth_unlikely(t->flags & NTH_TASK_BATCH)) { /* in no chain: it has no dependences */
    nth_task_batch_run(m, t);
    return;
  }
  c.owed = 0;
  for (;;) {
    if (nth_unlikely(!run_link(m, t, any, &c)))
      return;
    t = c.next;
    if (nth_likely(!t) || !(any || (what && !nth_task_is_over(m, what))))
      break;
    nth_deque_heed(&m->now.slot->queue.deque);
  }
  nth_task_pay_owed(m, &c);
  if (nth_unlikely(t != 0)) {
    m->anything = any;
    nth_task_ready(t);
    m->anything = false;
  }
}

bool nth_task_run_any(struct nth_member *m, bool deep) {
  return nth_task_run_one(m, 0, deep ? NTH_LOOK_DEEP : NTH_LOOK_ENDS, 0);
}
