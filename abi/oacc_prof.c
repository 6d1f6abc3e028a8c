/* oacc_prof.c - OpenACC's profiling interface: tools register for events
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenACC 2.6, section 5. acc/prof.h has the details.
 */
#include <string.h>

#include "abi_protos.h"

#include "runtime/acc/prof.h"
#include "runtime/omp/types/icv.h"

/* Registers a callback for an event; or switches on the callback, the event or all events. */
void acc_prof_register(acc_event_t event, acc_prof_callback callback, acc_register_t how) {
  nth_acc_prof_register(event, callback, how);
}

/* Takes a registration back; or switches off the callback, the event or all events. */
void acc_prof_unregister(acc_event_t event, acc_prof_callback callback, acc_register_t how) {
  nth_acc_prof_unregister(event, callback, how);
}

/* Finds a function of the interface that is not exported by name: there is none. */
acc_query_fn acc_prof_lookup(const char *name) {
  (void)name;
  return 0;
}

/* Tools define this function in their own objects. This one registers nothing. */
void acc_register_library(acc_prof_reg reg, acc_prof_reg unreg, acc_prof_lookup_func lookup) {
  (void)reg, (void)unreg, (void)lookup;
}

static bool start_tool(void *register_library) {
  void (*start)(acc_prof_reg, acc_prof_reg, acc_prof_lookup_func);
  if (register_library == (void *)acc_register_library)
    return false;
  memcpy(&start, &register_library, sizeof start);
  start(acc_prof_register, acc_prof_unregister, acc_prof_lookup);
  return true;
}

/* Loads ACC_PROFLIB's tools. Section 5.3.2. It has no number, so it runs after the constructor of
 * omp/process/init.c, which has one and reads the environment. */
__attribute__((constructor)) static void load_tools(void) {
  if (nth_env.acc_proflib)
    nth_acc_prof_load(nth_env.acc_proflib, start_tool);
}
