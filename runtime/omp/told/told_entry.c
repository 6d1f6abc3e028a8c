/* told_entry.c - the entry points by which a tool asks and registers
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenMP 5.2, section 19.6.1. All but ompt_set_callback, ompt_finalize_tool and ompt_get_unique_id
 * only read what the calling thread itself writes, so a signal handler may call them. The first
 * call that reads the list of places looks it up: a tool makes that call elsewhere.
 */
#include "runtime/omp/told/told_entry.h"

#include <sched.h>
#include <string.h>

#include "runtime/omp/team/binding.h"
#include "runtime/omp/told/told.h"
#include "runtime/omp/tool/states.h"
#include "runtime/place/places/allowed.h"
#include "runtime/place/places/places.h"

/* The calling thread's record; NULL: the tool has not heard of it. */
static struct nth_tool_member *caller(void) {
  struct nth_member *m = nth_member_known();
  return m ? m->tool : 0;
}

/* --- callbacks --- */

static ompt_set_result_t set_callback(ompt_callbacks_t event, ompt_callback_t callback) {
  switch (event) {
#define SET(name, type, answer)                                                                    \
  case ompt_callback_##name:                                                                       \
    nth_store_rlx(&nth_tool.call.name, (ompt_callback_##type##_t)callback);                        \
    return ompt_set_##answer;
    NTH_TOOL_EVENTS(SET)
#undef SET
  default: return ompt_set_error;
  }
}

static int get_callback(ompt_callbacks_t event, ompt_callback_t *callback) {
  switch (event) {
#define GET(name, type, answer)                                                                    \
  case ompt_callback_##name:                                                                       \
    *callback = (ompt_callback_t)nth_load_rlx(&nth_tool.call.name);                                \
    return *callback != 0;
    NTH_TOOL_EVENTS(GET)
#undef GET
  default: return 0;
  }
}

/* --- what there is --- */

struct named {
  int number;
  const char *name;
};

/* The item behind `current` in a list; 0: there is none. */
static int next_of(const struct named *list, size_t count, int current, int *next,
                   const char **name) {
  for (size_t i = 0; i + 1 < count; i++)
    if (list[i].number == current) {
      *next = list[i + 1].number;
      *name = list[i + 1].name;
      return 1;
    }
  return 0;
}

static int enumerate_states(int current, int *next, const char **name) {
#define NOTED(name) {ompt_state_##name, "ompt_state_" #name},
#define SEEN(name)
  static const struct named states[] = {NTH_TOOL_STATES(NOTED, SEEN)};
#undef NOTED
#undef SEEN
  return next_of(states, sizeof states / sizeof states[0], current, next, name);
}

static int enumerate_mutex_impls(int current, int *next, const char **name) {
  static const struct named impls[] = {{ompt_mutex_impl_none, "none"},
                                       {NTH_TOLD_MUTEX, "nanogomp_mutex"}};
  return next_of(impls, sizeof impls / sizeof impls[0], current, next, name);
}

/* --- the calling thread --- */

static ompt_data_t *get_thread_data(void) {
  struct nth_tool_member *tm = caller();
  return tm ? &tm->data : 0;
}

static int get_state(ompt_wait_id_t *wait) {
  struct nth_tool_member *tm = caller();
  if (!tm)
    return ompt_state_undefined;
  if (wait)
    *wait = tm->wait;
  return (int)tm->state;
}

/* The region `level` levels around the caller; NULL: there are fewer. */
static struct nth_tool_region *region_at(int level) {
  struct nth_tool_member *tm = caller();
  struct nth_tool_region *r = tm && tm->task && level >= 0 ? tm->task->region : 0;
  for (; r && level > 0; level--)
    r = r->from ? r->from->region : 0;
  return r;
}

static int get_parallel_info(int level, ompt_data_t **parallel, int *size) {
  struct nth_tool_region *r = region_at(level);
  if (!r)
    return 0;
  if (parallel)
    *parallel = &r->data;
  if (size)
    *size = (int)nth_load_rlx(&r->size);
  return 2;
}

/* The task around t: for an explicit task the one that its member has left for it, for an implicit
 * one the region's encountering task. */
static struct nth_tool_task *around(const struct nth_tool_task *t) {
  return t->flags & ompt_task_explicit ? t->below : t->region->from;
}

static int get_task_info(int level, int *flags, ompt_data_t **task, ompt_frame_t **frame,
                         ompt_data_t **parallel, int *thread_num) {
  struct nth_tool_member *tm = caller();
  struct nth_tool_task *t = tm && level >= 0 ? tm->task : 0;
  for (; t && level > 0; level--)
    t = around(t);
  if (!t)
    return 0;
  if (flags) {
    /* the implicit task of a team of one runs at once, in the thread that met the region */
    bool alone = t->flags & ompt_task_implicit && nth_load_rlx(&t->region->size) == 1;
    *flags = t->flags | (alone ? (int)ompt_task_undeferred : 0);
  }
  if (task)
    *task = &t->data;
  if (frame)
    *frame = &t->frame;
  if (parallel)
    *parallel = nth_told_parallel_data(t);
  if (thread_num)
    *thread_num = (int)t->thread_num;
  return 2;
}

/* Memory of a task's private data: the library does not know it. */
static int get_task_memory(void **addr, size_t *size, int block) {
  (void)block;
  if (addr)
    *addr = 0;
  if (size)
    *size = 0;
  return 0;
}

/* --- processors and places --- */

static int get_num_procs(void) { return (int)nth_allowed_soon(); }

static int get_proc_id(void) { return caller() ? sched_getcpu() : -1; }

static int get_num_places(void) {
  const struct nth_places *p = nth_places_get();
  return p ? (int)p->count : 0;
}

static int get_place_proc_ids(int place, int size, int *ids) {
  const struct nth_places *p = nth_places_get();
  if (!p || place < 0 || (uint32_t)place >= p->count)
    return 0;
  const uint64_t *set = nth_places_set(p, (uint32_t)place);
  int n = 0;
  for (uint64_t cpu = nth_cpus_next(set, p->words, 0); cpu < (uint64_t)p->words * 64;
       cpu = nth_cpus_next(set, p->words, cpu + 1))
    if (n++ < size && ids)
      ids[n - 1] = (int)cpu;
  return n;
}

/* omp_get_place_num() would make the caller a member, and bind it. */
static int get_place_num(void) { return nth_binding_place_of(nth_member_known()); }

static int get_partition_place_nums(int size, int *nums) {
  uint32_t first, count = nth_binding_partition(&first);
  for (uint32_t i = 0; i < count && (int)i < size && nums; i++)
    nums[i] = (int)(first + i);
  return (int)count;
}

/* --- devices, and the rest --- */

/* All target regions run on the host, without operations on data. */
static int get_target_info(uint64_t *device, ompt_id_t *target, ompt_id_t *op) {
  struct nth_tool_member *tm = caller();
  const struct nth_tool_task *t = tm ? tm->task : 0;
  while (t && !t->target)
    t = nth_told_below(t);
  if (!t)
    return 0;
  if (device)
    *device = NTH_TOLD_HOST;
  if (target)
    *target = nth_told_role_of(t)->id;
  if (op)
    *op = 0;
  return 1;
}

static int get_num_devices(void) { return 1; /* the host */ }

uint64_t nth_told_unique_id(void) {
  static _Atomic(uint64_t) last;
  return nth_add_rlx(&last, 1) + 1;
}

static void set_doacross_wait(nth_tool_doacross_wait_t callback) {
  nth_store_rlx(&nth_tool.doacross_wait, callback);
}

static void finalize_tool(void) { nth_told_end(); }

ompt_interface_fn_t nth_told_lookup(const char *name) {
#define ENTRY(name)                                                                                \
  { "ompt_" #name, (ompt_interface_fn_t)name }
  static const struct {
    const char *name;
    ompt_interface_fn_t entry;
  } entries[] = {ENTRY(set_callback),
                 ENTRY(get_callback),
                 ENTRY(enumerate_states),
                 ENTRY(enumerate_mutex_impls),
                 ENTRY(get_thread_data),
                 ENTRY(get_num_procs),
                 ENTRY(get_num_places),
                 ENTRY(get_place_proc_ids),
                 ENTRY(get_place_num),
                 ENTRY(get_partition_place_nums),
                 ENTRY(get_proc_id),
                 ENTRY(get_state),
                 ENTRY(get_parallel_info),
                 ENTRY(get_task_info),
                 ENTRY(get_task_memory),
                 ENTRY(get_target_info),
                 ENTRY(get_num_devices),
                 {"ompt_get_unique_id", (ompt_interface_fn_t)nth_told_unique_id},
                 ENTRY(finalize_tool),
                 {NTH_TOOL_SET_DOACROSS_WAIT, (ompt_interface_fn_t)set_doacross_wait}};
#undef ENTRY
  for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++)
    if (strcmp(name, entries[i].name) == 0)
      return entries[i].entry;
  return 0;
}
