/* task_part.c - a part of a batch as a task of its own, which may be suspended
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What runs a batch has the batch's place in the deque on its stack, so that stack cannot be left
 * for other tasks. Where a part may have to leave it (task_berth.h, Constraint), the part is made a
 * task. Beside the batch it counts as one more child of the construct's task. It reports itself to
 * the batch at its end: until then its arguments, if the program has copied them, stay in the
 * batch's memory.
 */
#include <string.h>

#include "runtime/base/check.h"
#include "runtime/omp/member/cancelled.h"
#include "runtime/omp/member/member.h"
#include "runtime/omp/queue/task_queue.h"
#include "runtime/omp/taskloop/batch_type.h"
#include "runtime/omp/tasks/task_finish.h"
#include "runtime/omp/types/generation.h"

struct part {
  void (*fn)(void *);
  void *args; /* its own, or in the first batch */
  struct nth_task_batch *first;
  bool discards; /* it does not begin once its region is cancelled */
};

static void run_part(void *data) {
  struct part *p = data;
  uint32_t generation = nth_fork_generation;
  if (!p->discards || !nth_cancelled_task(nth_member_known()->now.task))
    p->fn(p->args);
  if (generation == nth_fork_generation)
    nth_task_batch_report(p->first, 1);
}

/* Its place in the loop, unless it is a pack's, and its arguments. */
static void *args_of(const struct nth_task_batch *b, uint64_t i, void *own) {
  char *args = own;
  if (b->copies)
    args = b->copies + (i - b->copies_from) * b->size;
  else
    memcpy(args, b->args, b->size);
  if (!nth_batch_is_pack(b))
    *(struct nth_bounds *)args = nth_division_bounds(&b->loop, i);
  return args;
}

struct nth_task *nth_task_batch_part(struct nth_member *m, struct nth_task *t) {
  struct nth_task_batch *b = t->data;
  size_t head = nth_round_up(sizeof(struct part), b->align);
  nth_assert(nth_task_caller_is(m) && nth_task_batch_valid(t));
  struct nth_task *one =
      nth_task_batch_like(m, t, head + (b->copies ? 0 : b->size), b->align, true);
  struct part *p = one->data;
  *p =
      (struct part){.fn = t->fn, .first = b->first, .discards = !(t->flags & NTH_TASK_CONSTRUCTED)};
  p->args = args_of(b, b->next, (char *)p + head);
  one->fn = run_part;
  one->flags = (t->flags & ~(uint32_t)NTH_TASK_BATCH) | NTH_TASK_CONSTRUCTED; /* it must report */
  nth_task_count_more(m, one);
  b->next++;
  if (b->next != b->end)
    nth_task_put_back(m, t);
  else if (b != b->first)
    nth_pool_give(&m->pool, t, t->class);
  return one;
}
