/* task_memory.c - where a task's memory comes from, how long it lives, how a task leaves its frame
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

/* Drops a reference to t. True: it was the last one, and the caller frees t. A sole holder does not
 * change the count. */
static inline bool last_ref(struct nth_task *t) {
  nth_assert(nth_load_rlx(&t->refs) > 0);
  return nth_load_acq(&t->refs) == 1 || nth_sub_acqrel(&t->refs, 1) == 1; /* task:R */
}

/* The parent to which t holds a reference from t's end on, while others refer to t. NULL: it is an
 * implicit task. */
static inline struct nth_task *held_by(const struct nth_task *t) {
  return t->flags & NTH_TASK_OUTERMOST ? 0 : nth_task_parent(t);
}

/* The last reference is dropped after t's end: unless t's own reference is the only one,
 * nth_task_live_on() drops it. */
void nth_task_unref(struct nth_task *t) {
  while (t && last_ref(t)) {
    struct nth_task *parent = held_by(t);
    nth_task_release(nth_member_pool(), t);
    t = parent;
  }
}

/* Takes a reference to the parent even if t's children are all finished: they may live on in turn,
 * and the way up from their children leads through t. */
void nth_task_live_on(struct nth_task *t) {
  struct nth_task *parent = held_by(t);
  nth_assert(!(t->flags & NTH_TASK_IMPLICIT));
  nth_assert(!parent || nth_load_rlx(&parent->refs) > 0);
  if (parent)
    nth_add_rlx(&parent->refs, 1); /* task.h, I3 */
  nth_task_unref(t);
}

void nth_task_leave(struct nth_task *t) {
  nth_assert(!(t->flags & (NTH_TASK_IMPLICIT | NTH_TASK_MOVED | NTH_TASK_DEPENDS)));
  if (nth_load_acq(&t->refs) == 1) /* task:R */
    nth_task_release(nth_member_pool(), t);
  else
    nth_task_live_on(t);
}

/* --- frames --- */

/* Moves the frame, and those around it, to the heap (task.h, I4). A frame has no deferred child
 * yet, so no other thread knows it: a plain copy is enough. Returns the frame's new place. */
static struct nth_task *leave_frames(struct nth_member *m, struct nth_task *frame) {
  if (nth_likely(!(frame->flags & NTH_TASK_FRAME)))
    return frame;
  if (frame->flags & NTH_TASK_MOVED)
    return frame->next;
  if (frame->flags & NTH_TASK_PART) { /* it is on the heap already */
    frame->flags = (frame->flags & ~(uint32_t)NTH_TASK_FRAME) | NTH_TASK_CHANGED;
    return frame;
  }
  struct nth_task *parent = leave_frames(m, nth_task_parent(frame)),
                  *t = nth_task_take_must(sizeof *t);
  uint8_t class = t->class;
  nth_assert(!(parent->flags & NTH_TASK_FRAME) && frame->children.own == 0);
  /* The first field, parent, is left out: a thief that comes too late may still look at what lay
   * here before, and reads only that field. */
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
  nth_assert(nth_task_caller_is(m));
  m->now.task = leave_frames(m, frame);
  nth_assert(!(m->now.task->flags & NTH_TASK_FRAME));
  if (m->now.icv == &frame->own_icv)
    m->now.icv = &m->now.task->own_icv;
}
