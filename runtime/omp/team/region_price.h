/* region_price.h - how many members a short region is worth, from what it cost
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         OpenMP 5.2, section 10.1.1: where dyn-var is true a region may get fewer members than
 *             asked. One that takes some us may be faster with fewer: each member has to be told,
 *             has to fetch its data, and to be awaited.
 * Use         nth_region_price_members() before the region, nth_region_price_learn() after it
 * Trials      A construct whose regions are all short (NTH_PRICE_CALM of them in a row) is tried
 *             with half the members, later with twice as many: NTH_PRICE_TRIAL regions with the
 *             size that it has, then as many with the other one. The size with the shorter least
 *             time goes on. After a gain the next trial goes on the same way at once; after one in
 *             vain it goes the other way, later (NTH_PRICE_AGAIN_NS and more).
 * Long        A region of NTH_PRICE_SHORT_NS and more gets all members the next time. One that had
 *             fewer costs the construct trust: more short ones in a row for the next trial.
 * Ticket      a word, since the team has no room for more on its master's lines: the row's number
 *             and the time. If another construct has taken the row meanwhile, that one learns it
 * Invariants  I1  1 <= size, other <= the largest number ever asked: any mixture of two constructs'
 *                 words is a size. A size of 0 is that of a row whose first master is about to
 *                 fill it in. The result is never above the number asked now, and never 0
 * Orders      none: each word stands alone; masters that run the same construct at one time mix up
 *             a trial, which costs time only
 * Cost        two looks at the clock and a line that is read, only under dyn-var
 * Tested by   tests/unit/region_price.c, tests/lit/parallel/dynamic_short.c
 */
#ifndef NTH_OMP_REGION_PRICE_H
#define NTH_OMP_REGION_PRICE_H

#include <stdint.h>

/* Members, 1 to asked, for a region of the construct that begins now, ns. *ticket: what it shows at
 * its end. */
uint32_t nth_region_price_members(uintptr_t site, uint32_t asked, uint64_t now, uint64_t *ticket);

/* The region with the ticket, which had so many members, ends now, ns. */
void nth_region_price_learn(uint64_t ticket, uint32_t members, uint64_t now);

#endif
