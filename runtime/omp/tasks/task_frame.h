/* task_frame.h - an undeferred task, in the stack frame of the call that runs it
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         In teams of one, and where a member has tasks enough, a task of the program is little
 *             more than a call. Its struct lies in the caller's frame, and what others would look
 *             at is set only when the task leaves the frame (task_memory.h).
 * Use         nth_task_run_frame() within GOMP_task itself, for a tied task that fits; all others
 *             call nth_task_run_now() (task.h)
 * Invariants  task.h, I4
 * Cost        some 60 instructions, 118 with GOMP_task and the program's own; no locked one
 * Tested by   tests/lit/tasks, of these undeferred_deep.c
 */
#ifndef NTH_OMP_TASK_FRAME_H
#define NTH_OMP_TASK_FRAME_H

#include "runtime/omp/tasks/task_berth.h"
#include "runtime/omp/tasks/task_memory.h"
#include "runtime/omp/tasks/task_run.h"

/* Begins an undeferred child in a frame. The fields that others look at are set when it leaves the
 * frame. */
static inline void nth_task_init_frame(struct nth_task *t, struct nth_member *m, uint32_t flags) {
  nth_task_is_of(t, NTH_POOL_BIG);
  t->nested = m->now.task->nested + 1;
  t->base = nth_deque_base(&m->now.slot->queue.deque);
  nth_task_inherit(t, m, flags | NTH_TASK_FRAME);
}

/* What a task that begins above the current one gets from it. A loose one can leave the stack, and
 * an untied one with it; where it is foreign, a tied one, too. */
static inline uint32_t nth_task_flags_above(const struct nth_member *m, bool untied) {
  if (nth_berth_is_foreign(m))
    return NTH_TASK_LOOSE | NTH_TASK_UNTIED | (untied ? 0 : NTH_TASK_BOUND);
  return untied ? m->now.task->flags & NTH_TASK_LOOSE : 0;
}

/* Whether an undeferred task is no deeper on the stack than tasks may lie. */
static inline bool nth_task_frame_fits(const struct nth_member *m) {
  return m->now.task->nested < NTH_NESTED_MOST - 1;
}

/* nth_task_run_now() for a task that fits. */
static NTH_HOT void nth_task_run_frame(struct nth_member *m, void (*fn)(void *), void *data,
                                       uint32_t flags) {
  struct nth_task frame, *outer = m->now.task;
  bool untied = flags & NTH_TASK_UNTIED;
  const struct nth_icv *icv = m->now.icv;
  nth_assert(nth_task_caller_is(m));
  nth_task_init_frame(&frame, m, flags);
  uint32_t more = nth_task_flags_above(m, untied);
  if (untied || more) { /* a wait inside uses these */
    frame.flags |= more;
    frame.fn = fn;
  }
  m->now.task = &frame;
  m->now.icv = frame.icv;
  fn(data);
  if (nth_likely(m->now.task == &frame)) { /* neither it nor a frame around it has moved */
    m->now.task = outer;
    m->now.icv = icv;
  } else {
    nth_assert(frame.flags & NTH_TASK_MOVED);
    nth_task_leave(nth_task_after(m, outer, icv));
  }
}

#endif
