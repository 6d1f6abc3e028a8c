/* told.c - the tool's start and end, and what it hears of threads
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/told/told.h"

#include <stdlib.h>

#include "runtime/arch/section.h"
#include "runtime/base/clock.h"
#include "runtime/base/futex.h"
#include "runtime/base/sleep.h"
#include "runtime/mem/heap.h"
#include "runtime/omp/race/race.h"
#include "runtime/omp/tasks/depend.h"
#include "runtime/omp/tasks/task_berth.h"
#include "runtime/omp/tasks/task_run.h"
#include "runtime/omp/team/crew.h"
#include "runtime/omp/told/told_entry.h"
#include "runtime/place/places/allowed.h"
#include "runtime/sched/threads/holder.h"
#include "runtime/sched/threads/worker_list.h"

static bool loaded; /* the library is loaded, so a debugger may be there */

void nth_told_thread_point(struct nth_tool_member *tm) {
  if (tm->passed || !loaded)
    return;
  tm->passed = true;
  NTH_POINT(thread_begin);
}

struct nth_tool_member *nth_told_member_begin(struct nth_member *m) {
  struct nth_tool_member *tm = nth_heap_need(sizeof *tm);
  m->tool = tm;
  tm->initial.task.task = &m->solo.implicit;
  tm->state = m->is_root ? ompt_state_work_serial : ompt_state_idle;
  NTH_TELL(thread_begin, m->is_root ? ompt_thread_initial : ompt_thread_worker, &tm->data);
  nth_told_thread_point(tm);
  if (m->is_root)
    nth_told_initial(tm);
  return tm;
}

static void initial_begin(struct nth_tool_member *tm, struct nth_tool_initial *i) {
  tm->task = &i->task;
  tm->state = ompt_state_work_serial;
  tm->wait = 0;
  if (i->task.region) /* it has begun */
    return;
  nth_store_rlx(&i->whole.size, 1);
  i->task.region = &i->whole;
  i->task.flags = ompt_task_initial;
  NTH_TELL(implicit_task, ompt_scope_begin, &i->whole.data, &i->task.data, 1, 1, ompt_task_initial);
}

static void initial_end(struct nth_tool_initial *i) {
  nth_told_work_over(&i->task);
  if (i->task.region)
    NTH_TELL(implicit_task, ompt_scope_end, 0, &i->task.data, 0, 1, ompt_task_initial);
}

void nth_told_initial(struct nth_tool_member *tm) { initial_begin(tm, &tm->initial); }

/* --- nano-threads that wait in constructs: the processor goes on in another initial task --- */

void nth_told_aside_put(struct nth_member *m, struct nth_told_aside *a) {
  struct nth_tool_member *tm = m->tool;
  *a = (struct nth_told_aside){0};
  if (!tm || !tm->task)
    return;
  a->task = tm->task;
  a->state = (struct nth_told_state){tm->state, tm->wait};
  struct nth_tool_initial *i = tm->initial.spare ? &tm->initial : tm->more;
  while (i && !i->spare)
    i = i->next;
  if (!i) {
    i = nth_heap_need(sizeof *i);
    i->next = tm->more;
    tm->more = i;
  }
  bool begun = i->task.region != 0;
  i->spare = false;
  initial_begin(tm, i);
  if (begun)
    NTH_TELL(task_schedule, &a->task->data, ompt_task_switch, &i->task.data);
}

void nth_told_aside_back(struct nth_member *m, const struct nth_told_aside *a) {
  struct nth_tool_member *tm = m->tool;
  if (!a->task)
    return;
  struct nth_tool_initial *now = (struct nth_tool_initial *)tm->task;
  now->spare = true;
  tm->task = a->task;
  tm->state = a->state.state;
  tm->wait = a->state.wait;
  NTH_TELL(task_schedule, &now->task.data, ompt_task_switch, &a->task->data);
}

/* --- ends --- */

/* Tells the tool that the member's thread ends, unless it has been told. By the member. */
static void tell_end(struct nth_member *m) {
  struct nth_tool_member *tm = m->tool;
  if (tm->ended)
    return;
  tm->ended = true;
  initial_end(&tm->initial);
  for (struct nth_tool_initial *i = tm->more; i; i = i->next)
    initial_end(i);
  NTH_TELL(thread_end, &tm->data);
}

void nth_told_member_end(struct nth_member *m) {
  struct nth_tool_member *tm = m->tool;
  if (!tm)
    return;
  if (nth_tool_on()) {
    tell_end(m);
    NTH_POINT(thread_end);
  }
  nth_stall_member_end(tm);
  m->tool = 0;
  while (tm->more) {
    struct nth_tool_initial *i = tm->more;
    tm->more = i->next;
    nth_heap_free(i);
  }
  nth_told_regions_free(tm);
  nth_heap_free(tm);
}

/* The calling member, if it is a root outside all regions; else NULL. */
static struct nth_member *outside(void) {
  struct nth_member *m = nth_member_known();
  return m && m->is_root && !m->now.team && !m->role ? m : 0;
}

/* The thread that calls ompt_finalize_tool(), perhaps in a callback: it opens no region. The call
 * that told the event goes on with the member's record. */
static bool last_words(void) {
  struct nth_member *m = outside();
  if (m && m->tool)
    tell_end(m);
  return m && m->tool;
}
static void tool_ends(void) { (void)last_words(); }

/* Workers that tell their ends now. w: they; r: who ends the process; L */
static _Atomic(uint32_t) telling;

/* Asked for by a docked worker's answer to the summons. */
static void worker_ends(struct nth_worker *p) {
  struct nth_member *m = p->identity;
  if (!m || m != nth_self || !m->tool)
    return;
  nth_add_rlx(&telling, 1);
  tell_end(m);
  nth_add_rel(&telling, UINT32_MAX); /* L */
}

/* Whether no region of the group's master runs, nor its processors for nano-threads. */
static bool rests(const struct nth_group *g) {
  const char *team = (const char *)g - offsetof(struct nth_team, group);
  return nth_crew_rests((const struct nth_team *)team);
}

/* Until nobody who rests or leaves has still to tell his end, or nobody has done so for a while.
 * Whoever tells it right now is waited for: the tool's callback may take long. */
static void await_ends(void) {
  uint64_t at = nth_clock_ns();
  for (uint32_t n = nth_load_acq(&nth_summons_answers);;) {                   /* summons:S */
    bool waits = nth_workers_await(rests), tell = nth_load_acq(&telling) > 0; /* L */
    if (!tell && (!waits || nth_clock_ns() - at > NTH_TOLD_LEAVE_NS))
      return;
    (void)nth_sleep(&nth_summons_answers, n, NTH_TOLD_LOOK_NS);
    uint32_t now = nth_load_acq(&nth_summons_answers); /* summons:S */
    if (now != n)
      at = nth_clock_ns();
    n = now;
  }
}

/* Workers that rest stay, for their thread_local objects would be destroyed after the program's
 * static ones. Each tells its own end, whichever master it has. So do threads that leave. Not if
 * the caller is in a region. */
static void last_words_of_all(void) {
  if (!nth_member_known() || outside()) {
    nth_workers_summon();
    await_ends();
  }
  if (last_words())
    NTH_POINT(thread_end);
}

/* The library's first byte, and the end of its code: the linker's. */
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char etext[] __attribute__((visibility("hidden")));

const void *nth_told_site(const void *ra) {
  const struct nth_member *m = nth_member_known();
  bool ours = (uintptr_t)ra - (uintptr_t)__ehdr_start < (uintptr_t)etext - (uintptr_t)__ehdr_start;
  const struct nth_tool_task *t = ours && m && m->tool ? m->tool->task : 0;
  return t && t->code ? t->code : ra;
}

void nth_told_end(void) { nth_tool_end(tool_ends); }

static void process_ends(void) { nth_tool_end(last_words_of_all); }

void nth_told_begin(void) {
  if (nth_tool_begin(nth_told_lookup) && !nth_tool_on())
    nth_race_begin();
  bool stall = nth_stall_begin(), points = nth_points_begin();
  if (stall || points)
    nth_tool.on = true;
  nth_task_watched = nth_env.cancellation || nth_tool.on;
  if (!nth_tool_on())
    return;
  nth_lock_free = UINT32_MAX;
  nth_loop_told = nth_told_loop;
  nth_team_told = nth_told_slave;
  nth_berth_told = nth_told_berth;
  nth_task_discard_told = nth_told_discard;
  nth_depend_told = nth_told_dependence;
  nth_holder_config.summoned = worker_ends;
  if (nth_points_on)
    (void)nth_allowed_cpus(); /* a debugger asks for the number, and cannot count */
  atexit(process_ends);       /* behind it the tool's own destructors run */
  nth_told_member(nth_member_get());
  loaded = true;
}

/* In a forked child the stacks of other threads are gone, and with them the task that has met a
 * region which another thread opened. Such a region gets a record without one. */
NTH_IN_CHILD void nth_told_forked(struct nth_member *m) {
  struct nth_tool_member *tm = m->tool;
  struct nth_tool_task *first = tm ? tm->task : 0;
  for (struct nth_tool_task *t = first, *below; t; t = below) {
    nth_told_task_forked(t);
    bool mine = !(t->flags & ompt_task_implicit) || t->thread_num == 0;
    below = mine ? nth_told_below(t) : 0;
    if (!mine) {
      struct nth_tool_region *r = nth_heap_need(sizeof *r);
      r->data = t->region->data;
      r->from = 0;
      r->ra = 0;
      nth_store_rlx(&r->size, 1);
      for (struct nth_tool_task *next; first != t; first = next) {
        next = nth_told_below(first);
        first->region = r;
      }
      t->region = r;
      t->below = 0;
    }
    if (!(t->flags & ompt_task_explicit))
      first = below;
  }
}

void nth_told_error(ompt_severity_t severity, const char *message, size_t length, const void *ra) {
  nth_told_caller(nth_member_get());
  NTH_TELL(error, severity, message, length, ra);
}

int nth_told_control(int command, int modifier, void *arg, const void *ra) {
  if (!nth_tool_there())
    return -2;
  struct nth_tool_task *t = nth_told_task_of(nth_member_get());
  ompt_callback_control_tool_t call = nth_load_rlx(&nth_tool.call.control_tool);
  if (!call)
    return -1;
  nth_told_enter(t, __builtin_frame_address(0));
  int answer = call((uint64_t)command, (uint64_t)modifier, arg, ra);
  nth_told_leave(t);
  return answer;
}
