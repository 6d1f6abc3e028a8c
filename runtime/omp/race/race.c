/* race.c - the thread sanitizer hears of regions, barriers and tasks
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/race/race.h"

#include <stdlib.h>

#include "runtime/arch/section.h"

bool nth_race_on;

static inline struct nth_race_task *task_of(const ompt_data_t *data) {
  return data ? data->ptr : 0;
}

/* --- records --- */

/* By whoever is the last to need it: the sanitizer need not see why nobody else does. */
void nth_race_free(void *record) {
  nth_tsan_blind();
  free(record);
  nth_tsan_sees();
}

/* NULL, where there is no memory: then something is not told, and may be reported as a race. */
static struct nth_race_task *task_make(struct nth_race_task *parent,
                                       struct nth_race_region *region) {
  struct nth_race_task *t = calloc(1, sizeof *t);
  if (!t)
    return 0;
  t->region = region;
  nth_store_rlx(&t->refs, 1);
  if (parent) {
    nth_add_rlx(&parent->refs, 1); /* R: the caller has a reference */
    t->parent = parent;
    t->group = t->made_in = parent->group;
    t->phase = parent->phase;
  }
  return t;
}

static void task_drop(struct nth_race_task *t) {
  while (t && nth_sub_acqrel(&t->refs, 1) == 1) { /* R */
    struct nth_race_task *parent = t->parent;
    nth_race_depend_free(t);
    nth_race_free(t);
    t = parent;
  }
}

/* --- regions --- */

static void on_parallel_begin(ompt_data_t *from, const ompt_frame_t *frame, ompt_data_t *parallel,
                              unsigned size, int flags, const void *ra) {
  struct nth_race_region *r = parallel->ptr = calloc(1, sizeof *r);
  (void)from, (void)frame, (void)size, (void)flags, (void)ra;
  if (r)
    nth_race_release(&r->fork);
}

static void on_parallel_end(ompt_data_t *parallel, ompt_data_t *from, int flags, const void *ra) {
  struct nth_race_region *r = parallel->ptr;
  (void)from, (void)flags, (void)ra;
  if (r)
    nth_race_acquire(&r->end);
  nth_race_free(r);
}

static void on_implicit_task(ompt_scope_endpoint_t end, ompt_data_t *parallel, ompt_data_t *task,
                             unsigned size, unsigned index, int flags) {
  bool initial = flags & ompt_task_initial;
  (void)size, (void)index;
  if (end == ompt_scope_begin) {
    if (initial)
      parallel->ptr = calloc(1, sizeof(struct nth_race_region));
    task->ptr = parallel->ptr ? task_make(0, parallel->ptr) : 0;
    if (parallel->ptr && !initial)
      nth_race_acquire(&((struct nth_race_region *)parallel->ptr)->fork);
    return;
  }
  struct nth_race_task *t = task->ptr;
  task->ptr = 0;
  if (t && initial) {
    nth_race_acquire(&t->region->end); /* of a target region or a league's team: its tasks */
    nth_race_free(t->region);
  }
  task_drop(t);
}

/* --- waits --- */

static void group_begin(struct nth_race_task *t) {
  struct nth_race_group *g = calloc(1, sizeof *g);
  if (!g)
    return;
  g->outer = t->group;
  t->group = g;
}

static void group_end(struct nth_race_task *t) {
  struct nth_race_group *g = t->group;
  if (!g || g == t->made_in) /* there was no memory */
    return;
  nth_race_acquire(&g->over);
  t->group = g->outer;
  nth_race_free(g);
}

static void at_barrier(struct nth_race_task *t, ompt_sync_region_t kind, bool begins) {
  bool last = kind == ompt_sync_region_barrier_implicit_parallel;
  char *token = last ? &t->region->end : &t->region->barrier[t->phase & 1];
  if (begins) {
    nth_race_release(token);
    return;
  }
  nth_race_acquire(token);
  t->phase++;
}

static void on_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t end,
                           ompt_data_t *parallel, ompt_data_t *task, const void *ra) {
  struct nth_race_task *t = task_of(task);
  bool begins = end == ompt_scope_begin;
  (void)parallel, (void)ra;
  if (!t)
    return;
  switch (kind) {
  case ompt_sync_region_taskwait:
    if (!begins)
      nth_race_acquire(&t->children);
    break;
  case ompt_sync_region_taskgroup: begins ? group_begin(t) : group_end(t); break;
  case ompt_sync_region_reduction: break;
  default: at_barrier(t, kind, begins); break;
  }
}

/* --- tasks --- */

static void on_task_create(ompt_data_t *from, const ompt_frame_t *frame, ompt_data_t *task,
                           int flags, int depends, const void *ra) {
  struct nth_race_task *maker = task_of(from);
  (void)frame, (void)depends, (void)ra;
  if (!maker || flags & (ompt_task_initial | ompt_task_implicit))
    return;
  struct nth_race_task *t = task->ptr = task_make(maker, maker->region);
  if (!t)
    return;
  t->started = flags & ompt_task_taskwait && flags & (int)ompt_task_undeferred;
  nth_race_release(&t->begun);
}

static void start(struct nth_race_task *t) {
  t->started = true;
  nth_race_acquire(&t->begun);
  nth_race_depend_start(t);
}

static void task_over(struct nth_race_task *t) {
  nth_race_depend_over(t);
  nth_race_release(&t->parent->children);
  if (t->made_in)
    nth_race_release(&t->made_in->over);
  nth_race_release(&t->region->barrier[t->phase & 1]);
  nth_race_release(&t->region->end);
}

void nth_race_task_over(const ompt_data_t *task) {
  if (task_of(task))
    task_over(task_of(task));
}

/* The end of a taskwait with dependences, which t stands for; with nowait nobody has waited. */
static void taskwait_complete(struct nth_race_task *t) {
  if (t->started)
    nth_race_depend_start(t);
  else
    nth_race_depend_empty(t);
  task_drop(t);
}

static void on_task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next) {
  struct nth_race_task *t;
  switch (status) {
  case ompt_task_complete:
  case ompt_task_cancel:
  case ompt_task_late_fulfill:
    t = task_of(prior);
    if (!t || !t->parent)
      return;
    prior->ptr = 0;
    task_drop(t);
    return;
  case ompt_taskwait_complete:
    if (task_of(prior))
      taskwait_complete(task_of(prior));
    return;
  case ompt_task_switch:
  case ompt_task_yield:
    t = task_of(next);
    if (t && t->parent && !t->started)
      start(t);
    return;
  default: return;
  }
}

/* --- what no event tells in time --- */

void nth_race_cancels(const ompt_data_t *task) {
  if (task_of(task))
    nth_race_release(&task_of(task)->region->cancel);
}

void nth_race_cancelled(const ompt_data_t *task) {
  if (task_of(task))
    nth_race_acquire(&task_of(task)->region->cancel);
}

enum { POINTS = 1 << 16 };
static char points[POINTS] NTH_SPARSE; /* tokens; nobody reads or writes them */

static char *point_of(const void *loop, const uint64_t *numbers, uint32_t n) {
  uint64_t hash = (uintptr_t)loop;
  for (uint32_t i = 0; i < n; i++) {
    hash = (hash ^ numbers[i]) * UINT64_C(0x9e3779b97f4a7c15);
    hash ^= hash >> 29;
  }
  return &points[hash % POINTS];
}

void nth_race_post(const void *loop, const uint64_t *numbers, uint32_t n) {
  nth_race_release(point_of(loop, numbers, n));
}

void nth_race_waited(const void *loop, const uint64_t *numbers, uint32_t n) {
  nth_race_acquire(point_of(loop, numbers, n));
}

/* --- start --- */

void nth_race_begin(void) {
  if (!nth_tsan_here())
    return;
  nth_store_rlx(&nth_tool.call.parallel_begin, on_parallel_begin);
  nth_store_rlx(&nth_tool.call.parallel_end, on_parallel_end);
  nth_store_rlx(&nth_tool.call.implicit_task, on_implicit_task);
  nth_store_rlx(&nth_tool.call.sync_region, on_sync_region);
  nth_store_rlx(&nth_tool.call.task_create, on_task_create);
  nth_store_rlx(&nth_tool.call.task_schedule, on_task_schedule);
  nth_store_rlx(&nth_tool.call.dependences, nth_race_depends);
  nth_race_lock_begin();
  nth_race_on = true;
  nth_tool.on = true;
}
