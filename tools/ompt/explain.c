/* explain.c - the OMPT tool of `nanogomp run --explain`: counts what findings are made of
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Most slow OpenMP programs have one of a few reasons, which times of regions, waits
 *             and locks show. This tool counts them by place; nanogomp_lib/explain.py judges.
 * Use         OMP_TOOL_LIBRARIES=libnanogomp-explain.so NTH_EXPLAIN=FOLDER: the file FOLDER/PID has
 *             the counts, however the program ends (explain_file.h)
 * Cost        a look at the clock and a row of a table at each event; nothing is allocated but a
 *             member's notes when it begins
 */
#include <inttypes.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "runtime/omp/tool/omp-tools.h"
#include "tools/ompt/explain_file.h"

#define EXPORT __attribute__((visibility("default")))

static _Atomic(struct exp_me *) all;
static ompt_get_thread_data_t thread_data;

static uint64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* A loaded machine takes CPUs away: CPU time tells how even the work is nevertheless. */
static uint64_t cpu_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* The calling OS thread. Thread-local variables are a nano-thread member's own, so the kernel is
 * asked. */
static long os_thread(void) { return syscall(SYS_gettid); }

/* A member may change its OS thread where it waits, and its OS thread runs others then. So the
 * clock stands still there. A piece of work counts only if it began on the OS thread where it ends:
 * each has its own clock. */
static void clock_runs(struct exp_task *t) {
  t->clock = os_thread();
  t->cpu_since = cpu_now();
}

static void clock_stops(struct exp_task *t) {
  if (t->clock != 0 && t->clock == os_thread())
    t->worked += cpu_now() - t->cpu_since;
  t->clock = 0;
}

static void pause_begins(struct exp_task *t) {
  if (t && t->pauses++ == 0)
    clock_stops(t);
}

static void pause_ends(struct exp_task *t) {
  if (t && t->pauses > 0 && --t->pauses == 0)
    clock_runs(t);
}

/* Whether two members began on one OS thread: they may be nano-threads. Relaxed: a hint. */
static _Atomic(bool) carried;

static struct exp_me *me_of(ompt_data_t *data) {
  if (!data)
    return 0;
  if (!data->ptr) {
    struct exp_me *m = exp_file_member();
    if (!m)
      return 0;
    m->began_on = os_thread();
    m->next = atomic_load_explicit(&all, memory_order_acquire);
    for (const struct exp_me *other = m->next;
         other && !atomic_load_explicit(&carried, memory_order_relaxed); other = other->next)
      if (other->began_on == m->began_on)
        atomic_store_explicit(&carried, true, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&all, &m->next, m, memory_order_release,
                                                  memory_order_relaxed)) {}
    m->is_made = 1;
    data->ptr = m;
  }
  return data->ptr;
}

static struct exp_me *me(void) { return me_of(thread_data()); }

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
  pause_begins(task_of(m));
  if (m && m->opens < EXP_DEEP) {
    struct exp_row *row = exp_row_of(&m->table, region->value, EXP_REGION);
    m->opened_row[m->opens] = (uint64_t)(row - m->table.rows);
    m->opened[m->opens] = now();
  }
  if (m)
    m->opens++;
}

static void on_parallel_end(ompt_data_t *region, ompt_data_t *from, int flags, const void *ra) {
  struct exp_me *m = me();
  (void)region, (void)from, (void)flags, (void)ra;
  pause_ends(task_of(m));
  if (!m || m->opens == 0 || --m->opens >= EXP_DEEP)
    return;
  struct exp_row *row = &m->table.rows[m->opened_row[m->opens]];
  exp_add(&row->times, 1);
  exp_add(&row->ns, now() - m->opened[m->opens]);
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

static void on_implicit_task(ompt_scope_endpoint_t end, ompt_data_t *region, ompt_data_t *task,
                             unsigned int size, unsigned int index, int flags) {
  struct exp_me *m = me();
  (void)task;
  if (!m || (flags & (int)ompt_task_initial))
    return;
  if (end == ompt_scope_begin) {
    if (index == 0)
      note_size(m, size);
    if (m->depth < EXP_DEEP) {
      struct exp_task *t = &m->tasks[m->depth];
      *t = (struct exp_task){.code = region ? region->value : 0, .since = now()};
      clock_runs(t);
    }
    m->depth++;
  } else if (m->depth > 0 && --m->depth < EXP_DEEP) {
    struct exp_task *t = &m->tasks[m->depth];
    struct exp_row *row = exp_row_of(&m->table, t->code, EXP_REGION);
    exp_add(&row->member_ns, now() - t->since);
    exp_add(&row->wait_ns, t->waited);
    exp_add(&row->work_ns, t->worked);
    exp_add(&row->joins, 1);
    if (index == 0 && m->depth > 0)
      m->tasks[m->depth - 1].worked += t->worked; /* the member's work in the outer region, too */
  }
}

static void on_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t end, ompt_data_t *region,
                    ompt_data_t *task, const void *ra) {
  struct exp_me *m = me();
  (void)region, (void)task, (void)ra;
  bool is_barrier = kind != ompt_sync_region_taskwait && kind != ompt_sync_region_taskgroup &&
                    kind != ompt_sync_region_reduction;
  struct exp_task *t = task_of(m);
  if (!t)
    return;
  if (end == ompt_scope_begin)
    pause_begins(t);
  if (is_barrier && end == ompt_scope_begin) {
    m->wait_since = now();
  } else if (is_barrier && m->wait_since) {
    t->waited += now() - m->wait_since;
    m->wait_since = 0;
  }
  if (end == ompt_scope_end)
    pause_ends(t);
}

static void on_task_create(ompt_data_t *from, const ompt_frame_t *frame, ompt_data_t *task,
                           int flags, int dependences, const void *ra) {
  struct exp_me *m = me();
  (void)from, (void)frame, (void)task, (void)dependences, (void)ra;
  if (m && (flags & (int)ompt_task_explicit) && m->depth > 0 && m->depth <= EXP_DEEP)
    exp_add(&exp_row_of(&m->table, m->tasks[m->depth - 1].code, EXP_REGION)->tasks, 1);
}

/* --- locks --- */

/* Whether the clock is to stand still until the member has the lock. Two looks at it take as long
 * as a short critical section, so only where others may run meanwhile. */
static bool pauses(ompt_mutex_t kind) {
  return kind != ompt_mutex_test_lock && kind != ompt_mutex_test_nest_lock &&
         atomic_load_explicit(&carried, memory_order_relaxed);
}

static void on_acquire(ompt_mutex_t kind, unsigned int hint, unsigned int impl, ompt_wait_id_t lock,
                       const void *ra) {
  struct exp_me *m = me();
  (void)hint, (void)impl, (void)lock;
  if (m) {
    if (pauses(kind) && !m->lock_task && (m->lock_task = task_of(m)))
      pause_begins(m->lock_task);
    m->lock_since = now();
    m->lock_code = (uint64_t)(uintptr_t)ra;
  }
}

static void on_acquired(ompt_mutex_t kind, ompt_wait_id_t lock, const void *ra) {
  struct exp_me *m = me();
  if (m && m->lock_task)
    pause_ends(m->lock_task);
  if (m)
    m->lock_task = 0;
  if (!m || kind == ompt_mutex_ordered)
    return;
  uint64_t at = now(), code = m->lock_since ? m->lock_code : (uint64_t)(uintptr_t)ra;
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
  pause_ends(m->lock_task);
  m->lock_task = 0;
  m->lock_since = 0;
}

static void on_released(ompt_mutex_t kind, ompt_wait_id_t lock, const void *ra) {
  struct exp_me *m = me();
  (void)kind, (void)ra;
  for (int i = 0; m && i < EXP_LOCKS; i++)
    if (m->held[i].lock == lock) {
      exp_add(&exp_row_of(&m->table, m->held[i].code, EXP_MUTEX)->ns, now() - m->held[i].since);
      m->held[i].lock = 0;
      return;
    }
}

/* --- begin and end --- */

static void on_thread_begin(ompt_thread_t type, ompt_data_t *data) {
  (void)type;
  me_of(data);
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
  ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  const char *folder = getenv("NTH_EXPLAIN");
  (void)device, (void)data;
  if (exp_head || !folder || !exp_file_begin(folder))
    return 0;
  thread_data = (ompt_get_thread_data_t)lookup("ompt_get_thread_data");
  set(ompt_callback_thread_begin, (ompt_callback_t)on_thread_begin);
  set(ompt_callback_parallel_begin, (ompt_callback_t)on_parallel_begin);
  set(ompt_callback_parallel_end, (ompt_callback_t)on_parallel_end);
  set(ompt_callback_implicit_task, (ompt_callback_t)on_implicit_task);
  set(ompt_callback_sync_region_wait, (ompt_callback_t)on_wait);
  set(ompt_callback_task_create, (ompt_callback_t)on_task_create);
  set(ompt_callback_mutex_acquire, (ompt_callback_t)on_acquire);
  set(ompt_callback_mutex_acquired, (ompt_callback_t)on_acquired);
  set(ompt_callback_mutex_released, (ompt_callback_t)on_released);
  set(ompt_callback_nest_lock, (ompt_callback_t)on_nest_lock);
  exp_head->begun = now();
  return 1;
}

static void finalize(ompt_data_t *data) {
  (void)data;
  exp_file_end(now());
}

EXPORT ompt_start_tool_result_t *ompt_start_tool(unsigned int version, const char *runtime) {
  static ompt_start_tool_result_t result = {initialize, finalize, {0}};
  (void)version, (void)runtime;
  return &result;
}
