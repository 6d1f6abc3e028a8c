/* family.c - a family of carriers: its memory as CPUs come and go; who joins; who steals from whom
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "tests/unit/unit.h"

#include "runtime/sched/nano/carrier.h"
#include "runtime/sched/nano/carry.h"
#include "runtime/sched/nano/identity.h"
#include "runtime/sched/nano/watchdog.h"

static void room_stays(void) {
  struct nth_family *f = nth_carry_family(0, 8, 1);
  unit_check(f && nth_load_rlx(&f->capacity) == 8);
  unit_check(nth_carry_family(f, 2, 1) == f && nth_load_rlx(&f->capacity) == 2);
  unit_check(nth_carry_family(f, 8, 1) == f && nth_load_rlx(&f->capacity) == 8);
  struct nth_family *larger = nth_carry_family(f, 16, 1);
  unit_check(larger && larger != f && nth_load_rlx(&larger->capacity) == 16 && larger->older == f);
  unit_check(nth_carry_family(larger, 1, 1) == larger && nth_carry_family(larger, 16, 1) == larger);
}

/* Four carriers in two domains; each has one identity in its queue. */
enum { CARRIERS = 4 };
static struct nth_carrier carrier[CARRIERS];
static struct nth_identity identity[CARRIERS];

static void fill(void) {
  struct nth_family *f = nth_carry_family(0, CARRIERS, 1);
  nth_store_rlx(&f->size, CARRIERS);
  for (uint32_t i = 0; i < CARRIERS; i++) {
    carrier[i].family = f;
    nth_store_rlx(&carrier[i].domain, i / 2);
    nth_store_rlx(&f->carrier[i], &carrier[i]);
    (void)nth_carrier_empty(&carrier[i], false);
    identity[i].place = 0;
    unit_check(nth_carrier_put(&carrier[i], &identity[i]));
  }
}

static void near_first(void) {
  fill();
  unit_check(nth_carrier_steal(&carrier[2], 0, true) == &identity[3]);
  unit_check(nth_carrier_steal(&carrier[2], 0, true) == &identity[0]);
  unit_check(nth_carrier_steal(&carrier[3], 0, true) == &identity[2]);
  unit_check(nth_carrier_steal(&carrier[3], 0, true) == &identity[1]);
  unit_check(!nth_carrier_steal(&carrier[3], 0, true));
}

static void own_place_only(void) {
  fill();
  identity[3].place = identity[0].place = 1;
  unit_check(nth_carrier_steal(&carrier[2], 0, true) == &identity[1]);
  unit_check(!nth_carrier_steal(&carrier[2], 0, true));
  nth_store_rlx(&carrier[2].place, 1);
  unit_check(nth_carrier_steal(&carrier[2], 0, true) == &identity[3]);
  unit_check(nth_carrier_steal(&carrier[2], 0, true) == &identity[0]);
  nth_store_rlx(&carrier[2].place, 0);
}

/* While members wait apart, one in the queue of its own OS thread is not stolen. */
static void left_while_apart(void) {
  fill();
  struct nth_family *f = carrier[0].family;
  identity[3].own = &carrier[3];
  identity[0].own = &carrier[1];
  identity[1].own = &carrier[1];
  nth_or_rlx(&nth_carrier_special, NTH_APART_SEEN);
  nth_store_rlx(&f->apart, 1);
  unit_check(nth_carrier_steal(&carrier[2], 0, true) == &identity[0]);
  unit_check(!nth_carrier_steal(&carrier[2], 0, true));
  nth_store_rlx(&f->apart, 0);
  unit_check(nth_carrier_steal(&carrier[2], 0, true) == &identity[3]);
  unit_check(nth_carrier_steal(&carrier[2], 0, true) == &identity[1]);
}

/* Who empties the queue of a carrier that has ended does not open it again. */
static void over_stays(void) {
  fill();
  unit_check(nth_carrier_empty(&carrier[0], true) == &identity[0]);
  unit_check(!nth_carrier_put(&carrier[0], &identity[0]));
  unit_check(!nth_carrier_empty(&carrier[0], false));
  unit_check(!nth_carrier_put(&carrier[0], &identity[0]));
  nth_carrier_open(&carrier[0]);
  unit_check(nth_carrier_put(&carrier[0], &identity[0]));
}

/* Carriers that join at the same moment: each one that is regular has an entry of its own. */
enum { JOINERS = 4, EACH = 2 };
static struct nth_family *joined;
static struct nth_pthread member[JOINERS][EACH];

static void join_some(unsigned number) {
  for (int i = 0; i < EACH; i++)
    nth_carry_enrol(&member[number][i], joined, 0, 1);
}

static void each_has_an_entry(void) {
  static struct nth_worker *const any = (struct nth_worker *)&identity; /* nobody looks into it */
  for (int round = 0; round < 400; round++) {
    joined = nth_carry_family(joined, JOINERS * EACH, 1);
    for (int n = 0; n < JOINERS; n++)
      for (int i = 0; i < EACH; i++)
        member[n][i].worker = any;
    unit_threads(JOINERS, join_some);
    unit_check(nth_load_rlx(&joined->size) == JOINERS * EACH);
    for (int n = 0; n < JOINERS; n++)
      for (int i = 0; i < EACH; i++) {
        uint32_t found = 0;
        for (uint32_t k = 0; k < JOINERS * EACH; k++)
          found += nth_load_rlx(&joined->carrier[k]) == &member[n][i].carrier;
        unit_check(found == 1 && nth_load_rlx(&member[n][i].carrier.regular));
      }
  }
}

int main(void) {
  unit_begin();
  unit_run(room_stays);
  unit_run(near_first);
  unit_run(own_place_only);
  unit_run(left_while_apart);
  unit_run(over_stays);
  unit_run(each_has_an_entry);
  return 0;
}
