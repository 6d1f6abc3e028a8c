/* event.h - a pair of events, start and end, around what a construct does
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         OpenACC 2.6, section 5.1. On the host device nothing is allocated, copied or queued.
 *             So the only events are those with a start and an end: device init, enter and exit
 *             data, update, compute construct. Unknown values (source lines, thread) are -1 or
 *             NULL.
 * Use         start, the work, end with the same structure, which lives in the caller's frame. What
 *             a tool stores in tool_info at the start, it finds there at the end.
 * Cost        without tools: one relaxed load; only `on` is written in the structure
 */
#ifndef NTH_ACC_EVENT_H
#define NTH_ACC_EVENT_H

#include "runtime/acc/prof.h"

struct nth_acc_event {
  bool on; /* a tool listened at the start; otherwise nothing below is set */
  struct acc_prof_info prof;
  union acc_event_info info;
  struct acc_api_info api;
};

/* What happens: which event starts (acc_ev_..._start), for which construct, on which queue. Its end
 * event has the next number. */
struct nth_acc_what {
  int event;       /* acc_ev_ */
  int construct;   /* acc_construct_ */
  int implicit;    /* 1: the program did not ask for it, the construct needs it */
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
