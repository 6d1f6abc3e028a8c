/* djs.c - the join's slot of a slave that has come back: one call for one task
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/struct/djs.h"

#include "tests/unit/unit.h"

/* A second call that found the first one still on its way would be lost: the slave may go on with
 * one task, and wait in it for the other. */
static void calls_are_not_merged(void) {
  struct nth_djs d = {0};
  unit_check(!nth_djs_call(&d)); /* it has arrived */
  unit_check(nth_djs_come_back(&d));
  unit_check(nth_djs_call(&d));
  unit_check(!nth_djs_call(&d));  /* somebody else is to be called */
  unit_check(!nth_djs_leave(&d)); /* it looks once more, */
  unit_check(nth_djs_call(&d));   /* and can be called again */
  unit_check(!nth_djs_leave(&d));
  unit_check(nth_djs_leave(&d));
  unit_check(!nth_djs_call(&d));
}

int main(void) {
  unit_run(calls_are_not_merged);
  return 0;
}
