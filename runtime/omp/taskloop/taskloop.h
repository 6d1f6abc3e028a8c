/* taskloop.h - taskloop constructs
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         OpenMP 5.2, section 12.6: a loop cut into tasks. Each task gets a copy of the
 *             arguments, whose first two words are its part of the loop.
 * Division    n iterations with grainsize g: n / g tasks of g up to 2 g iterations; strict: of g
 *             each, the last one has the rest. With num_tasks k, or a number of ours (price.h):
 *             min(k, n) tasks, whose sizes differ by one iteration at most.
 * Forms       Deferred tasks are a batch (task_batch.h), unless they have a priority or the member
 *             is alone. Undeferred ones follow each other in one frame, as long as they leave it
 *             unchanged.
 */
#ifndef NTH_OMP_TASKLOOP_H
#define NTH_OMP_TASKLOOP_H

#include "runtime/omp/tasks/task.h"
#include "runtime/omp/worksharing/loop.h"

struct nth_bounds;

struct nth_taskloop {
  struct nth_task_args task;     /* what each task gets; deferred: the if clause is true */
  struct nth_loop_args loop;     /* base, step, last, trips */
  uint64_t grainsize, num_tasks; /* 0: not given */
  bool strict, nogroup;
  bool reduction; /* the third word of the arguments is an array of reductions */
  /* With a tool: makes one task, of the arguments `task`; NULL: no tool. first: the number of its
   * first iteration, from 0 on. ra: its own */
  void (*each)(struct nth_member *m, const struct nth_taskloop *l, const struct nth_task_args *task,
               const struct nth_bounds *bounds, uint64_t first, uint64_t iterations);
  const void *ra;
};

/* Its arrays of reductions, which its taskgroup gets; NULL: none. */
static inline uintptr_t *nth_taskloop_arrays(const struct nth_taskloop *l) {
  return l->reduction && !l->nogroup ? ((uintptr_t **)l->task.data)[2] : 0;
}

void nth_taskloop(struct nth_member *m, const struct nth_taskloop *l);

/* A loop's number of tasks by its price (price.h). tasks 0: it has none, for the program says how
 * many. begin: when it was asked for, ns. */
struct nth_taskloop_price {
  uint64_t tasks, begin;
};
/* Who makes the taskgroup around a loop calls these, before the loop and when its tasks have ended.
 * Otherwise nth_taskloop() does. */
struct nth_taskloop_price nth_taskloop_price(struct nth_member *m, const struct nth_taskloop *l);
void nth_taskloop_paid(const struct nth_taskloop *l, struct nth_taskloop_price p);

#endif
