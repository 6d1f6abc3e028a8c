/* prof_nested.c - OpenACC: callbacks that register and launch; switches before registration */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a callback may change the registrations and launch constructs, that many callbacks
// of an event run in order, and that a switch that comes before any registration is kept.
// nanogomp-only: libgomp hangs or stops in such callbacks and forgets such switches.
// REQUIRES: nanogomp, base
// RUN: %acc_test
#include <acc_prof.h>

#include "check.h"

#define START acc_ev_compute_construct_start

static char got[64];
static int depth, deepest;

static void launch(void) {
#pragma acc parallel
  {}
}

static void expect(int line, const char *wanted) {
  got[0] = 0;
  launch();
  if (strcmp(got, wanted) != 0) {
    fprintf(stderr, "line %d: \"%s\", wanted \"%s\"\n", line, got, wanted);
    exit(1);
  }
}
#define EXPECT(wanted) expect(__LINE__, wanted)

#define CALLBACK(name)                                                                             \
  static void name(acc_prof_info *prof, acc_event_info *event, acc_api_info *api) {                \
    (void)prof, (void)event, (void)api;                                                            \
    strcat(got, #name);                                                                            \
  }
CALLBACK(a)
CALLBACK(b)
CALLBACK(c)
CALLBACK(d)
CALLBACK(e)
CALLBACK(f)
CALLBACK(g)
CALLBACK(h)
CALLBACK(i)
CALLBACK(j)

static void replace_self(acc_prof_info *prof, acc_event_info *event, acc_api_info *api) {
  (void)prof, (void)event, (void)api;
  strcat(got, "-");
  acc_prof_unregister(START, replace_self, acc_reg);
  acc_prof_register(START, b, acc_reg);
}

static void launches(acc_prof_info *prof, acc_event_info *event, acc_api_info *api) {
  (void)prof, (void)event, (void)api;
  depth++;
  deepest = depth > deepest ? depth : deepest;
  if (depth < 3)
    launch();
  acc_wait(1);
  depth--;
}

static void early_switches(void) {
  acc_prof_unregister(acc_ev_none, 0, acc_toggle);
  acc_prof_unregister(acc_ev_none, 0, acc_toggle_per_thread);
  acc_prof_register(START, a, acc_reg);
  EXPECT("");
  acc_prof_register(acc_ev_none, 0, acc_toggle);
  EXPECT("");
  acc_prof_register(acc_ev_none, 0, acc_toggle_per_thread);
  EXPECT("a");
}

static void many(void) {
  static const acc_prof_callback all[] = {b, c, d, e, f, g, h, i, j};
  for (int n = 0; n < 9; n++)
    acc_prof_register(START, all[n], acc_reg);
  EXPECT("abcdefghij");
  acc_prof_unregister(START, d, acc_toggle);
  EXPECT("abcefghij");
  for (int n = 0; n < 9; n++)
    acc_prof_unregister(START, all[n], acc_reg);
  EXPECT("a");
}

int main(void) {
  early_switches();
  many();
  acc_prof_register(START, replace_self, acc_reg);
  EXPECT("a-");
  EXPECT("ab");
  acc_prof_register(START, launches, acc_reg);
  EXPECT("ababab");
  CHECK_EQ(deepest, 3);
  acc_prof_register(START, 0, acc_reg); /* none of these is a registration */
  acc_prof_register(acc_ev_none, c, acc_reg);
  acc_prof_register((acc_event_t)26, c, acc_reg);
  acc_prof_register((acc_event_t)-1, c, acc_reg);
  acc_prof_register(START, c, (acc_register_t)7);
  EXPECT("ababab");
  return 0;
}
