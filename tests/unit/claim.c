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
    nth_claim_set(&c, NTH_CLAIM_FEW, 2, NTH_CLAIM_OF_COUNTER);
    for (int i = 0; i < 20; i++)
      judge(&c, each);
    uint64_t took = each * c.size;
    unit_check(c.size == 1 || took <= NTH_CLAIM_US * PER_US);
    unit_check(c.size == NTH_CLAIM_FEW || took >= NTH_CLAIM_US * PER_US / 2);
  }
}

/* A long claim brings single chunks back, and looks become rarer each time. */
static void gives_up(void) {
  struct nth_claim c;
  nth_claim_set(&c, NTH_CLAIM_FEW, 2, NTH_CLAIM_OF_COUNTER);
  for (uint32_t calm = NTH_CLAIM_CALM; calm < NTH_CLAIM_CALM_MOST; calm = c.calm) {
    for (int i = 0; i < 10; i++)
      judge(&c, 5);
    unit_check(c.size == NTH_CLAIM_FEW);
    judge(&c, 20000);
    unit_check(c.size == 1 && c.calm > calm && c.calm <= NTH_CLAIM_CALM_MOST);
    judge(&c, 20000); /* a long single chunk is no surprise */
    unit_check(c.size == 1);
  }
}

/* More than NTH_CLAIM_FEW only after so many short claims. */
static void trusts(void) {
  struct nth_claim c;
  nth_claim_set(&c, NTH_CLAIM_SHARED, 2, NTH_CLAIM_OF_COUNTER);
  for (uint32_t i = 0; i < NTH_CLAIM_TRUST; i++)
    judge(&c, 5);
  unit_check(c.size == NTH_CLAIM_FEW);
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
  nth_claim_set(&c, NTH_CLAIM_ORDERED, 2, NTH_CLAIM_OF_ORDERED);
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
    nth_claim_set(&c, NTH_CLAIM_SHARED, owners, NTH_CLAIM_OF_COUNTER);
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
  for (uint32_t most = 1; most <= NTH_CLAIM_FEW; most *= 16) {
    uint32_t largest = 0;
    nth_claim_set(&c, most, 2, NTH_CLAIM_OF_COUNTER);
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

/* Of a range, a look measures several claims together, once they have NTH_CLAIM_FEW chunks. */
static void looks_apart(void) {
  struct nth_claim c;
  uint32_t looks = 0, largest = 0;
  nth_claim_set(&c, NTH_CLAIM_OWN, 2, NTH_CLAIM_OF_RANGE);
  for (int i = 0; i < 20000; i++) {
    unit_check(c.size == 1 || (c.left >= 1 && c.left <= 1u << c.apart)); /* I4 */
    unit_check(c.size >= NTH_CLAIM_FEW || c.apart == 0);
    if (nth_claim_due(&c)) {
      nth_claim_look(&c);
      looks++;
    }
    largest = c.size > largest ? c.size : largest;
  }
  if (nth_cycles_per_us() == 0)
    return;
  unit_check(largest == NTH_CLAIM_OWN && looks < 10000);
  c.size = NTH_CLAIM_OWN;
  c.apart = NTH_CLAIM_LOOKS_APART;
  nth_claim_judge(&c, (UINT64_C(3) * NTH_CLAIM_US * PER_US / 2) << c.apart, PER_US);
  unit_check(c.size == NTH_CLAIM_OWN / 2); /* they took 1.5 times as long as they may */
  nth_claim_judge(&c, (NTH_CLAIM_LONG * NTH_CLAIM_US + 1) * PER_US, PER_US);
  unit_check(c.size == 1 && c.trust == 0); /* all in all they took far too long */
}

int main(void) {
  unit_begin();
  unit_run(settles);
  unit_run(gives_up);
  unit_run(trusts);
  unit_run(keeps_order);
  unit_run(leaves_the_rest);
  unit_run(looks);
  unit_run(looks_apart);
  return 0;
}
