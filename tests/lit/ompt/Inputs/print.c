/* print.c - a tool that writes what it hears, one line an event
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Members, tasks and regions have numbers, which a test can compare. Lines go to stderr.
 */
#include <omp-tools.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

static ompt_get_unique_id_t new_id;
static ompt_get_thread_data_t my_data;

static unsigned long id_of(const ompt_data_t *data) {
  return data ? (unsigned long)data->value : 0;
}

__attribute__((format(printf, 1, 2))) static void say(const char *format, ...) {
  char line[256];
  va_list args;
  int n = snprintf(line, sizeof line, "thread %lu: ", id_of(my_data()));
  va_start(args, format);
  n += vsnprintf(line + n, sizeof line - (size_t)n - 1, format, args);
  va_end(args);
  line[n++] = '\n';
  if (write(STDERR_FILENO, line, (size_t)n) < 0)
    return;
}

static const char *scope(ompt_scope_endpoint_t at) {
  return at == ompt_scope_begin ? "begin" : "end";
}

static void thread_begin(ompt_thread_t type, ompt_data_t *data) {
  data->value = new_id();
  say("thread_begin type=%d", type);
}

static void thread_end(ompt_data_t *data) { say("thread_end %lu", id_of(data)); }

static void parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel,
                           unsigned wanted, int flags, const void *ra) {
  parallel->value = new_id();
  say("parallel_begin task=%lu parallel=%lu wanted=%u flags=%x frame=%d ra=%d", id_of(task),
      id_of(parallel), wanted, (unsigned)flags, frame->enter_frame.ptr != 0, ra != 0);
}

static void parallel_end(ompt_data_t *parallel, ompt_data_t *task, int flags, const void *ra) {
  (void)flags, (void)ra;
  say("parallel_end parallel=%lu task=%lu", id_of(parallel), id_of(task));
}

static void implicit_task(ompt_scope_endpoint_t at, ompt_data_t *parallel, ompt_data_t *task,
                          unsigned members, unsigned index, int flags) {
  if (at == ompt_scope_begin)
    task->value = new_id();
  say("implicit_task %s parallel=%lu task=%lu members=%u index=%u flags=%d", scope(at),
      id_of(parallel), id_of(task), members, index, flags);
}

static void sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t at, ompt_data_t *parallel,
                        ompt_data_t *task, const void *ra) {
  (void)ra;
  say("sync %d %s parallel=%lu task=%lu", kind, scope(at), id_of(parallel), id_of(task));
}

static void task_create(ompt_data_t *maker, const ompt_frame_t *frame, ompt_data_t *task, int flags,
                        int depends, const void *ra) {
  (void)frame, (void)ra;
  task->value = new_id();
  say("task_create by=%lu task=%lu flags=%x depends=%d", id_of(maker), id_of(task), (unsigned)flags,
      depends);
}

static void task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next) {
  say("schedule %lu status=%d next=%lu", id_of(prior), status, id_of(next));
}

static void work(ompt_work_t kind, ompt_scope_endpoint_t at, ompt_data_t *parallel,
                 ompt_data_t *task, uint64_t count, const void *ra) {
  (void)count, (void)ra;
  say("work %d %s parallel=%lu task=%lu", kind, scope(at), id_of(parallel), id_of(task));
}

static void acquire(ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t wait,
                    const void *ra) {
  (void)hint, (void)wait, (void)ra;
  say("acquire %d impl=%u", kind, impl);
}

static void acquired(ompt_mutex_t kind, ompt_wait_id_t wait, const void *ra) {
  (void)wait, (void)ra;
  say("acquired %d", kind);
}

static void released(ompt_mutex_t kind, ompt_wait_id_t wait, const void *ra) {
  (void)wait, (void)ra;
  say("released %d", kind);
}

static int start(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
  (void)device, (void)data;
  ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  new_id = (ompt_get_unique_id_t)lookup("ompt_get_unique_id");
  my_data = (ompt_get_thread_data_t)lookup("ompt_get_thread_data");
  set(ompt_callback_thread_begin, (ompt_callback_t)thread_begin);
  set(ompt_callback_thread_end, (ompt_callback_t)thread_end);
  set(ompt_callback_parallel_begin, (ompt_callback_t)parallel_begin);
  set(ompt_callback_parallel_end, (ompt_callback_t)parallel_end);
  set(ompt_callback_implicit_task, (ompt_callback_t)implicit_task);
  set(ompt_callback_sync_region, (ompt_callback_t)sync_region);
  set(ompt_callback_task_create, (ompt_callback_t)task_create);
  set(ompt_callback_task_schedule, (ompt_callback_t)task_schedule);
  set(ompt_callback_work, (ompt_callback_t)work);
  set(ompt_callback_mutex_acquire, (ompt_callback_t)acquire);
  set(ompt_callback_mutex_acquired, (ompt_callback_t)acquired);
  set(ompt_callback_mutex_released, (ompt_callback_t)released);
  return 1;
}

static void end(ompt_data_t *data) {
  (void)data;
  say("finalize");
}

ompt_start_tool_result_t *ompt_start_tool(unsigned omp_version, const char *runtime_version) {
  static ompt_start_tool_result_t result = {start, end, {0}};
  return omp_version >= 201811 && runtime_version ? &result : 0;
}
