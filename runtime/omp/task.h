/* task.h - explicit tasks: create, run, wait
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         OpenMP 5.2, sections 12.5 (task), 15.3 (taskwait, taskgroup): deferred tasks are kept by
 *             the member that made them and run by whoever of the team waits.
 * Use         nth_task_create(), nth_task_wait() for children, nth_taskgroup_begin/end(),
 *             nth_task_run_any() at barriers and joins.
 * Rules       A task starts at a scheduling point only. In taskwait, taskgroup end and taskyield only a
 *             descendant of the current task is started (tied tasks, DESIGN: a waiting processor
 *             works), at barriers anything.
 * Invariants  I1  children = unfinished children; group->count = unfinished tasks of a taskgroup
 *             I2  team->pending = tasks created and not finished; it is raised before the task can be
 *                 seen and lowered after its function returned
 *             I3  a task's memory lives while refs > 0: itself, and each child (for the walk upward)
 * Orders      A   finish: release on children / count / pending -> wait: acquire: the task's writes
 *             R   refs: the last one down frees, after all others' reads
 *             the deque's own fields are under its lock (mutex:A)
 * Tested by   tests/lit/task
 */
#ifndef NTH_OMP_TASK_H
#define NTH_OMP_TASK_H

#include "runtime/omp/icv.h"
#include "runtime/struct/mutex.h"

struct nth_member;
struct nth_team;

struct nth_taskgroup {
  struct nth_taskgroup *outer;
  uintptr_t *reductions;        /* registered arrays, NULL: none; reduction.h */
  bool shared_reductions;       /* the arrays' blocks belong to a construct, not to this group */
  _Atomic(uint32_t) count;      /* unfinished tasks; w: members; r: the group's task; A */
};

/* The first two as in GOMP_task's flags. */
enum { NTH_TASK_UNTIED = 1, NTH_TASK_FINAL = 2, NTH_TASK_IMPLICIT = 4 };

struct nth_task {
  struct nth_task *parent;
  struct nth_taskgroup *group;  /* innermost taskgroup the task itself has open, or was made in */
  struct nth_taskgroup *made_in; /* the taskgroup it counts in, NULL: none */
  _Atomic(uint32_t) children;   /* A */
  _Atomic(uint32_t) refs;       /* I3 */
  uint32_t flags;
  const struct nth_icv *icv;    /* it starts with these */
  struct nth_icv own_icv;       /* its own, once written */
  void (*fn)(void *);
  void *data;
  struct nth_task *older, *newer; /* in its deque; under its lock */
};

/* Tasks of one member, oldest first. */
struct nth_task_deque {
  struct nth_mutex lock;
  _Atomic(uint32_t) length;     /* w: under lock; r: anybody, as a hint */
  struct nth_task *oldest, *newest;
};

/* Creates a task (arguments as GOMP_task: bytes, alignment), deferred or run at once. */
void nth_task_create(void (*fn)(void *), void *data, void (*copy)(void *, void *), size_t size,
                     size_t align, bool deferred, uint32_t flags);

/* taskwait: the current task's children are finished when it returns. */
void nth_task_wait(struct nth_member *m);
/* taskyield: may run one descendant. */
void nth_task_yield(struct nth_member *m);
/* Starts any ready task of the team; false when there is none to be seen. */
bool nth_task_run_any(struct nth_member *m);

/* Whether some deque of the team holds a task. */
bool nth_task_ready(const struct nth_team *team);

void nth_taskgroup_begin(struct nth_member *m);
void nth_taskgroup_end(struct nth_member *m);

#endif
