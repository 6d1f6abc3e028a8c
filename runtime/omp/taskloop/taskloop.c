/* taskloop.c - taskloop constructs
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/taskloop/taskloop.h"

#include "runtime/base/check.h"
#include "runtime/base/clock.h"
#include "runtime/base/count.h"
#include "runtime/omp/member/cancelled.h"
#include "runtime/omp/member/member.h"
#include "runtime/omp/taskloop/price.h"
#include "runtime/omp/taskloop/reduction.h"
#include "runtime/omp/taskloop/task_batch.h"
#include "runtime/omp/tasks/task_berth.h"
#include "runtime/omp/tasks/task_run.h"
#include "runtime/omp/tasks/taskgroup.h"

/* Whether each part is a task of its own, on a stack of its own: what runs a batch cannot leave its
 * stack. Without a library that suspends tasks, few parts wait, and batches are faster. */
static inline bool on_berths(struct nth_member *m, const struct nth_task_args *a) {
  return nth_unlikely(nth_habit_is_always()) && a->deferred &&
         nth_task_wants_berth(m, a->flags, a->fn);
}

/* Whether the number of tasks is ours, and the time of the loop will be known. Copies by the
 * program's own function may cost anything, so there are as few as may be. */
static bool is_priced(struct nth_member *m, const struct nth_taskloop *l) {
  return l->grainsize == 0 && l->num_tasks == 0 && !l->nogroup && !l->task.copy &&
         l->task.deferred && m->now.team_size > 1 && nth_env.price && !on_berths(m, &l->task);
}

struct nth_taskloop_price nth_taskloop_price(struct nth_member *m, const struct nth_taskloop *l) {
  struct nth_taskloop_price p = {0};
  if (!is_priced(m, l))
    return p;
  p.begin = nth_clock_ns();
  p.tasks = nth_price_parts(l->task.fn, l->loop.bounds.trips, m->now.team_size, p.begin);
  if (p.tasks == 1 && l->loop.bounds.trips > 1)
    nth_count(NTH_COUNT_ALONE);
  return p;
}

void nth_taskloop_paid(const struct nth_taskloop *l, struct nth_taskloop_price p) {
  if (p.tasks)
    nth_price_learn(l->task.fn, l->loop.bounds.trips, p.tasks, nth_clock_ns() - p.begin);
}

/* priced: the number of tasks for it; 0: it is not priced. */
static struct nth_division divide(const struct nth_taskloop *l, uint32_t members, uint64_t priced) {
  uint64_t n = l->loop.bounds.trips, g = l->grainsize;
  struct nth_division d = {l->loop.bounds.base, l->loop.bounds.step, l->loop.bounds.last, 1, n, 0};
  if (g && l->strict) {
    d.parts = n / g + (n % g != 0);
    d.size = g;
    nth_assert(n - (d.parts - 1) * g <= g); /* the last part */
    return d;
  }
  d.parts = priced ? priced : g ? n / g : l->num_tasks ? l->num_tasks : members;
  d.parts = d.parts < 1 ? 1 : d.parts > n ? n : d.parts;
  d.size = n / d.parts;
  d.longer = n % d.parts;
  nth_assert(d.size > 0 && d.parts * d.size + d.longer == n);
  return d;
}

/* --- batches, or one task after the other --- */

static void set_place(void *data, const void *place) {
  *(struct nth_bounds *)data = *(const struct nth_bounds *)place;
}

/* Makes part i a task: with a tool by its hook, and queued if there is room; else it runs here. */
static void make_one(struct nth_member *m, const struct nth_taskloop *l,
                     const struct nth_task_args *a, const struct nth_division *d, uint64_t i) {
  struct nth_bounds p = nth_division_bounds(d, i);
  if (nth_unlikely(l->each != 0)) {
    uint64_t first = i * d->size + (i < d->longer ? i : d->longer);
    uint64_t size = d->size + (i < d->longer), left = l->loop.bounds.trips - first;
    l->each(m, l, a, &p, first, left < size ? left : size);
    return;
  }
  struct nth_task *t = nth_task_put_off(m, a) ? nth_task_make(m, a) : 0;
  if (t) {
    set_place(t->data, &p);
    nth_task_submit(m, t, 0);
  } else {
    nth_task_run_copy(m, a, set_place, &p);
  }
}

/* The maker is at a safe point after each task, for it may have run it. */
static void run_each(struct nth_member *m, const struct nth_taskloop *l,
                     const struct nth_task_args *a, const struct nth_division *d) {
  bool batches =
      a->deferred && a->priority == 0 && m->now.team_size > 1 && !l->each && !on_berths(m, a);
  for (uint64_t i = 0, made; i < d->parts && !nth_cancelled(m); i += made) {
    made = batches ? nth_task_batch_create(m, a, d, i, l->nogroup) : 0;
    if (made) {
      if (made < d->parts && nth_task_enough_ready(m, a->fn))
        nth_task_yield(m);
      continue;
    }
    make_one(m, l, a, d, i);
    if (a->deferred)
      nth_task_pass(m);
    made = 1;
  }
}

/* --- undeferred, in the construct's own arguments --- */

struct here {
  struct nth_member *m;
  const struct nth_task_args *args;
  const struct nth_division *loop;
  uint64_t next;
};

/* The function of one task that runs several parts, as long as they leave no trace in it. */
static void run_some(void *state) {
  struct here *h = state;
  struct nth_member *m = h->m;
  const struct nth_task *task = m->now.task;
  nth_assert(nth_task_caller_is(m) && h->next < h->loop->parts);
  do {
    *(struct nth_bounds *)h->args->data = nth_division_bounds(h->loop, h->next++);
    h->args->fn(h->args->data);
  } while (h->next < h->loop->parts && !(task->flags & NTH_TASK_CHANGED) && !nth_cancelled(m));
}

static void run_here(struct nth_member *m, const struct nth_task_args *a,
                     const struct nth_division *d) {
  struct here h = {m, a, d, 0};
  while (h.next < d->parts && !nth_cancelled(m))
    nth_task_run_now(m, run_some, &h, a->flags);
}

static void run_parts(struct nth_member *m, const struct nth_taskloop *l, uint64_t priced) {
  struct nth_division d = divide(l, m->now.team_size, priced);
  struct nth_task_args a = l->task;
  bool alone = (m->now.team_size == 1 || priced == 1) && !on_berths(m, &a);
  if ((alone && !nth_task_too_deep(m)) || m->now.task->flags & NTH_TASK_FINAL)
    a.deferred = false;
  if (!a.deferred && !a.copy && !l->each)
    run_here(m, &a, &d);
  else
    run_each(m, l, &a, &d);
}

void nth_taskloop(struct nth_member *m, const struct nth_taskloop *l) {
  nth_assert(nth_task_caller_is(m) && !l->task.depend && !l->task.event);
  nth_assert(l->task.size >= sizeof(struct nth_bounds));
  uintptr_t *arrays = nth_taskloop_arrays(l);
  if (l->loop.bounds.trips == 0 || nth_cancelled(m)) {
    if (arrays)
      nth_reduction_none(arrays);
    return;
  }
  if (l->nogroup) {
    run_parts(m, l, 0);
    return;
  }
  struct nth_taskloop_price price = nth_taskloop_price(m, l);
  nth_taskgroup_begin(m);
  if (arrays)
    nth_reduction_register(m->now.task->group, arrays, m->now.team_size);
  run_parts(m, l, price.tasks);
  nth_taskgroup_end(m);
  nth_taskloop_paid(l, price);
}
