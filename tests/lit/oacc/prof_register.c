/* prof_register.c - OpenACC: registration, counting and switching of profiling callbacks */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks which callbacks run, and in which order, after each step of a series of registrations.
// REQUIRES: base
// RUN: %acc_test
#include <acc_prof.h>

#include "check.h"

#define START acc_ev_compute_construct_start
#define END acc_ev_compute_construct_end
#define ALL acc_ev_none

static char got[64];

static void note(char who, const acc_prof_info *prof) {
  size_t n = strlen(got);
  CHECK(n + 2 < sizeof got);
  got[n] = prof->event_type == START ? who : (char)(who - 'a' + 'A');
  got[n + 1] = 0;
}

#define CALLBACK(name)                                                                             \
  static void name(acc_prof_info *prof, acc_event_info *event, acc_api_info *api) {                \
    (void)event, (void)api;                                                                        \
    note(#name[0], prof);                                                                          \
  }
CALLBACK(a)
CALLBACK(b)
CALLBACK(c)

/* One construct; small letters: callbacks of its start, large ones: of its end. */
static void expect(int line, const char *wanted) {
  got[0] = 0;
#pragma acc parallel
  {}
  if (strcmp(got, wanted) != 0) {
    fprintf(stderr, "line %d: \"%s\", wanted \"%s\"\n", line, got, wanted);
    exit(1);
  }
}
#define ON(event, callback, how, wanted)                                                           \
  acc_prof_register(event, callback, how), expect(__LINE__, wanted)
#define OFF(event, callback, how, wanted)                                                          \
  acc_prof_unregister(event, callback, how), expect(__LINE__, wanted)

static void references(void) {
  ON(START, a, acc_reg, "a");
  ON(START, b, acc_reg, "ab");
  ON(END, a, acc_reg, "abA");
  ON(END, b, acc_reg, "abBA"); /* ends in reverse order */
  ON(START, a, acc_reg, "abBA");
  OFF(START, a, acc_reg, "abBA"); /* was registered twice */
  OFF(START, a, acc_reg, "bBA");
  OFF(START, a, acc_reg, "bBA");
  ON(START, a, acc_reg, "baBA"); /* the last now */
  OFF(START, c, acc_reg, "baBA");
  OFF(END, a, acc_reg, "baB");
  OFF(END, b, acc_reg, "ba");
  OFF(START, b, acc_reg, "a");
  OFF(START, a, acc_reg, "");
}

static void switches(void) {
  ON(START, a, acc_toggle, ""); /* not registered */
  ON(START, a, acc_reg, "a");
  OFF(START, a, acc_toggle, "");
  OFF(START, a, acc_toggle, "");
  ON(START, a, acc_reg, ""); /* a second reference stays off */
  ON(START, a, acc_toggle, "a");
  OFF(START, 0, acc_toggle, "");
  ON(START, b, acc_reg, "");
  OFF(START, a, acc_toggle, "");
  ON(START, 0, acc_toggle, "b");
  OFF(ALL, 0, acc_toggle, "");
  ON(START, a, acc_toggle, "");
  ON(START, 0, acc_toggle, "");
  ON(ALL, 0, acc_toggle, "ab");
  OFF(ALL, 0, acc_toggle_per_thread, "");
  OFF(ALL, 0, acc_toggle_per_thread, "");
  ON(ALL, 0, acc_toggle_per_thread, "ab");
  OFF(START, 0, acc_toggle_per_thread, "ab"); /* only all events go by thread */
  OFF(ALL, a, acc_toggle_per_thread, "ab");
  OFF(START, b, acc_reg, "a");
  OFF(START, a, acc_reg, "a");
  OFF(START, a, acc_reg, "");
  ON(START, b, acc_reg, "b"); /* a new registration is on */
  OFF(START, b, acc_reg, "");
}

int main(void) {
  CHECK(!acc_prof_lookup("acc_prof_register"));
  CHECK(!acc_prof_lookup(""));
  references();
  switches();
  references();
  return 0;
}
