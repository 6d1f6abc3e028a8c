/* batch_type.h - the struct of a batch; its operations: task_batch.h, task_pack.h
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_OMP_BATCH_TYPE_H
#define NTH_OMP_BATCH_TYPE_H

#include "runtime/omp/taskloop/task_batch.h"

struct nth_task_batch {
  struct nth_task_self self;    /* nth_task_run() calls it */
  uint64_t next, end;           /* task_batch.h, I1 */
  struct nth_division loop;     /* of a pack: the number of parts only */
  struct nth_task_batch *first; /* the one from which it was split off, or itself */
  struct nth_slot *keeper;      /* the slot in whose deque it was put last */
  struct nth_task *task;        /* its own */
  size_t size, align;           /* bytes of the arguments */
  char *copies;             /* the parts' own arguments, in the first batch's memory; NULL: none */
  uint64_t copies_from;     /* the part of the first copy; copies lie `size` apart */
  uint64_t room;            /* of a pack: parts for which there is room; 0: not a pack */
  _Atomic(uint64_t) left;   /* of the first batch only; task_batch.h, I2, P */
  _Alignas(16) char args[]; /* what each part starts with, if there are no copies */
};

/* Makes a task like `from`, with `size` bytes for a batch or arguments at its data. must: waits for
 * memory. */
struct nth_task *nth_task_batch_like(struct nth_member *m, const struct nth_task *from, size_t size,
                                     size_t align, bool must);

/* n more parts are finished (I2). Unless they were the last, nothing may be read afterwards of the
 * batch, or of the task that met the construct. */
void nth_task_batch_report(struct nth_task_batch *first, uint64_t n);

/* Whether the parts are tasks of a loop of task constructs, and have no place; task_pack.h. */
static inline bool nth_batch_is_pack(const struct nth_task_batch *b) { return b->room != 0; }

#endif
