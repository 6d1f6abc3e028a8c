/* claim.h - how many chunks of a loop a member claims at once
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A claim costs one atomic operation, which takes longer than a short chunk. To the
 *             program, chunks that follow each other look like one longer chunk. So a member whose
 *             chunks are short claims several at once. It cannot give them back when they turn out
 *             to be long: hence the bounds.
 * Use         set() when the loop begins. Before each claim: due(), and if so look(). The member
 *             claims `size` chunks, or within() of them. claimed() follows a claim that may have
 *             taken long. stop() and go_on() take a time out of the account.
 * How         A member begins with single chunks. Now and then it reads the time before and after
 *             one. The size doubles while a claim takes less than half of NTH_CLAIM_US, and halves
 *             while it takes more than all of it. Sizes above NTH_CLAIM_FEW need NTH_CLAIM_TRUST
 *             short claims first. From size 2 on each claim is looked at; of a range, from
 *             NTH_CLAIM_FEW on, a few claims together. A claim that takes far longer
 *             (NTH_CLAIM_LONG) makes the size 1 again, and each time it is longer until the next
 *             look.
 *             Looks at a range may be apart, since I2 bounds a claim by what others can steal:
 *             where they have nothing else to do, they halve the range and so shorten its claims.
 *             Chunks with ordered regions that are claimed together run one after the other, where
 *             they could overlap outside of the regions. So there only the time outside counts. It
 *             must be shorter than it takes to hand over the turn (NTH_CLAIM_TURN_PART).
 * Invariants  I1  1 <= size <= most
 *             I2  a claim has at most 1 / 2^part of the chunks that are left, and one more
 *             I3  since is 0, or the time at which the claim that is measured began, moved on by
 *                 what does not count
 *             I4  size > 1 implies 1 <= left <= 2^apart before due()
 *             I5  apart > 0 only of a range
 * Orders      none: it is the member's own
 * Cost        one decrement a claim; a look reads the counter of time, about 8 ns
 * Tested by   tests/unit/claim.c, tests/lit/loops/claims.c
 */
#ifndef NTH_STRUCT_CLAIM_H
#define NTH_STRUCT_CLAIM_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/arch/insn.h"
#include "runtime/base/atomic.h"
#include "runtime/base/check.h"
#include "runtime/base/config.h"

/* Where a member claims chunks. */
enum { NTH_CLAIM_OF_RANGE, NTH_CLAIM_OF_COUNTER, NTH_CLAIM_OF_ORDERED };

struct nth_claim {
  uint32_t size, most; /* chunks to claim next; at most; I1 */
  uint32_t left;       /* claims until the next look; 0: never, as good as */
  uint32_t calm;       /* claims of one chunk between two looks */
  uint32_t trust;      /* short claims of NTH_CLAIM_FEW chunks or more since the last long one */
  uint64_t since;      /* I3, in units of nth_cycles() */
  uint8_t part;        /* I2 */
  uint8_t apart;       /* the measured time is that of 2^apart claims; I5 */
  uint8_t of;          /* NTH_CLAIM_OF_ */
};

/* most: chunks in a claim at most, 1: never several. owners: members that share what is left. of:
 * NTH_CLAIM_OF_, where they claim. */
static inline void nth_claim_set(struct nth_claim *c, uint32_t most, uint32_t owners, uint8_t of) {
  nth_assert(most > 0 && owners > 0);
  c->size = 1;
  c->most = most;
  c->left = 0;
  c->since = 0;
  if (most == 1)
    return; /* nobody reads the rest */
  c->left = c->calm = NTH_CLAIM_CALM;
  c->trust = 0;
  c->apart = 0;
  c->part =
      (uint8_t)(NTH_CLAIM_PART + (owners > 1 ? 32u - (uint32_t)__builtin_clz(owners - 1) : 0));
  c->of = of;
}

/* The claims that have been measured took so long; per_us: cycles in a microsecond. */
void nth_claim_judge(struct nth_claim *c, uint64_t took, uint64_t per_us);

/* Begins a measurement, or ends one and sets the size of the next claim. */
void nth_claim_look(struct nth_claim *c);

/* Before each claim: true: look() comes first. With a size above 1 it is due soon (I4). */
static inline bool nth_claim_due(struct nth_claim *c) {
  nth_assert(c->size > 0 && c->size <= c->most); /* I1 */
  return --c->left == 0;
}

/* The part of them that I2 allows where so many are left. */
static inline uint32_t nth_claim_within(const struct nth_claim *c, uint32_t chunks, uint64_t left) {
  return chunks == 1 || left >> c->part >= chunks ? chunks : (uint32_t)(left >> c->part) + 1;
}

/* What comes before this moment does not count. */
static inline void nth_claim_claimed(struct nth_claim *c) {
  if (nth_unlikely(c->since != 0))
    c->since = nth_cycles();
}

/* Each claim is due. measured: the first one is measured, from claimed() on. */
static inline void nth_claim_first(struct nth_claim *c, bool measured) {
  c->left = 1;
  c->since = measured;
}

/* The time from stop() to go_on() does not count. */
static inline void nth_claim_stop(struct nth_claim *c) {
  if (nth_unlikely(c->since != 0))
    c->since -= nth_cycles();
}

static inline void nth_claim_go_on(struct nth_claim *c) {
  if (nth_unlikely(c->since != 0))
    c->since += nth_cycles();
}

/* Single chunks again, as at the loop's begin. */
static inline void nth_claim_restart(struct nth_claim *c) {
  c->size = 1;
  c->left = c->most > 1 ? c->calm : 0;
  c->since = 0;
  c->apart = 0;
}

#endif
