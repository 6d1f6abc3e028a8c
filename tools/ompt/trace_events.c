/* trace_events.c - the tool of `nanogomp trace`: what it hears, and writes down
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A thread's data is its row. A task's data is its number: the row of the thread that made it, and
 * a count. A region's is the address of its construct with a name of 16 bits above it, so that its
 * members know where it is without asking anybody.
 */
#include <pthread.h>
#include <stdlib.h>

#include "runtime/omp/tool/own-tools.h"
#include "tools/ompt/trace_row.h"

enum { NAME_SHIFT = 48 };
#define LOW_48 ((UINT64_C(1) << NAME_SHIFT) - 1)
#define DEFAULT_BLOCK (1u << 18)

static ompt_get_thread_data_t thread_data;

/* The caller's row; NULL: it has none. */
static inline struct trace_row *row(void) {
  const ompt_data_t *data = thread_data();
  return data ? data->ptr : NULL;
}

static inline uint64_t address(const void *codeptr) { return (uint64_t)(uintptr_t)codeptr; }

static inline uint64_t at_most_48(uint64_t n) { return n < LOW_48 ? n : LOW_48; }

/* A number for a task that the row's thread makes. */
static inline uint64_t task_new(struct trace_row *r) {
  return (uint64_t)(uint16_t)r->number << 32 | ++r->tasks;
}

static inline void note(enum trace_kind kind, uint32_t sub, uint64_t where, uint64_t b) {
  struct trace_row *r = row();
  if (r)
    trace_note(r, kind, sub, where, b);
}

/* --- threads and regions --- */

static void on_thread_begin(ompt_thread_t type, ompt_data_t *data) {
  struct trace_row *r = data->ptr = trace_row_new();
  if (r)
    trace_note(r, TRACE_THREAD_BEGIN, type, 0, 0);
}

static void on_thread_end(ompt_data_t *data) {
  struct trace_row *r = data->ptr;
  data->ptr = NULL;
  if (!r)
    return;
  trace_note(r, TRACE_THREAD_END, 0, 0, 0);
  trace_row_free(r);
}

static void on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel,
                              unsigned requested, int flags, const void *codeptr) {
  (void)task, (void)frame, (void)flags;
  struct trace_row *r = row();
  if (!r)
    return;
  uint64_t name = (r->number << 12 ^ ++r->regions) & 0xffff;
  parallel->value = name << NAME_SHIFT | (address(codeptr) & LOW_48);
  trace_note(r, TRACE_REGION_BEGIN, 0, parallel->value, requested);
}

static void on_parallel_end(ompt_data_t *parallel, ompt_data_t *task, int flags,
                            const void *codeptr) {
  (void)task, (void)flags, (void)codeptr;
  note(TRACE_REGION_END, 0, parallel->value, 0);
}

static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
                             ompt_data_t *task, unsigned members, unsigned index, int flags) {
  (void)members;
  struct trace_row *r = row();
  if (!r)
    return;
  bool begins = endpoint == ompt_scope_begin;
  if (begins)
    task->value = task_new(r);
  trace_note(r, begins ? TRACE_MEMBER_BEGIN : TRACE_MEMBER_END, flags & ompt_task_initial,
             begins && parallel ? parallel->value : 0,
             (uint64_t)(uint16_t)index << 32 | (uint32_t)task->value);
}

/* --- tasks --- */

/* A task stands for a taskwait with dependences. It is undeferred if its maker waits for it. */
static void depend_wait_begins(struct trace_row *r, ompt_data_t *wait, int flags,
                               const void *codeptr) {
  wait->value = flags & ompt_task_undeferred ? 1 : 0;
  if (wait->value)
    trace_note(r, TRACE_WAIT_BEGIN, ompt_sync_region_taskwait, address(codeptr), 0);
}

static void on_task_create(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *new_task,
                           int flags, int has_dependences, const void *codeptr) {
  (void)task, (void)frame;
  struct trace_row *r = row();
  if (!r)
    return;
  if (flags & ompt_task_taskwait) {
    depend_wait_begins(r, new_task, flags, codeptr);
    return;
  }
  new_task->value = task_new(r);
  uint32_t sub = (flags & ompt_task_undeferred ? TRACE_UNDEFERRED : 0u) |
                 (flags & ompt_task_untied ? TRACE_UNTIED : 0u) |
                 (flags & ompt_task_final ? TRACE_FINAL : 0u) |
                 (has_dependences ? TRACE_DEPENDS : 0u);
  trace_note(r, TRACE_TASK_CREATE, sub, address(codeptr), new_task->value);
}

static void on_task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next) {
  if (status != ompt_taskwait_complete)
    note(TRACE_TASK_SWITCH, status, prior ? prior->value : 0, next ? next->value : 0);
  else if (prior->value)
    note(TRACE_WAIT_END, ompt_sync_region_taskwait, 0, 0);
}

/* --- waits --- */

/* A slave's wait at the end of a region has no address of its own; the trace has the region's. */
static void on_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
                    ompt_data_t *task, const void *codeptr) {
  uint64_t at = codeptr || !parallel ? address(codeptr) : parallel->value & LOW_48;
  (void)task;
  note(endpoint == ompt_scope_begin ? TRACE_WAIT_BEGIN : TRACE_WAIT_END, kind, at, 0);
}

/* A test does not wait. */
static bool is_test(ompt_mutex_t kind) {
  return kind == ompt_mutex_test_lock || kind == ompt_mutex_test_nest_lock;
}

static void on_acquire(ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t id,
                       const void *codeptr) {
  (void)hint, (void)impl;
  if (!is_test(kind))
    note(TRACE_LOCK_WAIT, kind, address(codeptr), id & LOW_48);
}

static void on_acquired(ompt_mutex_t kind, ompt_wait_id_t id, const void *codeptr) {
  note(TRACE_LOCK_TAKEN, kind, address(codeptr), id & LOW_48);
}

static void on_released(ompt_mutex_t kind, ompt_wait_id_t id, const void *codeptr) {
  note(TRACE_LOCK_LEFT, kind, address(codeptr), id & LOW_48);
}

/* The wait for an iteration of a doacross loop is one for a turn, which ends at once. */
static void on_doacross_wait(ompt_scope_endpoint_t endpoint, const void *codeptr) {
  if (endpoint == ompt_scope_begin) {
    on_acquire(ompt_mutex_ordered, 0, 0, 0, codeptr);
  } else {
    on_acquired(ompt_mutex_ordered, 0, codeptr);
    on_released(ompt_mutex_ordered, 0, codeptr);
  }
}

/* A lock that its owner has set again. */
static void on_nest_lock(ompt_scope_endpoint_t endpoint, ompt_wait_id_t id, const void *codeptr) {
  note(endpoint == ompt_scope_begin ? TRACE_LOCK_TAKEN : TRACE_LOCK_LEFT, ompt_mutex_nest_lock,
       address(codeptr), id & LOW_48);
}

/* --- work --- */

static void on_work(ompt_work_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
                    ompt_data_t *task, uint64_t count, const void *codeptr) {
  (void)parallel, (void)task;
  if (kind != ompt_work_single_other)
    note(endpoint == ompt_scope_begin ? TRACE_WORK_BEGIN : TRACE_WORK_END, kind, address(codeptr),
         at_most_48(count));
}

static void on_dispatch(ompt_data_t *parallel, ompt_data_t *task, ompt_dispatch_t kind,
                        ompt_data_t instance) {
  (void)parallel, (void)task;
  if (kind == ompt_dispatch_ws_loop_chunk || kind == ompt_dispatch_taskloop_chunk) {
    const ompt_dispatch_chunk_t *chunk = instance.ptr;
    note(TRACE_CHUNK, kind, chunk->start, at_most_48(chunk->iterations));
  } else {
    note(TRACE_CHUNK, kind, instance.value, 1);
  }
}

static void on_cancel(ompt_data_t *task, int flags, const void *codeptr) {
  (void)task;
  note(TRACE_CANCEL, (uint32_t)flags, address(codeptr), 0);
}

static void on_target(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device,
                      ompt_data_t *task, ompt_id_t id, const void *codeptr) {
  (void)task, (void)id;
  note(endpoint == ompt_scope_begin ? TRACE_TARGET_BEGIN : TRACE_TARGET_END, kind, address(codeptr),
       (uint32_t)device);
}

static void on_error(ompt_severity_t severity, const char *message, size_t length,
                     const void *codeptr) {
  (void)message, (void)length;
  note(TRACE_ERROR, severity, address(codeptr), 0);
}

/* --- the start and the end --- */

static void in_child(void) {
  trace_file_forked();
  trace_row_forked(row());
}

static const struct {
  ompt_callbacks_t event;
  ompt_callback_t callback;
} callbacks[] = {
#define ON(event, function) {ompt_callback_##event, (ompt_callback_t)function}
    ON(thread_begin, on_thread_begin),
    ON(thread_end, on_thread_end),
    ON(parallel_begin, on_parallel_begin),
    ON(parallel_end, on_parallel_end),
    ON(implicit_task, on_implicit_task),
    ON(task_create, on_task_create),
    ON(task_schedule, on_task_schedule),
    ON(sync_region_wait, on_wait),
    ON(mutex_acquire, on_acquire),
    ON(mutex_acquired, on_acquired),
    ON(mutex_released, on_released),
    ON(nest_lock, on_nest_lock),
    ON(work, on_work),
    ON(dispatch, on_dispatch),
    ON(cancel, on_cancel),
    ON(target, on_target),
    ON(error, on_error),
#undef ON
};

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
  (void)device, (void)data;
  const char *bytes = getenv("NTH_TRACE_BUFFER");
  ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  thread_data = (ompt_get_thread_data_t)lookup("ompt_get_thread_data");
  if (!set || !thread_data || !trace_file_begin())
    return 0;
  trace_row_begin(bytes ? (uint32_t)strtoul(bytes, NULL, 10) & ~(TRACE_PAGE - 1u) : DEFAULT_BLOCK);
  pthread_atfork(NULL, NULL, in_child);
  for (size_t i = 0; i < sizeof callbacks / sizeof callbacks[0]; i++)
    set(callbacks[i].event, callbacks[i].callback);
  nth_tool_hear_doacross_wait(lookup, on_doacross_wait);
  return 1;
}

static void finalize(ompt_data_t *data) {
  (void)data;
  trace_file_end(trace_row_dropped());
}

__attribute__((visibility("default"))) ompt_start_tool_result_t *
ompt_start_tool(unsigned omp_version, const char *runtime_version) {
  static ompt_start_tool_result_t tool = {initialize, finalize, {0}};
  (void)omp_version, (void)runtime_version;
  return getenv("NTH_TRACE_DIR") ? &tool : NULL;
}
