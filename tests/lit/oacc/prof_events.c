/* prof_events.c - OpenACC: the profiling events of each construct and what they tell */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks kind, order and every field of the events that constructs and functions cause on the host
// device, and that a tool's word is passed from start to end.
// REQUIRES: base
// RUN: %acc_test
#include <acc_prof.h>

#include "check.h"

struct seen {
  int event, construct, implicit, device, async;
};
static struct seen seen[64];
static int count;
static void *tool_word;

static void listen(acc_prof_info *prof, acc_event_info *event, acc_api_info *api) {
  bool is_end = prof->event_type % 2 != 0; /* enter data end is 11, and so on */
  if (prof->event_type <= acc_ev_device_init_end)
    is_end = prof->event_type == acc_ev_device_init_end;
  CHECK_EQ(prof->valid_bytes, 72);
  CHECK_EQ(prof->version, 201711);
  CHECK_EQ(prof->device_number, 0);
  CHECK_EQ(prof->thread_id, -1);
  CHECK_EQ(prof->async_queue, prof->async);
  CHECK(!prof->src_file && !prof->func_name);
  CHECK(prof->line_no == -1 && prof->end_line_no == -1);
  CHECK(prof->func_line_no == -1 && prof->func_end_line_no == -1);
  CHECK_EQ(event->event_type, prof->event_type);
  CHECK_EQ(event->other_event.valid_bytes, 24);
  CHECK(event->other_event.tool_info == (is_end ? tool_word : 0));
  CHECK_EQ(api->device_api, acc_device_api_none);
  CHECK_EQ(api->valid_bytes, 40);
  CHECK_EQ(api->device_type, prof->device_type);
  CHECK_EQ(api->vendor, -1);
  CHECK(!api->device_handle && !api->context_handle && !api->async_handle);
  if (prof->event_type <= acc_ev_device_init_end)
    CHECK_EQ(acc_get_device_type(), acc_device_none); /* not yet */
  tool_word = &seen[count];
  event->other_event.tool_info = tool_word;
  CHECK(count < 64);
  seen[count++] =
      (struct seen){(int)prof->event_type, (int)event->other_event.parent_construct,
                    event->other_event.implicit, (int)prof->device_type, (int)prof->async};
}

/* A pair of events, start and end, and nothing before it since the last call. */
static void pair(int line, int at, struct seen start) {
  struct seen end = start;
  end.event++;
  if (count < at + 2 || memcmp(&seen[at], &start, sizeof start) != 0 ||
      memcmp(&seen[at + 1], &end, sizeof end) != 0) {
    fprintf(stderr, "line %d: %d events:\n", line, count);
    for (int i = 0; i < count; i++)
      fprintf(stderr, "  event %d construct %d implicit %d device %d async %d\n", seen[i].event,
              seen[i].construct, seen[i].implicit, seen[i].device, seen[i].async);
    exit(1);
  }
}
#define HOST acc_device_host
#define SYNC acc_async_sync
#define ONE(...)                                                                                   \
  do {                                                                                             \
    pair(__LINE__, 0, (struct seen){__VA_ARGS__});                                                 \
    CHECK_EQ(count, 2);                                                                            \
    count = 0;                                                                                     \
  } while (0)

static void constructs(void) {
  static int x[4];
  volatile int off = 0;
  int *p = 0;
#pragma acc parallel copy(x)
  x[0]++;
  ONE(acc_ev_compute_construct_start, acc_construct_parallel, 0, HOST, SYNC);
#pragma acc serial copy(x) async(3) if (off)
  x[0]++;
  ONE(acc_ev_compute_construct_start, acc_construct_parallel, 0, HOST, SYNC);
#pragma acc data copy(x)
  {
    ONE(acc_ev_enter_data_start, acc_construct_data, 0, HOST, SYNC);
#pragma acc host_data use_device(x)
    {
      p = x;
      ONE(acc_ev_enter_data_start, acc_construct_host_data, 0, HOST, SYNC);
    }
    ONE(acc_ev_exit_data_start, acc_construct_data, 0, HOST, SYNC);
  }
  ONE(acc_ev_exit_data_start, acc_construct_data, 0, HOST, SYNC);
#pragma acc enter data copyin(x) async(2)
  ONE(acc_ev_enter_data_start, acc_construct_enter_data, 0, HOST, 2);
#pragma acc exit data copyout(x) async
  ONE(acc_ev_exit_data_start, acc_construct_exit_data, 0, HOST, acc_async_noval);
#pragma acc update self(x) if (off)
  ONE(acc_ev_update_start, acc_construct_update, 0, HOST, SYNC);
#pragma acc wait
#pragma acc wait(1) async(2)
  acc_wait_all();
  acc_copyin(x, sizeof x);
  acc_update_self(x, sizeof x);
  acc_free(acc_malloc(4));
  CHECK_EQ(count, 0);
  CHECK(p == x);
}

static void device(void) {
  acc_init(acc_device_host);
  ONE(acc_ev_device_init_start, acc_construct_runtime_api, 0, HOST, SYNC);
  acc_shutdown(acc_device_host);
  CHECK_EQ(count, 0);
  acc_init(acc_device_default);
  ONE(acc_ev_device_init_start, acc_construct_runtime_api, 0, acc_device_default, SYNC);
}

int main(void) {
  for (int e = acc_ev_none + 1; e < acc_ev_last; e++)
    acc_prof_register((acc_event_t)e, listen, acc_reg);
#pragma acc parallel
  {}
  pair(
      __LINE__, 0,
      (struct seen){acc_ev_device_init_start, acc_construct_parallel, 1, acc_device_default, SYNC});
  pair(__LINE__, 2,
       (struct seen){acc_ev_compute_construct_start, acc_construct_parallel, 0, HOST, SYNC});
  CHECK_EQ(count, 4);
  count = 0;
  constructs();
  acc_shutdown(acc_device_host);
  device();
  return 0;
}
