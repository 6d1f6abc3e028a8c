/* price.c - the number of a taskloop's tasks, from what its loops have cost
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/taskloop/price.h"

#include "runtime/base/config.h"
#include "tests/unit/unit.h"

static void one(void *data) { (void)data; }
static void other(void *data) { (void)data; }
static void third(void *data) { (void)data; }
static uint64_t now = 1000000000; /* ns */

/* The number of tasks of a construct that takes so many ns as one task, and as several. */
static uint64_t settled(uint64_t iterations, uint32_t members, uint64_t alone, uint64_t shared) {
  nth_price_learn(other, iterations, iterations, 1); /* perhaps it has the row */
  uint64_t parts = 0;
  for (int i = 0; i < 64; i++) { /* the mean forgets what was before */
    parts = nth_price_parts(one, iterations, members, now++);
    nth_price_learn(one, iterations, parts, parts == 1 ? alone : shared);
  }
  return parts;
}

static void first_time(void) {
  unit_check(nth_price_parts(one, 1000, 4, now) == 4);
  unit_check(nth_price_parts(one, 3, 4, now) == 3);
}

static void short_ones(void) {
  unit_check(settled(64, 2, 100, 300) == 1);
  now += 2 * NTH_PRICE_AGAIN_NS;
  unit_check(settled(64, 2, 400, 300) == 2);
  now += 2 * NTH_PRICE_AGAIN_NS;
  unit_check(settled(64, 2, 100, 300) == 1); /* the other form was tried again */
}

static void long_ones(void) {
  uint64_t shared = 100 * NTH_PRICE_SHORT_NS;
  uint64_t parts = settled(1000, 2, 2 * shared, shared);
  unit_check(parts == 2 * NTH_PRICE_PARTS);
  unit_check(settled(5, 2, 2 * shared, shared) == 5); /* not more than iterations */
  unit_check(nth_price_parts(one, UINT64_MAX, 4, now) == 4 * NTH_PRICE_PARTS); /* no overflow */
  nth_price_learn(one, 1, 1, UINT64_MAX);
  nth_price_learn(one, UINT64_MAX, 2, 0);
  unit_check(nth_price_parts(one, 7, 4, now) >= 1);
}

int main(void) {
  unit_run(first_time);
  unit_run(short_ones);
  unit_run(long_ones);
  unit_check(nth_price_parts(third, 1000, 4, now) == 4); /* another construct */
  return 0;
}
