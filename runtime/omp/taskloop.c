/* taskloop.c - taskloop constructs
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/taskloop.h"

#include "runtime/omp/cancel.h"
#include "runtime/omp/member.h"
#include "runtime/omp/reduction.h"
#include "runtime/omp/taskgroup.h"

/* Tasks, and how many iterations: the first `longer` ones have size + 1, the others size. strict
 * grainsize: the last one ends with the loop. */
struct division {
  uint64_t tasks, size, longer;
};

static struct division divide(const struct nth_taskloop *l, uint32_t members) {
  uint64_t n = l->loop.trips, g = l->grainsize;
  struct division d = {1, n, 0};
  if (g && l->strict) {
    d.tasks = n / g + (n % g != 0);
    d.size = g;
    return d;
  }
  d.tasks = g ? n / g : l->num_tasks ? l->num_tasks : members;
  d.tasks = d.tasks < 1 ? 1 : d.tasks > n ? n : d.tasks;
  d.size = n / d.tasks;
  d.longer = n % d.tasks;
  return d;
}

/* What a task's first two words say: from, to (exclusive), in the loop's own values. */
struct part {
  uint64_t from, to;
};

static void set_part(void *data, const void *part) { *(struct part *)data = *(const struct part *)part; }

static void run_part(struct nth_member *m, const struct nth_task_args *a, const struct part *p) {
  struct nth_task *t = a->deferred ? nth_task_make(m, a) : 0;
  if (t) {
    set_part(t->data, p);
    nth_task_submit(m, t, 0);
  } else if (a->copy || a->deferred) {
    nth_task_run_copy(m, a, set_part, p);
  } else {
    set_part(a->data, p);
    nth_task_run_now(m, a->fn, a->data, a->flags);
  }
}

static void run_parts(struct nth_member *m, const struct nth_taskloop *l) {
  struct division d = divide(l, m->now.team_size);
  struct nth_task_args a = l->task;
  if (m->now.team_size == 1 || m->now.task->flags & NTH_TASK_FINAL)
    a.deferred = false;
  uint64_t at = l->loop.base;
  for (uint64_t i = 0; i < d.tasks && !nth_cancelled(m); i++) {
    uint64_t size = d.size + (i < d.longer);
    struct part p = {at, at + size * l->loop.step};
    at = p.to;
    if (i == d.tasks - 1)
      p.to = l->loop.last;
    run_part(m, &a, &p);
  }
}

void nth_taskloop(struct nth_member *m, const struct nth_taskloop *l) {
  uintptr_t *arrays = l->reduction && !l->nogroup ? ((uintptr_t **)l->task.data)[2] : 0;
  if (l->loop.trips == 0 || nth_cancelled(m)) {
    if (arrays)
      nth_reduction_none(arrays);
    return;
  }
  if (l->nogroup) {
    run_parts(m, l);
    return;
  }
  nth_taskgroup_begin(m);
  if (arrays)
    nth_reduction_register(m->now.task->group, arrays, m->now.team_size);
  run_parts(m, l);
  nth_taskgroup_end(m);
}
