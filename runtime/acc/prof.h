/* prof.h - which tools want to hear of which events
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         OpenACC 2.6, section 5: tools register callbacks for events, count registrations,
 *             and switch callbacks, events, a thread's or all events off and on.
 * Use         register / unregister from the tool; dispatch from the constructs (event.h fills
 *             what is passed). active() is the test before anything is filled.
 * Invariants  I1  a callback stands at most once in an event's list, in the order of first
 *                 registration, with references > 0
 *             I2  bit e of `wanted` is set  <=>  events are on, event e is on and one of its
 *                 callbacks is
 *             I3  no lock is held while a callback runs: it may register, launch, wait
 * Orders      lists and switches: under one mutex (mutex:A). `wanted` is written under it and read
 *             relaxed: a registration that happens before a construct is seen by it.
 * Cost        without tools: one relaxed load a construct. With: the mutex and a copy of the list
 *             an event.
 * Tested by   tests/lit/oacc/prof_register.c, prof_nested.c, prof_threads.c
 */
#ifndef NTH_ACC_PROF_H
#define NTH_ACC_PROF_H

#include <stdbool.h>

#include "runtime/acc/prof_types.h"
#include "runtime/base/atomic.h"

/* acc_prof_callback */
#define NTH_ACC_CALLBACK(name)                                                                     \
  void (*name)(struct acc_prof_info *, union acc_event_info *, struct acc_api_info *)

/* acc_prof_register and acc_prof_unregister: event is acc_ev_, how is acc_reg: one reference more
 * or less; acc_toggle: the callback (NULL: the event; acc_ev_none and NULL: all events) on or off;
 * acc_toggle_per_thread with acc_ev_none and NULL: all events of this thread on or off. Anything
 * else, and what was not registered, changes nothing. */
void nth_acc_prof_register(int event, NTH_ACC_CALLBACK(callback), int how);
void nth_acc_prof_unregister(int event, NTH_ACC_CALLBACK(callback), int how);

/* w: register and unregister, under the mutex; r: all */
extern _Atomic(uint32_t) nth_acc_prof_wanted;

/* Whether any event has a callback: nothing needs to be filled otherwise. */
static inline bool nth_acc_prof_active(void) {
  return nth_unlikely(nth_load_rlx(&nth_acc_prof_wanted) != 0);
}

/* Calls the callbacks of prof->event_type that are on: a start event's in the order of their
 * registration, an end event's in reverse order (section 5.2). */
void nth_acc_prof_dispatch(struct acc_prof_info *prof, union acc_event_info *event,
                           struct acc_api_info *api);

/* Loads the tools that `list` names: shared objects, separated by semicolons. start() gets the
 * address that each one's acc_register_library has and calls it; false: it is not the tool's own.
 * What cannot be loaded or started is named in a message and left out. */
void nth_acc_prof_load(const char *list, bool (*start)(void *register_library));

#endif
