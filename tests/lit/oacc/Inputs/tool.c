/* tool.c - a profiling tool in a shared object */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <acc_prof.h>
#include <stdio.h>

static void listen(acc_prof_info *prof, acc_event_info *event, acc_api_info *api) {
  (void)event, (void)api;
  printf(TOOL ": event %d\n", (int)prof->event_type);
}

void acc_register_library(acc_prof_reg reg, acc_prof_reg unreg, acc_prof_lookup_func lookup) {
  printf(TOOL ": registered, lookup %s\n", lookup("nothing") ? "found" : "found nothing");
  reg(acc_ev_compute_construct_start, listen, acc_reg);
  reg(acc_ev_compute_construct_end, listen, acc_reg);
  unreg(acc_ev_compute_construct_end, listen, acc_reg);
}
