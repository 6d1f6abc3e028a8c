/* claim.c - how many chunks of a loop a member claims at once
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/struct/claim.h"

/* A claim that took far too long: single chunks for a while, which is longer each time. */
static void give_up(struct nth_claim *c) {
  c->calm = c->calm < NTH_CLAIM_CALM_MOST / 16 ? c->calm * 16 : NTH_CLAIM_CALM_MOST;
  c->size = 1;
  c->trust = 0;
}

/* Beyond NTH_CLAIM_FEW only after many claims that were short. */
static void grow(struct nth_claim *c) {
  if (c->size >= NTH_CLAIM_FEW && c->trust < NTH_CLAIM_TRUST)
    c->trust += 1u << c->apart;
  else
    c->size = c->size < c->most / 2 ? c->size * 2 : c->most;
}

/* In a loop with ordered regions: all that it may claim, or one. */
static void choose(struct nth_claim *c, uint64_t took, uint64_t per_us) {
  c->size = took * NTH_CLAIM_TURN_PART < c->size * per_us ? c->most : 1;
}

void nth_claim_judge(struct nth_claim *c, uint64_t took, uint64_t per_us) {
  nth_assert(c->size > 0 && c->size <= c->most); /* I1 */
  uint64_t aim = NTH_CLAIM_US * per_us;
  if (took > NTH_CLAIM_LONG * aim && c->size > 1)
    give_up(c);
  else if (c->of == NTH_CLAIM_OF_ORDERED)
    choose(c, took, per_us);
  else if (took >> c->apart > aim)
    c->size = c->size / 2 + c->size % 2;
  else if (took >> c->apart < aim / 2)
    grow(c);
}

void nth_claim_look(struct nth_claim *c) {
  uint64_t now = nth_cycles(), per_us = nth_cycles_per_us();
  if (c->most == 1 || per_us == 0)
    return;
  bool measured = c->since != 0;
  if (measured)
    nth_claim_judge(c, now - c->since, per_us);
  bool rests = measured && c->size == 1;
  c->since = rests ? 0 : now;
  c->apart = c->of == NTH_CLAIM_OF_RANGE && c->size >= NTH_CLAIM_FEW ? NTH_CLAIM_LOOKS_APART : 0;
  c->left = rests ? c->calm : 1u << c->apart;
}
