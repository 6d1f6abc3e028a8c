/* claim.c - how many chunks a member claims at once, by what claims take
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "tests/unit/unit.h"

#include "runtime/struct/claim.h"

enum { PER_US = 1000 }; /* times below are in ns */

static void judge(struct nth_claim *c, uint64_t each) {
  nth_claim_judge(c, each * c->size, PER_US);
}

/* Sizes settle where a claim takes about NTH_CLAIM_US. */
static void settles(void) {
  for (uint64_t each = 1; each < 5000; each = each * 5 / 4 + 1) {
    struct nth_claim c;
    nth_claim_set(&c, NTH_CLAIM_OWN, 2, false);
    for (int i = 0; i < 20; i++)
      judge(&c, each);
    uint64_t took = each * c.size;
    unit_check(c.size == 1 || took <= NTH_CLAIM_US * PER_US);
    unit_check(c.size == NTH_CLAIM_OWN || took >= NTH_CLAIM_US * PER_US / 2);
  }
}

/* A long claim brings single chunks back, and looks become rarer each time. */
static void gives_up(void) {
  struct nth_claim c;
  nth_claim_set(&c, NTH_CLAIM_OWN, 2, false);
  for (uint32_t calm = NTH_CLAIM_CALM; calm < NTH_CLAIM_CALM_MOST; calm = c.calm) {
    for (int i = 0; i < 10; i++)
      judge(&c, 5);
    unit_check(c.size == NTH_CLAIM_OWN);
    judge(&c, 20000);
    unit_check(c.size == 1 && c.calm > calm && c.calm <= NTH_CLAIM_CALM_MOST);
    judge(&c, 20000); /* a long single chunk is no surprise */
    unit_check(c.size == 1);
  }
}

/* More than NTH_CLAIM_OWN only after so many short claims. */
static void trusts(void) {
  struct nth_claim c;
  nth_claim_set(&c, NTH_CLAIM_SHARED, 2, false);
  for (uint32_t i = 0; i < NTH_CLAIM_TRUST; i++)
    judge(&c, 5);
  unit_check(c.size == NTH_CLAIM_OWN);
  for (int i = 0; i < 20; i++)
    judge(&c, 5);
  unit_check(c.size == NTH_CLAIM_SHARED);
  judge(&c, 20);
  unit_check(c.size == NTH_CLAIM_SHARED / 2);
  judge(&c, 5); /* a little longer once: no loss of trust */
  unit_check(c.size == NTH_CLAIM_SHARED);
  judge(&c, 20000);
  unit_check(c.size == 1 && c.trust == 0);
}

/* Ordered: only the time outside of the regions counts, and it must be short. */
static void keeps_order(void) {
  struct nth_claim c;
  nth_claim_set(&c, NTH_CLAIM_ORDERED, 2, true);
  judge(&c, 200);
  unit_check(c.size == 1 && c.calm == NTH_CLAIM_CALM);
  judge(&c, 10);
  unit_check(c.size == NTH_CLAIM_ORDERED);
  judge(&c, 10);
  unit_check(c.size == NTH_CLAIM_ORDERED);
  judge(&c, 200);
  unit_check(c.size == 1 && c.calm == NTH_CLAIM_CALM);
  judge(&c, 10);
  judge(&c, 20000);
  unit_check(c.size == 1 && c.calm > NTH_CLAIM_CALM);
}

/* No claim has more than 1/8 of an even share of what is left, and one. */
static void leaves_the_rest(void) {
  for (uint32_t owners = 1; owners < 70; owners++) {
    struct nth_claim c;
    nth_claim_set(&c, NTH_CLAIM_SHARED, owners, false);
    for (uint64_t left = 0; left < 3000; left++) {
      uint32_t some = nth_claim_within(&c, NTH_CLAIM_SHARED, left);
      unit_check(some > 0 && some <= NTH_CLAIM_SHARED);
      unit_check((uint64_t)(some - 1) * owners * 8 <= left);
      unit_check(nth_claim_within(&c, 1, left) == 1);
    }
    unit_check(nth_claim_within(&c, NTH_CLAIM_SHARED, UINT64_MAX) == NTH_CLAIM_SHARED);
  }
}

/* With real time: chunks of nothing are claimed together, unless they never may be. */
static void looks(void) {
  struct nth_claim c;
  for (uint32_t most = 1; most <= NTH_CLAIM_OWN; most *= 16) {
    uint32_t largest = 0;
    nth_claim_set(&c, most, 2, false);
    for (int i = 0; i < 10000; i++) {
      unit_check(c.size == 1 || c.left == 1);
      if (nth_claim_due(&c))
        nth_claim_look(&c);
      uint32_t some = c.size;
      unit_check(i >= (int)NTH_CLAIM_CALM || some == 1);
      largest = some > largest ? some : largest;
      nth_claim_claimed(&c);
    }
    unit_check(largest == (nth_cycles_per_us() > 0 ? most : 1));
    nth_claim_restart(&c);
    unit_check(c.size == 1 && c.since == 0);
  }
}

int main(void) {
  unit_begin();
  unit_run(settles);
  unit_run(gives_up);
  unit_run(trusts);
  unit_run(keeps_order);
  unit_run(leaves_the_rest);
  unit_run(looks);
  return 0;
}
