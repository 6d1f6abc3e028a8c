/* explain.c - the OMPT tool of `nanogomp run --explain`: counts what findings are made of
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Most slow OpenMP programs have one of a few reasons, which times of regions, waits
 *             and locks show. This tool counts them by place; nanogomp_lib/explain.py judges.
 * Use         OMP_TOOL_LIBRARIES=libnanogomp-explain.so NTH_EXPLAIN=FOLDER: at the end the file
 *             FOLDER/PID has lines of a name and numbers
 * Invariants  a member's table and stacks are its own; shared counters are atomic, all relaxed:
 *             they are read when the program ends
 * Cost        a look at the clock and a row of a table at each event; nothing is allocated but a
 *             member's notes when it begins
 */
#include <inttypes.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "runtime/omp/tool/omp-tools.h"
#include "tools/ompt/explain_table.h"

#define EXPORT __attribute__((visibility("default")))

enum { DEEP = 16, LOCKS = 8 }; /* nested regions, held locks; deeper ones are not counted */

struct task { /* an implicit task */
  uint64_t code, since, waited;
  uint64_t cpu_since, worked; /* CPU time: since the last wait; before that */
};

struct held {
  ompt_wait_id_t lock;
  uint64_t code, since;
};

struct me { /* a member's notes; w, r: the member, but for the table and next */
  struct me *next;
  int depth;
  struct task tasks[DEEP];
  uint64_t opened[DEEP], wait_since, lock_since, lock_code;
  int opens;
  uint32_t last_size;
  struct held held[LOCKS];
  struct exp_table table;
};

static _Atomic(struct me *) all;
static exp_count most, outer, changes, sizes; /* sizes: the last two different ones, 32 bits each */
static uint64_t begun;
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

static struct me *me_of(ompt_data_t *data) {
  if (!data)
    return 0;
  if (!data->ptr) {
    struct me *m = calloc(1, sizeof *m);
    if (!m)
      return 0;
    m->next = atomic_load_explicit(&all, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&all, &m->next, m, memory_order_release,
                                                  memory_order_relaxed)) {}
    data->ptr = m;
  }
  return data->ptr;
}

static struct me *me(void) { return me_of(thread_data()); }

/* --- regions --- */

static void on_parallel_begin(ompt_data_t *from, const ompt_frame_t *frame, ompt_data_t *region,
                              unsigned int wanted, int flags, const void *ra) {
  struct me *m = me();
  (void)from, (void)frame, (void)wanted, (void)flags;
  region->value = (uint64_t)(uintptr_t)ra;
  if (m && m->opens++ < DEEP)
    m->opened[m->opens - 1] = now();
}

static void on_parallel_end(ompt_data_t *region, ompt_data_t *from, int flags, const void *ra) {
  struct me *m = me();
  (void)from, (void)flags, (void)ra;
  if (!m || m->opens == 0 || --m->opens >= DEEP)
    return;
  struct exp_row *row = exp_row_of(&m->table, region->value, EXP_REGION);
  exp_add(&row->times, 1);
  exp_add(&row->ns, now() - m->opened[m->opens]);
}

/* A root opens a region of so many members. */
static void note_size(struct me *m, uint32_t size) {
  uint64_t before = atomic_load_explicit(&most, memory_order_relaxed);
  while (before < size && !atomic_compare_exchange_weak_explicit(
                              &most, &before, size, memory_order_relaxed, memory_order_relaxed)) {}
  if (m->depth > 0)
    return;
  atomic_fetch_add_explicit(&outer, 1, memory_order_relaxed);
  if (m->last_size && m->last_size != size) {
    atomic_fetch_add_explicit(&changes, 1, memory_order_relaxed);
    atomic_store_explicit(&sizes, (uint64_t)m->last_size << 32 | size, memory_order_relaxed);
  }
  m->last_size = size;
}

static void on_implicit_task(ompt_scope_endpoint_t end, ompt_data_t *region, ompt_data_t *task,
                             unsigned int size, unsigned int index, int flags) {
  struct me *m = me();
  (void)task;
  if (!m || (flags & (int)ompt_task_initial))
    return;
  if (end == ompt_scope_begin) {
    if (index == 0)
      note_size(m, size);
    if (m->depth++ < DEEP)
      m->tasks[m->depth - 1] =
          (struct task){.code = region ? region->value : 0, .since = now(), .cpu_since = cpu_now()};
  } else if (m->depth > 0 && --m->depth < DEEP) {
    struct task *t = &m->tasks[m->depth];
    struct exp_row *row = exp_row_of(&m->table, t->code, EXP_REGION);
    exp_add(&row->member_ns, now() - t->since);
    exp_add(&row->wait_ns, t->waited);
    exp_add(&row->work_ns, t->worked);
    exp_add(&row->joins, 1);
  }
}

static void on_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t end, ompt_data_t *region,
                    ompt_data_t *task, const void *ra) {
  struct me *m = me();
  (void)region, (void)task, (void)ra;
  bool is_barrier = kind != ompt_sync_region_taskwait && kind != ompt_sync_region_taskgroup &&
                    kind != ompt_sync_region_reduction;
  if (!m || !is_barrier || m->depth == 0 || m->depth > DEEP)
    return;
  struct task *t = &m->tasks[m->depth - 1];
  if (end == ompt_scope_begin) {
    m->wait_since = now();
    t->worked += cpu_now() - t->cpu_since;
  } else if (m->wait_since) {
    t->waited += now() - m->wait_since;
    m->wait_since = 0;
    t->cpu_since = cpu_now();
  }
}

static void on_task_create(ompt_data_t *from, const ompt_frame_t *frame, ompt_data_t *task,
                           int flags, int dependences, const void *ra) {
  struct me *m = me();
  (void)from, (void)frame, (void)task, (void)dependences, (void)ra;
  if (m && (flags & (int)ompt_task_explicit) && m->depth > 0 && m->depth <= DEEP)
    exp_add(&exp_row_of(&m->table, m->tasks[m->depth - 1].code, EXP_REGION)->tasks, 1);
}

/* --- locks --- */

static void on_acquire(ompt_mutex_t kind, unsigned int hint, unsigned int impl, ompt_wait_id_t lock,
                       const void *ra) {
  struct me *m = me();
  (void)kind, (void)hint, (void)impl, (void)lock;
  if (m) {
    m->lock_since = now();
    m->lock_code = (uint64_t)(uintptr_t)ra;
  }
}

static void on_acquired(ompt_mutex_t kind, ompt_wait_id_t lock, const void *ra) {
  struct me *m = me();
  if (!m || kind == ompt_mutex_ordered)
    return;
  uint64_t at = now(), code = m->lock_since ? m->lock_code : (uint64_t)(uintptr_t)ra;
  struct exp_row *row = exp_row_of(&m->table, code, EXP_MUTEX);
  exp_add(&row->times, 1);
  exp_add(&row->wait_ns, m->lock_since ? at - m->lock_since : 0);
  m->lock_since = 0;
  for (int i = 0; i < LOCKS; i++)
    if (!m->held[i].lock) {
      m->held[i] = (struct held){.lock = lock, .code = code, .since = at};
      return;
    }
}

static void on_released(ompt_mutex_t kind, ompt_wait_id_t lock, const void *ra) {
  struct me *m = me();
  (void)kind, (void)ra;
  for (int i = 0; m && i < LOCKS; i++)
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
  (void)device, (void)data;
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
  begun = now();
  return 1;
}

/* Files of OpenMP runtimes in the process. */
static void write_runtimes(FILE *file) {
  char line[4200], last[4200] = "";
  FILE *maps = fopen("/proc/self/maps", "r");
  while (maps && fgets(line, sizeof line, maps)) {
    char *path = strchr(line, '/'), *base = path ? strrchr(path, '/') + 1 : 0;
    if (!base || strcmp(path, last) == 0)
      continue;
    if (strncmp(base, "libgomp", 7) == 0 || strncmp(base, "libomp", 6) == 0 ||
        strncmp(base, "libiomp", 7) == 0)
      fprintf(file, "runtime %s", strcpy(last, path));
  }
  if (maps)
    fclose(maps);
}

static void finalize(ompt_data_t *data) {
  static struct exp_table sum;
  const char *folder = getenv("NTH_EXPLAIN");
  char name[4200];
  cpu_set_t allowed;
  (void)data;
  if (!folder)
    return;
  snprintf(name, sizeof name, "%s/%d", folder, (int)getpid());
  FILE *file = fopen(name, "w");
  if (!file)
    return;
  for (struct me *m = atomic_load_explicit(&all, memory_order_acquire); m; m = m->next)
    exp_table_add(&sum, &m->table);
  fprintf(file, "wall %" PRIu64 "\nmost %" PRIu64 "\nouter %" PRIu64 "\nchanges %" PRIu64 "\n",
          now() - begun, most, outer, changes);
  fprintf(file, "sizes %" PRIu64 " %" PRIu64 "\n", sizes >> 32, sizes & UINT32_MAX);
  if (sched_getaffinity(getpid(), sizeof allowed, &allowed) == 0)
    fprintf(file, "cpus %d\n", CPU_COUNT(&allowed));
  fprintf(file, "online %ld\n", sysconf(_SC_NPROCESSORS_ONLN));
  exp_table_write(&sum, file);
  write_runtimes(file);
  fclose(file);
}

EXPORT ompt_start_tool_result_t *ompt_start_tool(unsigned int version, const char *runtime) {
  static ompt_start_tool_result_t result = {initialize, finalize, {0}};
  (void)version, (void)runtime;
  return &result;
}
