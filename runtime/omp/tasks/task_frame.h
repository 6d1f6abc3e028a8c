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

/* Runs fn(data) as an undeferred task of the current one. flags: as nth_task_run_now(), which also
 * says what is to be done where it does not fit; untied: whether they have NTH_TASK_UNTIED. */
static NTH_HOT void nth_task_run_frame(struct nth_member *m, void (*fn)(void *), void *data,
                                       uint32_t flags, bool untied) {
  struct nth_task frame, *outer = m->now.task;
  const struct nth_icv *icv = m->now.icv;
  nth_assert(nth_task_caller_is(m) && !(flags & NTH_TASK_UNTIED) == !untied);
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
