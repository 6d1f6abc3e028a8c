/* explain.c - the OMPT tool of `nanogomp run --explain`: counts what findings are made of
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Most slow OpenMP programs have one of a few reasons, which times of regions, waits
 *             and locks show. This tool counts them by place; nanogomp_lib/explain.py judges.
 * Use         OMP_TOOL_LIBRARIES=libnanogomp-explain.so NTH_EXPLAIN=FOLDER: the file FOLDER/PID has
 *             the counts, however the program ends (explain_file.h)
 * Cost        ticks and a row of a table at each event; a look at the CPU time at long work, and
 *             each 200 us; nothing is allocated but a member's notes when it begins
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "runtime/omp/tool/omp-tools.h"
#include "tools/ompt/explain_work.h"
#include "tools/ompt/ticks.h"

#define EXPORT __attribute__((visibility("default")))

static _Atomic(struct exp_me *) all;
static ompt_get_thread_data_t thread_data;

/* --- members --- */

static struct exp_me *me_of(ompt_data_t *data) {
  if (!data)
    return 0;
  if (!data->ptr) {
    struct exp_me *m = exp_file_member();
    if (!m)
      return 0;
    m->began_on = exp_os_thread();
    m->next = atomic_load_explicit(&all, memory_order_acquire);
    for (const struct exp_me *other = m->next; other && !exp_is_carried(); other = other->next)
      if (other->began_on == m->began_on)
        exp_set_carried();
    while (!atomic_compare_exchange_weak_explicit(&all, &m->next, m, memory_order_release,
                                                  memory_order_relaxed)) {}
    m->is_made = 1;
    data->ptr = m;
  }
  return data->ptr;
}

/* The calling member; a nano-thread member has thread-local variables of its own. */
static __thread struct exp_me *self __attribute__((tls_model("initial-exec")));

static struct exp_me *me(void) {
  if (!self)
    self = me_of(thread_data());
  return self;
}

/* The implicit task that the member is in; NULL: none, or too deep. */
static struct exp_task *task_of(struct exp_me *m) {
  return m && m->depth > 0 && m->depth <= EXP_DEEP ? &m->tasks[m->depth - 1] : 0;
}

/* --- regions --- */

static void on_parallel_begin(ompt_data_t *from, const ompt_frame_t *frame, ompt_data_t *region,
                              unsigned int wanted, int flags, const void *ra) {
  struct exp_me *m = me();
  (void)from, (void)frame, (void)wanted, (void)flags;
  region->value = (uint64_t)(uintptr_t)ra;
  if (!m)
    return;
  uint64_t at = ticks_now();
  exp_pause_begins(m, task_of(m), at);
  if (m->opens < EXP_DEEP) {
    struct exp_row *row = exp_row_of(&m->table, region->value, EXP_REGION);
    m->opened_row[m->opens] = (uint64_t)(row - m->table.rows);
    m->opened[m->opens] = at;
  }
  m->opens++;
}

/* The master's task has ended just before: its time is this one's. */
static void on_parallel_end(ompt_data_t *region, ompt_data_t *from, int flags, const void *ra) {
  struct exp_me *m = me();
  (void)region, (void)from, (void)flags, (void)ra;
  if (!m)
    return;
  uint64_t at = m->left ? m->left : ticks_now();
  m->left = 0;
  exp_pause_ends(m, task_of(m), at);
  if (m->opens == 0 || --m->opens >= EXP_DEEP)
    return;
  struct exp_row *row = &m->table.rows[m->opened_row[m->opens]];
  exp_add(&row->times, 1);
  exp_add(&row->ns, at - m->opened[m->opens]);
}

/* A root opens a region of so many members. */
static void note_size(struct exp_me *m, uint32_t size) {
  uint64_t before = atomic_load_explicit(&exp_head->most, memory_order_relaxed);
  while (before < size &&
         !atomic_compare_exchange_weak_explicit(&exp_head->most, &before, size,
                                                memory_order_relaxed, memory_order_relaxed)) {}
  if (m->depth > 0)
    return;
  atomic_fetch_add_explicit(&exp_head->outer, 1, memory_order_relaxed);
  if (m->last_size && m->last_size != size) {
    atomic_fetch_add_explicit(&exp_head->changes, 1, memory_order_relaxed);
    atomic_store_explicit(&exp_head->sizes, (uint64_t)m->last_size << 32 | size,
                          memory_order_relaxed);
  }
  m->last_size = size;
}

static void task_begins(struct exp_me *m, const ompt_data_t *region, unsigned int size,
                        unsigned int index) {
  if (index == 0)
    note_size(m, size);
  if (m->depth < EXP_DEEP) {
    struct exp_task *t = &m->tasks[m->depth];
    uint64_t at = ticks_now();
    *t = (struct exp_task){.code = region ? region->value : 0, .since = at};
    exp_work_begins(m, t, at);
  }
  m->depth++;
}

static void waited(struct exp_me *m, struct exp_task *t, uint64_t at) {
  if (m->wait_since)
    t->waited += at - m->wait_since;
  m->wait_since = 0;
}

static void task_ends(struct exp_me *m, unsigned int index) {
  struct exp_task *t = &m->tasks[m->depth];
  uint64_t at = ticks_now();
  waited(m, t, at);
  exp_work_ends(m, t, at);
  struct exp_row *row = exp_row_of(&m->table, t->code, EXP_REGION);
  exp_add(&row->member_ns, at - t->since);
  exp_add(&row->wait_ns, t->waited);
  exp_add(&row->work_ns, t->worked);
  exp_add(&row->slept_ns, t->slept);
  exp_add(&row->joins, 1);
  if (index == 0 && m->depth > 0) { /* the member's work in the outer region, too */
    m->tasks[m->depth - 1].worked += t->worked;
    m->tasks[m->depth - 1].slept += t->slept;
  }
  m->left = index == 0 ? at : 0;
}

static void on_implicit_task(ompt_scope_endpoint_t end, ompt_data_t *region, ompt_data_t *task,
                             unsigned int size, unsigned int index, int flags) {
  struct exp_me *m = me();
  (void)task;
  if (!m || (flags & (int)ompt_task_initial))
    return;
  if (end == ompt_scope_begin)
    task_begins(m, region, size, index);
  else if (m->depth > 0 && --m->depth < EXP_DEEP)
    task_ends(m, index);
}

static void on_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t end, ompt_data_t *region,
                    ompt_data_t *task, const void *ra) {
  bool is_barrier = kind != ompt_sync_region_taskwait && kind != ompt_sync_region_taskgroup &&
                    kind != ompt_sync_region_reduction;
  /* at the end of a region the wait goes on until the member's task ends */
  bool goes_on = kind == ompt_sync_region_barrier_implicit_parallel && end == ompt_scope_end;
  struct exp_me *m = goes_on ? 0 : me();
  (void)region, (void)task, (void)ra;
  struct exp_task *t = task_of(m);
  if (!t)
    return;
  uint64_t at = ticks_now();
  if (end == ompt_scope_begin)
    exp_pause_begins(m, t, at);
  if (is_barrier && end == ompt_scope_begin)
    m->wait_since = at;
  else if (is_barrier)
    waited(m, t, at);
  if (end == ompt_scope_end)
    exp_pause_ends(m, t, at);
}

static void on_task_create(ompt_data_t *from, const ompt_frame_t *frame, ompt_data_t *task,
                           int flags, int dependences, const void *ra) {
  struct exp_me *m = me();
  (void)from, (void)frame, (void)task, (void)dependences, (void)ra;
  if (m && (flags & (int)ompt_task_explicit) && m->depth > 0 && m->depth <= EXP_DEEP)
    exp_add(&exp_row_of(&m->table, m->tasks[m->depth - 1].code, EXP_REGION)->tasks, 1);
}

/* --- locks --- */

/* Whether the member's work rests until it has the lock: only where others may run meanwhile. A
 * wait without them is short, or uses no CPU time. */
static bool pauses(ompt_mutex_t kind) {
  return kind != ompt_mutex_test_lock && kind != ompt_mutex_test_nest_lock && exp_is_carried();
}

static void on_acquire(ompt_mutex_t kind, unsigned int hint, unsigned int impl, ompt_wait_id_t lock,
                       const void *ra) {
  struct exp_me *m = me();
  (void)hint, (void)impl, (void)lock;
  if (m) {
    uint64_t at = ticks_now();
    if (pauses(kind) && !m->lock_task && (m->lock_task = task_of(m)))
      exp_pause_begins(m, m->lock_task, at);
    m->lock_since = at;
    m->lock_code = (uint64_t)(uintptr_t)ra;
  }
}

static void on_acquired(ompt_mutex_t kind, ompt_wait_id_t lock, const void *ra) {
  struct exp_me *m = me();
  if (!m)
    return;
  uint64_t at = ticks_now();
  if (m->lock_task)
    exp_pause_ends(m, m->lock_task, at);
  else if (m->lock_since)
    m->locked += at - m->lock_since;
  m->lock_task = 0;
  if (kind == ompt_mutex_ordered)
    return;
  uint64_t code = m->lock_since ? m->lock_code : (uint64_t)(uintptr_t)ra;
  struct exp_row *row = exp_row_of(&m->table, code, EXP_MUTEX);
  exp_add(&row->times, 1);
  exp_add(&row->wait_ns, m->lock_since ? at - m->lock_since : 0);
  m->lock_since = 0;
  for (int i = 0; i < EXP_LOCKS; i++)
    if (!m->held[i].lock) {
      m->held[i] = (struct exp_held){.lock = lock, .code = code, .since = at};
      return;
    }
}

/* A nestable lock that the member has: it is taken once more without a wait, and is no longer
 * asked for. */
static void on_nest_lock(ompt_scope_endpoint_t end, ompt_wait_id_t lock, const void *ra) {
  struct exp_me *m = me();
  (void)lock, (void)ra;
  if (!m || end != ompt_scope_begin)
    return;
  exp_pause_ends(m, m->lock_task, ticks_now());
  m->lock_task = 0;
  m->lock_since = 0;
}

static void on_released(ompt_mutex_t kind, ompt_wait_id_t lock, const void *ra) {
  struct exp_me *m = me();
  (void)kind, (void)ra;
  for (int i = 0; m && i < EXP_LOCKS; i++)
    if (m->held[i].lock == lock) {
      exp_add(&exp_row_of(&m->table, m->held[i].code, EXP_MUTEX)->ns,
              ticks_now() - m->held[i].since);
      m->held[i].lock = 0;
      return;
    }
}

/* --- begin and end --- */

static void on_thread_begin(ompt_thread_t type, ompt_data_t *data) {
  (void)type;
  self = me_of(data);
}

/* Its notes stay as they are; the OS thread may be another member's afterwards. */
static void on_thread_end(ompt_data_t *data) {
  (void)data;
  self = 0;
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
  ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  const char *folder = getenv("NTH_EXPLAIN");
  (void)device, (void)data;
  if (exp_head || !folder || !exp_file_begin(folder))
    return 0;
  thread_data = (ompt_get_thread_data_t)lookup("ompt_get_thread_data");
  set(ompt_callback_thread_begin, (ompt_callback_t)on_thread_begin);
  set(ompt_callback_thread_end, (ompt_callback_t)on_thread_end);
  set(ompt_callback_parallel_begin, (ompt_callback_t)on_parallel_begin);
  set(ompt_callback_parallel_end, (ompt_callback_t)on_parallel_end);
  set(ompt_callback_implicit_task, (ompt_callback_t)on_implicit_task);
  set(ompt_callback_sync_region_wait, (ompt_callback_t)on_wait);
  set(ompt_callback_task_create, (ompt_callback_t)on_task_create);
  set(ompt_callback_mutex_acquire, (ompt_callback_t)on_acquire);
  set(ompt_callback_mutex_acquired, (ompt_callback_t)on_acquired);
  set(ompt_callback_mutex_released, (ompt_callback_t)on_released);
  set(ompt_callback_nest_lock, (ompt_callback_t)on_nest_lock);
  exp_work_choose();
  return 1;
}

static void finalize(ompt_data_t *data) {
  (void)data;
  exp_file_end();
}

EXPORT ompt_start_tool_result_t *ompt_start_tool(unsigned int version, const char *runtime) {
  static ompt_start_tool_result_t result = {initialize, finalize, {0}};
  (void)version, (void)runtime;
  return &result;
}
