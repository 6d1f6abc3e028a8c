/* event.h - a pair of events, start and end, around what a construct does
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         OpenACC 2.6, section 5.1. On the host device nothing is allocated, copied or queued,
 *             so that only events with a start and an end occur: device init, enter and exit data,
 *             update, compute construct. What cannot be known (source lines, thread) is -1 or
 *             NULL.
 * Use         start, the work, end with the same structure; it lives in the caller's frame. What a
 *             tool leaves in tool_info at the start it finds at the end.
 * Cost        without tools: one relaxed load; the structure is not touched but for `on`.
 */
#ifndef NTH_ACC_EVENT_H
#define NTH_ACC_EVENT_H

#include "runtime/acc/prof.h"

struct nth_acc_event {
  bool on; /* somebody listened at the start; else nothing below is set */
  struct acc_prof_info prof;
  union acc_event_info info;
  struct acc_api_info api;
};

/* What happened: which event starts (acc_ev_..._start), because of which construct, on which queue.
 * The event that ends has the next number. */
struct nth_acc_what {
  int event;       /* acc_ev_ */
  int construct;   /* acc_construct_ */
  int implicit;    /* 1: the construct does it by the way */
  int device_type; /* acc_device_ */
  int async;       /* acc_async_ or a queue */
};

void nth_acc_event_fill(struct nth_acc_event *e, const struct nth_acc_what *what);
void nth_acc_event_finish(struct nth_acc_event *e);

static inline void nth_acc_event_start(struct nth_acc_event *e, const struct nth_acc_what *what) {
  e->on = nth_acc_prof_active();
  if (e->on)
    nth_acc_event_fill(e, what);
}

static inline void nth_acc_event_end(struct nth_acc_event *e) {
  if (e->on)
    nth_acc_event_finish(e);
}

#endif
