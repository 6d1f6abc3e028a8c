/* event.c - a pair of events, start and end, around what a construct does
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/acc/event.h"

#include "runtime/acc/device.h"

#define VALID_BYTES(type, last) (int)(offsetof(type, last) + sizeof(((type *)0)->last))

static void dispatch(struct nth_acc_event *e) {
  nth_acc_prof_dispatch(&e->prof, &e->info, &e->api);
}

void nth_acc_event_fill(struct nth_acc_event *e, const struct nth_acc_what *what) {
  e->prof = (struct acc_prof_info){
      .event_type = what->event,
      .valid_bytes = VALID_BYTES(struct acc_prof_info, func_end_line_no),
      .version = NTH_ACC_PROF_VERSION,
      .device_type = what->device_type,
      .device_number = nth_acc_device_number(),
      .thread_id = -1,
      .async = what->async,
      .async_queue = what->async,
      .line_no = -1,
      .end_line_no = -1,
      .func_line_no = -1,
      .func_end_line_no = -1,
  };
  e->info.other_event = (struct acc_other_event_info){
      .event_type = what->event,
      .valid_bytes = VALID_BYTES(struct acc_other_event_info, tool_info),
      .parent_construct = what->construct,
      .implicit = what->implicit,
  };
  e->api = (struct acc_api_info){
      .device_api = acc_device_api_none,
      .valid_bytes = VALID_BYTES(struct acc_api_info, async_handle),
      .device_type = what->device_type,
      .vendor = -1,
  };
  dispatch(e);
}

void nth_acc_event_finish(struct nth_acc_event *e) {
  e->prof.event_type++;
  e->info.event_type = e->prof.event_type;
  dispatch(e);
}
