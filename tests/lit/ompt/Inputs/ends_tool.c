/* ends_tool.c - a tool that counts threads which begin and do not end
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include <omp-tools.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static atomic_int began, ended;
static ompt_get_thread_data_t my_data;

static void say(const char *text, size_t length) {
  if (write(STDERR_FILENO, text, length) < 0)
    _exit(3);
}

static void thread_begin(ompt_thread_t type, ompt_data_t *data) {
  data->value = (uint64_t)type;
  if (type == ompt_thread_worker)
    atomic_fetch_add(&began, 1);
}

static void thread_end(ompt_data_t *data) {
  if (my_data() != data)
    say("other thread\n", 13);
  if (data->value == ompt_thread_worker)
    atomic_fetch_add(&ended, 1);
  data->value = 0; /* a second end is not counted, so that another one is missed */
}

static int start(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
  (void)device, (void)data;
  ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  my_data = (ompt_get_thread_data_t)lookup("ompt_get_thread_data");
  set(ompt_callback_thread_begin, (ompt_callback_t)thread_begin);
  set(ompt_callback_thread_end, (ompt_callback_t)thread_end);
  return 1;
}

static void end(ompt_data_t *data) {
  char text[80];
  (void)data;
  int n = snprintf(text, sizeof text, "finalize: %d workers began, %d did not end\n", began,
                   began - ended);
  say(text, (size_t)n);
}

ompt_start_tool_result_t *ompt_start_tool(unsigned omp_version, const char *runtime_version) {
  static ompt_start_tool_result_t result = {start, end, {0}};
  return omp_version >= 201811 && runtime_version ? &result : 0;
}
