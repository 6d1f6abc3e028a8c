/* region_price.c - how many members a construct's regions get, from what they have cost
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/team/region_price.h"

#include "runtime/base/config.h"
#include "tests/unit/unit.h"

enum { ENOUGH = 2000 };
static const uintptr_t one = 0x1000, other = 0x1000 + 64 * 16; /* not always of one row */
static uint64_t now = 1000000000;                              /* ns */

/* A region of the construct, of work ns and dear ns more for each member. Returns its size. */
static uint32_t region(uintptr_t site, uint32_t asked, uint64_t work, uint64_t dear) {
  uint64_t ticket;
  uint32_t n = nth_region_price_members(site, asked, now, &ticket);
  unit_check(n >= 1 && n <= asked);
  now += work / n + dear * (n - 1);
  nth_region_price_learn(ticket, n, now);
  now += NTH_PRICE_AGAIN_NS / 50;
  return n;
}

/* So many regions, each of work ns and dear ns more for each member. Returns the size of the last
 * one. */
static uint32_t run(int regions, uint32_t asked, uint64_t work, uint64_t dear) {
  uint32_t n = 0;
  for (int i = 0; i < regions; i++)
    n = region(one, asked, work, dear);
  return n;
}

static uint32_t most_used(uint32_t asked, uint64_t work, uint64_t dear) {
  int used[65] = {0};
  for (int i = 0; i < ENOUGH; i++)
    used[run(1, asked, work, dear)]++;
  uint32_t best = 1;
  for (uint32_t n = 2; n <= asked; n++)
    if (used[n] > used[best])
      best = n;
  return best;
}

static void first_time(void) { unit_check(run(NTH_PRICE_CALM, 8, 1000, 1000) == 8); }

static void settles(void) {
  (void)run(ENOUGH, 8, 1000, 1000);
  unit_check(most_used(8, 1000, 1000) == 1); /* 1000, 1500, 3250, 7125 */
  (void)run(ENOUGH, 8, 40000, 100);
  unit_check(most_used(8, 40000, 100) == 8);
  (void)run(ENOUGH, 8, 8000, 1200);
  unit_check(most_used(8, 8000, 1200) == 2); /* 8000, 5200, 5600, 9400 */
}

/* A long region has all members in the next one, and more short ones are needed than before. */
static void long_ones(void) {
  (void)run(2 * ENOUGH, 4, 1000, 1000);
  unit_check(most_used(4, 1000, 1000) == 1);
  (void)run(1, 4, 10 * NTH_PRICE_SHORT_NS, 0);
  unit_check(run(1, 4, 1000, 1000) == 4);
  unit_check(run(NTH_PRICE_CALM, 4, 1000, 1000) == 4);
  (void)run(ENOUGH, 4, 1000, 1000);
  unit_check(most_used(4, 1000, 1000) == 1);
  unit_check(run(ENOUGH, 4, 100 * NTH_PRICE_SHORT_NS, 0) == 4);
}

/* Another number asked, or another construct in the row, begins anew. */
static void others(void) {
  (void)run(2 * ENOUGH, 4, 1000, 1000);
  unit_check(run(1, 6, 1000, 1000) == 6);
  unit_check(region(other, 3, 1000, 1000) == 3);
  unit_check(region(one, 6, 1000, 1000) == 6);
}

int main(void) {
  unit_run(first_time);
  unit_run(settles);
  unit_run(long_ones);
  unit_run(others);
  return 0;
}
