/* told_task.c - tasks and the waits for them, as a tool hears of them
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A task that the tool hears of runs nth_told_task_run(). Its arguments are a struct nth_told_args,
 * and the program's arguments behind it.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/arch/section.h"
#include "runtime/base/os.h"
#include "runtime/omp/member/cancelled.h"
#include "runtime/omp/race/race.h"
#include "runtime/omp/taskloop/task_batch.h"
#include "runtime/omp/tasks/depend.h"
#include "runtime/omp/tasks/task_berth.h"
#include "runtime/omp/tasks/taskgroup.h"
#include "runtime/omp/told/told.h"
#include "runtime/omp/types/generation.h"
#include "runtime/omp/types/team_type.h"

enum { FUNCTION = 1, EVENT = 2, DISCARDED = 4 };

/* How a task's arguments are made: nth_task_args.data of a task that the tool hears of. */
struct source {
  void *event; /* first, as in struct nth_told_args */
  const struct nth_task_args *args;
  const struct nth_bounds *bounds; /* a part of a taskloop; NULL: none */
  ompt_dispatch_chunk_t chunk;     /* its iterations */
  bool at_once;                    /* the task runs now */
  bool in_place;                   /* it does so in the maker's own arguments */
  int kind;                        /* ompt_task_flag_t: explicit, perhaps target */
  struct nth_member *m;
  const void *ra;
};

static size_t head_size(const struct nth_task_args *a) {
  return nth_round_up(sizeof(struct nth_told_args), nth_task_align(a->align));
}

/* --- creation --- */

enum { ITEMS = 64 }; /* dependences that the tool is told of in one array on the stack */

static ompt_dependence_type_t kind_of(uint32_t kind, uintptr_t address) {
  switch (kind) {
  case NTH_DEPEND_IN: return ompt_dependence_type_in;
  case NTH_DEPEND_MUTEX: return ompt_dependence_type_mutexinoutset;
  case NTH_DEPEND_INOUTSET: return ompt_dependence_type_inoutset;
  default: return address ? ompt_dependence_type_inout : ompt_dependence_type_inout_all_memory;
  }
}

static void tell_dependences(ompt_data_t *task, void **depend) {
  ompt_dependence_t few[ITEMS], *items = few;
  struct nth_depend_list l;
  struct nth_access access;
  int n = 0;
  if (!nth_load_rlx(&nth_tool.call.dependences))
    return;
  nth_depend_list_begin(&l, depend);
  size_t size = l.count * sizeof *items;
  if (l.count > ITEMS)
    items = nth_member_take(size);
  while (nth_depend_list_next(&l, &access))
    items[n++] =
        (ompt_dependence_t){{.ptr = (void *)access.address}, kind_of(access.kind, access.address)};
  NTH_TELL(dependences, task, items, n);
  if (items != few)
    nth_member_give(items, size);
}

/* The hook of pairs of tasks. The table of the maker keeps the memory of the first one. */
void nth_told_dependence(struct nth_task *before, struct nth_task *after) {
  if (before->fn != nth_told_task_run || after->fn != nth_told_task_run)
    return; /* one stands for a wait, or has no body */
  struct nth_told_args *first = before->data, *second = after->data;
  NTH_TELL(task_dependence, &first->tool.data, &second->tool.data);
}

static int flags_of(const struct nth_member *m, const struct nth_task_args *a, bool at_once) {
  bool final = (a->flags | m->now.task->flags) & NTH_TASK_FINAL;
  return (a->flags & NTH_TASK_UNTIED ? ompt_task_untied : 0) | (final ? ompt_task_final : 0) |
         (at_once ? ompt_task_undeferred : 0) |
         (a->flags & NTH_TASK_MERGEABLE ? ompt_task_mergeable : 0);
}

/* Room for the program's arguments. A thread sanitizer takes memory that the library uses again for
 * the same object, which two threads use without an order. It knows of malloc. */
static void *program_data(struct nth_told_args *t, const struct nth_task_args *a) {
  void *data = 0;
  if (nth_tsan_here() && a->size > 0 &&
      posix_memalign(&data, nth_task_align(a->align), a->size) == 0) {
    t->allocated = true;
    return data;
  }
  return (char *)t + head_size(a);
}

static void data_free(struct nth_told_args *t) {
  if (nth_unlikely(t->allocated))
    free(t->data);
}

/* Makes the arguments, and tells that there is a task. */
static void copy(void *to, void *from) {
  struct nth_told_args *t = to;
  const struct source *s = from;
  const struct nth_task_args *a = s->args;
  struct nth_tool_task *maker = nth_told_task_of(s->m);
  *t = (struct nth_told_args){.event = s->event, .fn = a->fn};
  t->tool.region = maker->region;
  t->tool.flags = s->kind | flags_of(s->m, a, s->at_once);
  t->tool.code = (const char *)(uintptr_t)a->fn + 1; /* as if it returned there */
  t->tool.made = s->ra;
  t->tool.maker = (uintptr_t)maker;
  t->data = s->in_place ? a->data : program_data(t, a);
  if (a->event && a->data)
    *(void **)a->data = s->event;
  if (a->copy)
    a->copy(t->data, a->data);
  else if (a->size && !s->in_place)
    memcpy(t->data, a->data, a->size);
  if (s->bounds) {
    *(struct nth_bounds *)t->data = *s->bounds;
    t->chunk = s->chunk;
  }
  NTH_TELL(task_create, &maker->data, &maker->frame, &t->tool.data, t->tool.flags, a->depend != 0,
           s->ra);
  t->met = maker->data;
  if (a->depend)
    tell_dependences(&t->tool.data, a->depend);
}

/* --- runs --- */

/* The member goes from one task to another. */
static void switch_to(struct nth_tool_member *tm, struct nth_tool_task *from,
                      ompt_task_status_t status, struct nth_tool_task *to) {
  if (status == ompt_task_switch && from && from->yields)
    status = ompt_task_yield;
  else if (status == ompt_task_complete && from->cancelled)
    status = ompt_task_cancel;
  tm->task = to;
  if (status == ompt_task_switch || status == ompt_task_yield)
    nth_stall_move(tm, to->thread_num, to->made);
  NTH_TELL(task_schedule, from ? &from->data : 0, status, to ? &to->data : 0);
}

/* The function of a task with a detach clause is over. */
static void detach(struct nth_tool_member *tm, struct nth_told_args *t) {
  nth_mutex_lock(&t->telling);
  switch_to(tm, &t->tool, t->over & EVENT ? ompt_task_complete : ompt_task_detach, t->tool.below);
  t->over |= FUNCTION;
  nth_mutex_unlock(&t->telling);
}

void nth_told_task_run(void *data) {
  struct nth_told_args *t = data;
  struct nth_member *m = nth_self;
  struct nth_tool_member *tm = nth_told_caller(m);
  struct nth_tool_task *below = tm->task;
  bool detached = m->now.task->flags & NTH_TASK_DETACH;
  struct nth_told_state state = {tm->state, tm->wait};
  t->tool.below = below;
  t->tool.thread_num = m->now.thread_num;
  t->tool.task = m->now.task;
  tm->state = nth_told_work(&t->tool);
  tm->wait = 0;
  t->tool.frame.exit_frame_flags = ompt_frame_runtime | ompt_frame_framepointer;
  switch_to(tm, below, ompt_task_switch, &t->tool);
  NTH_POINT(task_begin);
  if (t->chunk.iterations)
    NTH_TELL(dispatch, nth_told_parallel_data(&t->tool), &t->tool.data,
             ompt_dispatch_taskloop_chunk, (ompt_data_t){.ptr = &t->chunk});
  t->tool.frame.exit_frame.ptr = __builtin_frame_address(0);
  t->fn(t->data);
  t->tool.frame.exit_frame.ptr = 0;
  NTH_POINT(task_end);
  nth_told_work_over(&t->tool);
  data_free(t);
  if (nth_race_on)
    nth_race_task_over(&t->tool.data);
  if (detached)
    detach(tm, t);
  else
    switch_to(tm, &t->tool, ompt_task_complete, t->tool.below);
  nth_told_state_back(m, state);
}

/* Which constructs around a task are cancelled, so that it is discarded. */
static int cancelled_around(const struct nth_task *t) {
  return (nth_cancelled_team(t->team) ? ompt_cancel_parallel : 0) |
         (nth_cancelled_slow(0, t->made_in) ? ompt_cancel_taskgroup : 0);
}

/* The hook of tasks that are discarded: one begins and ends at once. */
void nth_told_discard(struct nth_member *m, struct nth_task *task) {
  if (task->fn != nth_told_task_run)
    return; /* it has no body, or stands for a wait */
  struct nth_told_args *t = task->data;
  struct nth_tool_member *tm = nth_told_caller(m);
  struct nth_tool_task *below = tm->task;
  t->tool.below = below;
  t->tool.thread_num = m->now.thread_num;
  nth_mutex_lock(&t->telling);
  t->over |= DISCARDED;
  nth_mutex_unlock(&t->telling);
  NTH_TELL(cancel, &t->tool.data, cancelled_around(task) | ompt_cancel_discarded_task, 0);
  switch_to(tm, below, ompt_task_switch, &t->tool);
  data_free(t);
  if (nth_race_on)
    nth_race_task_over(&t->tool.data);
  switch_to(tm, &t->tool, ompt_task_cancel, below);
}

static void create(struct nth_member *m, const struct nth_task_args *a,
                   const struct nth_bounds *bounds, ompt_dispatch_chunk_t chunk, int kind,
                   const void *ra, void *frame) {
  struct nth_task_args told = *a;
  told.fn = nth_told_task_run;
  told.deferred = nth_task_put_off(m, &told);
  bool at_once = !told.deferred;
  bool in_place = at_once && !a->copy && !a->event && !bounds;
  struct source s = {.args = a,
                     .bounds = bounds,
                     .chunk = chunk,
                     .at_once = at_once,
                     .in_place = in_place,
                     .kind = kind,
                     .m = m,
                     .ra = ra};
  struct nth_tool_task *maker = nth_told_task_of(m);
  told.flags &= ~(unsigned)NTH_TASK_MERGEABLE;
  told.data = &s;
  told.copy = copy;
  told.trivial = !a->copy;
  told.size = head_size(a) + (in_place ? 0 : a->size);
  told.align = nth_task_align(a->align);
  /* LLVM's Archer makes the sanitizer ignore a thread's writes from one event to another one. The
   * sanitizer takes a stack for a thread, so the task must not have its own. */
  if (nth_tsan_here() && !nth_race_on)
    told.flags &= ~(unsigned)NTH_TASK_UNTIED;
  nth_told_enter(maker, frame);
  nth_task_create(m, &told);
  nth_told_leave(maker);
}

void nth_told_task_create(struct nth_member *m, const struct nth_task_args *a, const void *ra) {
  create(m, a, 0, (ompt_dispatch_chunk_t){0}, ompt_task_explicit, ra, __builtin_frame_address(0));
}

void nth_told_task_target(struct nth_member *m, const struct nth_task_args *a, const void *ra) {
  create(m, a, 0, (ompt_dispatch_chunk_t){0}, ompt_task_explicit | ompt_task_target, ra,
         __builtin_frame_address(0));
}

void nth_told_task_part(struct nth_member *m, const struct nth_task_args *a,
                        const struct nth_bounds *bounds, ompt_dispatch_chunk_t chunk,
                        const void *ra) {
  create(m, a, bounds, chunk, ompt_task_explicit, ra, __builtin_frame_address(0));
}

/* --- untied tasks that are suspended on stacks of their own --- */

/* Before a step: what the member leaves, and, of a task that was suspended, that it goes on. After
 * it: that the task is suspended again; one that is over has told it. */
void nth_told_berth(struct nth_member *m, struct nth_berth *b, bool enters) {
  struct nth_tool_member *tm = nth_told_caller(m);
  struct nth_told_args *first = b->task->data;
  if (enters) {
    b->told_outside = tm->task;
    b->state_outside = tm->state;
    b->wait_outside = tm->wait;
    if (!b->told_inside)
      return;
    first->tool.below = tm->task;
    tm->state = b->state_inside;
    tm->wait = b->wait_inside;
    switch_to(tm, tm->task, ompt_task_switch, b->told_inside);
    return;
  }
  if (!b->over) {
    b->told_inside = tm->task;
    b->state_inside = tm->state;
    b->wait_inside = tm->wait;
  }
  tm->state = b->state_outside;
  tm->wait = b->wait_outside;
  if (!b->over)
    switch_to(tm, tm->task, ompt_task_switch, b->told_outside);
}

bool nth_told_fulfill(struct nth_task *t) {
  struct nth_told_args *told = t->fn == nth_told_task_run ? t->data : 0;
  /* the tool does not hear here of a task of the parent process */
  bool mine = t->event.generation == nth_fork_generation;
  if (told && mine && !nth_load_rlx(&t->event.fulfilled)) {
    nth_told_caller(nth_member_get()); /* any thread may do this */
    if (nth_race_on)
      nth_race_task_over(&told->tool.data);
    nth_mutex_lock(&told->telling);
    if (!(told->over & DISCARDED))
      NTH_TELL(task_schedule, &told->tool.data,
               told->over & FUNCTION ? ompt_task_late_fulfill : ompt_task_early_fulfill, 0);
    told->over |= EVENT;
    nth_mutex_unlock(&told->telling);
  }
  return nth_task_fulfill(t);
}

/* The thread that was telling of t's event is gone. */
NTH_IN_CHILD void nth_told_task_forked(const struct nth_tool_task *t) {
  const struct nth_task *task = t->task;
  if (task && task->flags & NTH_TASK_DETACH && task->fn == nth_told_task_run)
    nth_mutex_init(&((struct nth_told_args *)task->data)->telling);
}

/* --- waits --- */

/* A taskwait with dependences begins: flags beside those of each. */
static void depend_begin(struct nth_tool_task *t, ompt_data_t *wait, int flags, void **depend,
                         const void *ra) {
  flags |= ompt_task_taskwait | ompt_task_mergeable;
  NTH_TELL(task_create, &t->data, &t->frame, wait, flags, 1, ra);
  tell_dependences(wait, depend);
}

/* Nobody waits for it, so it is told to be over when it is made. */
void nth_told_task_create_empty(struct nth_member *m, void **depend, const void *ra) {
  struct nth_tool_task *t = nth_told_task_of(m);
  ompt_data_t none = {0};
  nth_told_enter(t, __builtin_frame_address(0));
  depend_begin(t, &none, 0, depend, ra);
  nth_task_create_empty(m, depend);
  NTH_TELL(task_schedule, &none, ompt_taskwait_complete, 0);
  nth_told_leave(t);
}

/* Nothing is moved, so the task is told to run when it is made. */
void nth_told_target_data_task(struct nth_member *m, void **depend, ompt_target_t kind,
                               const void *ra) {
  struct nth_tool_task *t = nth_told_task_of(m);
  struct nth_told_args args = {.tool = {.region = t->region,
                                        .below = t,
                                        .code = t->code,
                                        .flags = ompt_task_explicit | ompt_task_target,
                                        .thread_num = t->thread_num,
                                        .task = m->now.task}};
  struct nth_tool_task *moves = &args.tool;
  nth_told_enter(t, __builtin_frame_address(0));
  NTH_TELL(task_create, &t->data, &t->frame, &moves->data, moves->flags, 1, ra);
  args.met = t->data;
  tell_dependences(&moves->data, depend);
  nth_task_create_empty(m, depend);
  NTH_TELL(task_schedule, &t->data, ompt_task_switch, &moves->data);
  m->tool->task = moves;
  nth_told_target_data(kind, ra);
  m->tool->task = t;
  NTH_TELL(task_schedule, &moves->data, ompt_task_complete, &t->data);
  nth_told_leave(t);
}

/* Begins a wait for tasks, ends it: `kind` of region. */
static struct nth_told_state wait_begin(struct nth_member *m, ompt_sync_region_t kind,
                                        const void *ra, void *frame) {
  struct nth_tool_task *t = nth_told_task_of(m);
  nth_told_enter(t, frame);
  uint32_t state =
      kind == ompt_sync_region_taskwait ? ompt_state_wait_taskwait : ompt_state_wait_taskgroup;
  if (kind == ompt_sync_region_taskwait)
    NTH_TELL(sync_region, kind, ompt_scope_begin, nth_told_parallel_data(t), &t->data, ra);
  NTH_TELL(sync_region_wait, kind, ompt_scope_begin, nth_told_parallel_data(t), &t->data, ra);
  return nth_told_state(m, state, 0, ra);
}

/* t: the task that waited. Tasks that are suspended in its wait are told to run on. */
static void wait_end(ompt_sync_region_t kind, struct nth_tool_task *t, struct nth_told_state state,
                     const void *ra) {
  nth_self->tool->task = t;
  nth_told_state_back(nth_self, state);
  NTH_TELL(sync_region_wait, kind, ompt_scope_end, nth_told_parallel_data(t), &t->data, ra);
  NTH_TELL(sync_region, kind, ompt_scope_end, nth_told_parallel_data(t), &t->data, ra);
  nth_told_leave(t);
}

void nth_told_task_wait(struct nth_member *m, const void *ra) {
  struct nth_tool_task *t = nth_told_task_of(m);
  struct nth_told_state state =
      wait_begin(m, ompt_sync_region_taskwait, ra, __builtin_frame_address(0));
  nth_task_wait(m);
  wait_end(ompt_sync_region_taskwait, t, state, ra);
}

/* No sync_region is told: LLVM's Archer takes it for a wait for all children. */
void nth_told_task_wait_depend(struct nth_member *m, void **depend, const void *ra) {
  struct nth_tool_task *t = nth_told_task_of(m);
  ompt_data_t wait = {0};
  nth_told_enter(t, __builtin_frame_address(0));
  depend_begin(t, &wait, ompt_task_undeferred, depend, ra);
  struct nth_told_state state = nth_told_state(m, ompt_state_wait_taskwait, 0, ra);
  nth_depend_wait(m, depend);
  nth_self->tool->task = t;
  nth_told_state_back(nth_self, state);
  NTH_TELL(task_schedule, &wait, ompt_taskwait_complete, 0);
  nth_told_leave(t);
}

void nth_told_task_yield(struct nth_member *m) {
  struct nth_tool_task *t = nth_told_task_of(m);
  nth_told_enter(t, __builtin_frame_address(0));
  t->yields = true;
  nth_task_yield(m);
  t->yields = false;
  nth_self->tool->task = t;
  nth_told_leave(t);
}

void nth_told_taskgroup_begin(struct nth_member *m, const void *ra) {
  struct nth_tool_task *t = nth_told_task_of(m);
  NTH_TELL(sync_region, ompt_sync_region_taskgroup, ompt_scope_begin, nth_told_parallel_data(t),
           &t->data, ra);
  nth_taskgroup_begin(m);
}

void nth_told_taskgroup_end(struct nth_member *m, const void *ra) {
  struct nth_tool_task *t = nth_told_task_of(m);
  if (!m->now.task->group)
    return;
  struct nth_told_state state =
      wait_begin(m, ompt_sync_region_taskgroup, ra, __builtin_frame_address(0));
  nth_taskgroup_end(m);
  wait_end(ompt_sync_region_taskgroup, t, state, ra);
}
