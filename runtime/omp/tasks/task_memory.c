/* task_memory.c - a task's memory: from where, for how long, and when it leaves a frame
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/tasks/task_memory.h"

#include <string.h>

#include "runtime/mem/heap.h"

struct nth_task *nth_task_take_must(size_t size) {
  struct nth_task *t = nth_task_take(nth_member_known(), size);
  if (nth_unlikely(!t)) {
    t = nth_heap_need(size);
    nth_task_is_of(t, NTH_POOL_BIG);
  }
  return t;
}

/* --- references --- */

/* Whether the only holder of t asks, or else is none any more. */
static inline bool last_ref(struct nth_task *t) {
  return nth_load_acq(&t->refs) == 1 || nth_sub_acqrel(&t->refs, 1) == 1; /* task:R */
}

/* The parent that t holds from its end on while others refer to it. NULL: an implicit task. */
static inline struct nth_task *held_by(const struct nth_task *t) {
  return t->flags & NTH_TASK_OUTERMOST ? 0 : nth_task_parent(t);
}

/* Whoever drops the last reference comes after t's end: t's own goes by nth_task_live_on() only, if
 * it is not the only one. */
void nth_task_unref(struct nth_task *t) {
  while (t && last_ref(t)) {
    struct nth_task *parent = held_by(t);
    nth_task_release(t);
    t = parent;
  }
}

/* Also one whose children are all finished, for they may live on in turn: the way up from their
 * children leads through t. */
void nth_task_live_on(struct nth_task *t) {
  struct nth_task *parent = held_by(t);
  if (parent)
    nth_add_rlx(&parent->refs, 1); /* task.h, I3 */
  nth_task_unref(t);
}

void nth_task_leave(struct nth_task *t) {
  if (nth_load_acq(&t->refs) == 1) /* task:R */
    nth_task_release(t);
  else
    nth_task_live_on(t);
}

/* --- frames --- */

/* From now on the frame and those around it live on the heap (task.h, I4). Frames have no deferred
 * child yet, so nobody else knows them and this is a plain copy. */
static struct nth_task *leave_frames(struct nth_member *m, struct nth_task *frame) {
  if (nth_likely(!(frame->flags & NTH_TASK_FRAME)))
    return frame;
  if (frame->flags & NTH_TASK_MOVED)
    return frame->next;
  if (frame->flags & NTH_TASK_PART) { /* there already */
    frame->flags = (frame->flags & ~(uint32_t)NTH_TASK_FRAME) | NTH_TASK_CHANGED;
    return frame;
  }
  struct nth_task *parent = leave_frames(m, nth_task_parent(frame)),
                  *t = nth_task_take_must(sizeof *t);
  uint8_t class = t->class;
  /* Thieves may still look at what was here before, too late: at the parent only, the first
   * field. */
  memcpy((char *)t + sizeof t->parent, (char *)frame + sizeof t->parent,
         sizeof *t - sizeof t->parent);
  t->class = class;
  t->flags &= ~(uint32_t)NTH_TASK_FRAME;
  nth_task_set_parent(t, parent);
  nth_store_rlx(&t->runner, m);
  nth_store_rlx(&t->refs, 1);
  t->priority = 0;
  t->team = m->now.team;
  t->flags |= NTH_TASK_CAME;
  t->origin = frame;
  if (frame->icv == &frame->own_icv)
    t->icv = &t->own_icv;
  frame->flags |= NTH_TASK_MOVED | NTH_TASK_CHANGED;
  frame->next = t;
  return t;
}

void nth_task_leave_frame_slow(struct nth_member *m) {
  struct nth_task *frame = m->now.task;
  m->now.task = leave_frames(m, frame);
  if (m->now.icv == &frame->own_icv)
    m->now.icv = &m->now.task->own_icv;
}
