/* family.c - a family of carriers keeps its memory when the number of CPUs changes
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "tests/unit/unit.h"

#include "runtime/sched/carry.h"
#include "runtime/sched/identity.h"

static void room_stays(void) {
  struct nth_family *f = nth_carry_family(0, 8);
  unit_check(f && f->capacity == 8);
  unit_check(nth_carry_family(f, 2) == f && f->capacity == 2);
  unit_check(nth_carry_family(f, 8) == f && f->capacity == 8);
  struct nth_family *larger = nth_carry_family(f, 16);
  unit_check(larger && larger != f && larger->capacity == 16 && larger->older == f);
  unit_check(nth_carry_family(larger, 1) == larger && nth_carry_family(larger, 16) == larger);
}

int main(void) {
  unit_begin();
  unit_run(room_stays);
  return 0;
}
