/* told_work.c - work-sharing constructs, scope and taskloop, as a tool hears of them
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * gcc makes no call at the end of a single construct's block, of a scope, and of a loop that a
 * cancelled region leaves; only gcc 17 does, with -fopenmp-ompt. So such an end is told where the
 * construct must be over: of a block at the task's next barrier, of each at its next work-sharing
 * construct, or its end.
 */
#include "runtime/omp/member/cancelled.h"
#include "runtime/omp/race/race.h"
#include "runtime/omp/taskloop/reduction.h"
#include "runtime/omp/taskloop/task_batch.h"
#include "runtime/omp/tasks/task_run.h"
#include "runtime/omp/tasks/taskgroup.h"
#include "runtime/omp/told/told.h"
#include "runtime/omp/worksharing/doacross.h"

void nth_told_work_ahead(struct nth_tool_task *t, const void *ra) {
  t->work = ra;
  t->work_ahead = true;
}

static void tell_begin(struct nth_tool_task *t) {
  t->work_ahead = false;
  NTH_TELL(work, t->work_kind, ompt_scope_begin, nth_told_parallel_data(t), &t->data, t->work_count,
           t->work);
}

void nth_told_work_begin(struct nth_tool_task *t, ompt_work_t kind, uint64_t count,
                         const void *ra) {
  bool ahead = t->work_ahead;
  if (!ahead) {
    nth_told_work_over(t);
    t->work = ra;
  }
  t->work_kind = kind;
  t->work_count = count;
  if (!ahead)
    tell_begin(t);
}

void nth_told_work_over_slow(struct nth_tool_task *t) {
  const void *ra = t->work;
  bool told = !t->work_ahead;
  t->work = 0;
  t->work_ahead = false;
  if (!told)
    return;
  NTH_TELL(work, t->work_kind, ompt_scope_end, nth_told_parallel_data(t), &t->data, t->work_count,
           ra);
}

/* --- loops and sections --- */

void nth_told_from(const void *ra) { nth_told_caller(nth_member_get())->ra = ra; }

static ompt_work_t kind_of(const struct nth_loop_args *a) {
  if (a->sections)
    return ompt_work_sections;
  switch (a->sched) {
  case NTH_SCHED_STATIC: return ompt_work_loop_static;
  case NTH_SCHED_DYNAMIC: return ompt_work_loop_dynamic;
  case NTH_SCHED_GUIDED: return ompt_work_loop_guided;
  default: return ompt_work_loop_other;
  }
}

/* The member asks for its next chunk. In an ordered loop it first waits for the turn of its present
 * one, unless that has passed. */
static void next(struct nth_member *m, struct nth_tool_member *tm) {
  const struct nth_loop *l = &m->now.slot->loop;
  if (tm->task->work_ahead)
    tell_begin(tm->task);
  if (l->ordered)
    nth_told_enter(tm->task, __builtin_frame_address(0)); /* suspended tasks may go on */
  if (l->ordered && !l->doacross && l->begin < l->end && !l->passed && !l->turn) {
    tm->goal = nth_told_before(l);
    (void)nth_told_state(m, ompt_state_wait_ordered, nth_told_turn(l), tm->ra);
  }
}

/* In an ordered loop: the member has a chunk, or none any more, and works. */
static void go_on(struct nth_member *m, struct nth_tool_member *tm) {
  if (!m->now.slot->loop.ordered)
    return;
  nth_told_state_back(m, (struct nth_told_state){nth_told_work(tm->task), 0});
  nth_told_leave(tm->task);
}

/* The member has its next chunk, or section. */
static void chunk(struct nth_member *m, struct nth_tool_member *tm) {
  const struct nth_loop *l = &m->now.slot->loop;
  struct nth_tool_task *t = tm->task;
  ompt_dispatch_chunk_t part = {l->begin, l->end - l->begin};
  bool section = t->work_kind == ompt_work_sections;
  go_on(m, tm);
  NTH_TELL(dispatch, nth_told_parallel_data(t), &t->data,
           section ? ompt_dispatch_section : ompt_dispatch_ws_loop_chunk,
           (ompt_data_t){.ptr = section ? (void *)(uintptr_t)tm->ra : &part});
}

void nth_told_loop(struct nth_member *m, enum nth_loop_event event,
                   const struct nth_loop_args *args) {
  struct nth_tool_member *tm = nth_told_caller(m);
  struct nth_tool_task *t = tm->task;
  switch (event) {
  case NTH_LOOP_BEGIN: nth_told_work_begin(t, kind_of(args), args->bounds.trips, tm->ra); break;
  case NTH_LOOP_NEXT: next(m, tm); break;
  case NTH_LOOP_CHUNK: chunk(m, tm); break;
  case NTH_LOOP_LEAVE:
    go_on(m, tm);
    nth_told_work_over(t);
    break;
  }
}

void nth_told_static_begin(struct nth_member *m, ompt_work_t kind, uint64_t trips, const void *ra) {
  nth_told_work_begin(nth_told_task_of(m), kind, trips, ra);
}

void nth_told_static_chunk(struct nth_member *m, ompt_dispatch_t kind, uint64_t first,
                           uint64_t count) {
  struct nth_tool_task *t = nth_told_task_of(m);
  ompt_dispatch_chunk_t part = {first, count};
  NTH_TELL(dispatch, nth_told_parallel_data(t), &t->data, kind, (ompt_data_t){.ptr = &part});
}

void nth_told_construct_end(struct nth_member *m) { nth_told_work_over(nth_told_task_of(m)); }

/* --- scope and masked --- */

void nth_told_masked(struct nth_member *m, ompt_scope_endpoint_t endpoint, const void *ra) {
  struct nth_tool_task *t = nth_told_task_of(m);
  NTH_TELL(masked, endpoint, nth_told_parallel_data(t), &t->data, ra);
}

void nth_told_scope(struct nth_member *m, uintptr_t *reductions, const void *ra) {
  nth_told_work_begin(nth_told_task_of(m), ompt_work_scope, 1, ra);
  if (reductions)
    nth_reduction_begin_scope(m, reductions);
}

/* --- doacross --- */

enum { DIMENSIONS = 32 }; /* that are told */

/* numbers: the iteration's, one for each loop of the nest. */
static void tell_iteration(struct nth_member *m, ompt_dependence_type_t kind,
                           const uint64_t *numbers, uint32_t n) {
  ompt_dependence_t items[DIMENSIONS];
  for (uint32_t i = 0; i < n; i++)
    items[i] = (ompt_dependence_t){{.value = numbers[i]}, kind};
  NTH_TELL(dependences, &nth_told_task_of(m)->data, items, (int)n);
}

/* Loops of the nest; 0: there is no other member, so nothing is waited for. */
static uint32_t dimensions(const struct nth_member *m) {
  const struct nth_doacross *d = m->now.slot->loop.doacross;
  return !d ? 0 : d->ncounts < DIMENSIONS ? d->ncounts : DIMENSIONS;
}

void nth_told_doacross_post(struct nth_member *m, const uint64_t *iteration) {
  uint32_t n = dimensions(m);
  if (n)
    tell_iteration(m, ompt_dependence_type_source, iteration, n);
  if (n && nth_tsan_here())
    nth_race_post(m->now.slot->loop.doacross, iteration, n);
  nth_doacross_post(m, iteration);
}

static void tell_wait(ompt_scope_endpoint_t endpoint, const void *ra) {
  nth_tool_doacross_wait_t call = nth_load_rlx(&nth_tool.doacross_wait);
  if (call)
    call(endpoint, ra);
}

void nth_told_doacross_wait(struct nth_member *m, uint64_t first, va_list *rest, const void *ra) {
  uint64_t numbers[DIMENSIONS] = {first};
  uint32_t n = dimensions(m);
  va_list copy;
  va_copy(copy, *rest);
  for (uint32_t i = 1; i < n; i++)
    numbers[i] = va_arg(copy, uint64_t);
  va_end(copy);
  if (n)
    tell_iteration(m, ompt_dependence_type_sink, numbers, n);
  nth_told_enter(m->tool->task, __builtin_frame_address(0)); /* suspended tasks may go on */
  tell_wait(ompt_scope_begin, ra);
  m->tool->goal = first < m->now.slot->loop.begin ? first : NTH_TOOL_NO_GOAL;
  struct nth_told_state state = nth_told_state(m, ompt_state_wait_ordered, 0, ra);
  nth_doacross_wait(m, first, rest);
  nth_told_state_back(m, state);
  tell_wait(ompt_scope_end, ra);
  nth_told_leave(m->tool->task);
  if (n && nth_tsan_here())
    nth_race_waited(m->now.slot->loop.doacross, numbers, n);
}

/* --- taskloop --- */

/* Makes one task of a taskloop. */
static void part(struct nth_member *m, const struct nth_taskloop *l, const struct nth_task_args *a,
                 const struct nth_bounds *bounds, uint64_t first, uint64_t iterations) {
  nth_told_task_part(m, a, bounds, (ompt_dispatch_chunk_t){first, iterations}, l->ra);
}

/* The loop is cut as without a tool. Where races are looked for it is not priced: iterations that
 * are one task have none. */
static struct nth_taskloop_price price_of(struct nth_member *m, const struct nth_taskloop *l,
                                          struct nth_taskloop *told) {
  struct nth_taskloop_price price = {0};
  if (nth_tsan_here())
    return price;
  price = nth_taskloop_price(m, l);
  if (price.tasks)
    told->num_tasks = price.tasks;
  if (price.tasks == 1)
    told->task.deferred = nth_task_too_deep(m);
  return price;
}

/* The taskgroup around the tasks is told like any other, so it is made here. */
void nth_told_taskloop(struct nth_member *m, const struct nth_taskloop *l, const void *ra) {
  struct nth_tool_task *t = nth_told_task_of(m);
  struct nth_taskloop told = *l;
  uintptr_t *arrays = nth_taskloop_arrays(l);
  bool runs = l->loop.bounds.trips > 0 && !nth_cancelled(m);
  told.each = part;
  told.ra = ra;
  told.nogroup = true;
  struct nth_taskloop_price price = {0};
  if (runs)
    price = price_of(m, l, &told);
  if (!l->nogroup)
    nth_told_taskgroup_begin(m, ra);
  if (arrays && runs)
    nth_reduction_register(m->now.task->group, arrays, m->now.team_size);
  else if (arrays)
    nth_reduction_none(arrays);
  NTH_TELL(work, ompt_work_taskloop, ompt_scope_begin, nth_told_parallel_data(t), &t->data,
           l->loop.bounds.trips, ra);
  if (runs)
    nth_taskloop(m, &told);
  NTH_TELL(work, ompt_work_taskloop, ompt_scope_end, nth_told_parallel_data(t), &t->data,
           l->loop.bounds.trips, ra);
  if (!l->nogroup)
    nth_told_taskgroup_end(m, ra);
  nth_taskloop_paid(l, price);
}
