/* prof.h - which profiling tools are told of which OpenACC events
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         OpenACC 2.6, section 5: tools register callbacks for events. Registrations are
 *             counted. Tools may switch a callback, an event, the events of a thread or all events
 *             off and on.
 * Use         register and unregister from the tool; dispatch from the constructs. active() tells
 *             whether event.h need fill anything.
 * Invariants  I1  a callback stands at most once in an event's list, in the order of first
 *                 registration, with references > 0
 *             I2  bit e of `wanted` is set  <=>  events are on, event e is on and one of its
 *                 callbacks is
 *             I3  no lock is held while a callback runs: it may register, launch, wait
 * Orders      One mutex guards lists and switches (mutex:A). `wanted` is written under it and read
 *             relaxed: a construct sees each registration that happens before it.
 * Cost        without tools: one relaxed load for each construct. With tools: the mutex and a copy
 *             of the list for each event
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

/* acc_prof_register and acc_prof_unregister. event: acc_ev_. how:
 *   acc_reg                one reference more or less
 *   acc_toggle             the callback on or off; NULL: the event; acc_ev_none, NULL: all events
 *   acc_toggle_per_thread  with acc_ev_none and NULL: all events of this thread on or off
 * Any other call, and one for a callback that is not registered, changes nothing. */
void nth_acc_prof_register(int event, NTH_ACC_CALLBACK(callback), int how);
void nth_acc_prof_unregister(int event, NTH_ACC_CALLBACK(callback), int how);

/* w: register and unregister, under the mutex; r: all */
extern _Atomic(uint32_t) nth_acc_prof_wanted;

/* Whether any event has a callback. */
static inline bool nth_acc_prof_active(void) {
  return nth_unlikely(nth_load_rlx(&nth_acc_prof_wanted) != 0);
}

/* Calls the callbacks of prof->event_type that are on, in the order of their registration; those of
 * an end event in reverse order (section 5.2). */
void nth_acc_prof_dispatch(struct acc_prof_info *prof, union acc_event_info *event,
                           struct acc_api_info *api);

/* Loads the tools that `list` names: shared objects, separated by semicolons. start() gets the
 * address of each tool's acc_register_library and calls it; false: the function is not the tool's
 * own. A tool that cannot be loaded or started is left out, with a message. */
void nth_acc_prof_load(const char *list, bool (*start)(void *register_library));

#endif
