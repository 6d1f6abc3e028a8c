/* djs.c - the join's slot of a slave that has come back: calls, and another worker's slot
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/struct/djs.h"

#include "tests/unit/unit.h"

/* A second call that found the first one still on its way would be lost: the slave may go on with
 * one task, and wait in it for the other. */
static void calls_are_not_merged(void) {
  struct nth_djs d = {0};
  unit_check(!nth_djs_call(&d, 0)); /* it has arrived */
  unit_check(nth_djs_come_back(&d, 0));
  unit_check(nth_djs_call(&d, 0));
  unit_check(!nth_djs_call(&d, 0));  /* somebody else is to be called */
  unit_check(!nth_djs_leave(&d, 0)); /* it looks once more, */
  unit_check(nth_djs_call(&d, 0));   /* and can be called again */
  unit_check(!nth_djs_leave(&d, 0));
  unit_check(nth_djs_leave(&d, 0));
  unit_check(!nth_djs_call(&d, 0));
}

/* A slave that still looks while the slot is another one's, in the next region. */
static void the_slot_of_another(void) {
  struct nth_djs d = {0};
  unit_check(nth_djs_come_back(&d, 0));
  unit_check(nth_djs_look(&d, 1) == NTH_DJS_RUNS); /* the new one, which has a descriptor */
  unit_check(!nth_djs_call(&d, 1));
  nth_djs_arrive(&d, 1);
  unit_check(!nth_djs_come_back(&d, 0)); /* the old one again */
  unit_check(nth_djs_come_back(&d, 1));
  unit_check(nth_djs_leave(&d, 0)); /* the old one leaves the bit of the new one alone */
  unit_check(!nth_djs_done(&d, 1) && nth_djs_look(&d, 1) == NTH_DJS_IS_BACK);
  unit_check(nth_djs_leave(&d, 1) && nth_djs_done(&d, 1));
}

int main(void) {
  unit_run(calls_are_not_merged);
  unit_run(the_slot_of_another);
  return 0;
}
