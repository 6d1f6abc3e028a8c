/* share.c - test of runtime/sched/share: who gets how many processors; slots and their owners
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include <string.h>

#include "runtime/sched/share/deal.h"
#include "runtime/sched/share/share.h"
#include "runtime/sched/share/table.h"
#include "tests/unit/unit.h"

enum { ALL = UINT16_MAX, MOST = 6 };

static void equal_parts(void) {
  unit_check(nth_deal(8, (uint32_t[]){ALL, ALL}, 2, 0) == 4);
  unit_check(nth_deal(7, (uint32_t[]){ALL, ALL}, 2, 0) == 4);
  unit_check(nth_deal(7, (uint32_t[]){ALL, ALL}, 2, 1) == 3);
  unit_check(nth_deal(2, (uint32_t[]){ALL, ALL, ALL}, 3, 2) == 1); /* one at least */
  unit_check(nth_deal(8, (uint32_t[]){0, ALL, 0}, 3, 1) == 8);
}

static void lent_parts(void) {
  unit_check(nth_deal(8, (uint32_t[]){ALL, 1}, 2, 0) == 7);
  unit_check(nth_deal(8, (uint32_t[]){ALL, 1}, 2, 1) == 4); /* its own part is left to it */
  unit_check(nth_deal(12, (uint32_t[]){ALL, 2, ALL, 5}, 4, 0) == 4);
  unit_check(nth_deal(12, (uint32_t[]){ALL, 2, ALL, 3}, 4, 2) == 3);
  unit_check(nth_deal(4, (uint32_t[]){UINT32_MAX, UINT32_MAX}, 2, 1) == 2);
}

/* If all want all, the numbers add up to all there are, or to one each. */
static void sums(void) {
  for (uint32_t n = 1; n <= MOST; n++)
    for (uint32_t all = 1; all < 20; all++) {
      uint32_t wants[MOST], sum = 0;
      for (uint32_t i = 0; i < n; i++)
        wants[i] = ALL;
      for (uint32_t i = 0; i < n; i++)
        sum += nth_deal(all, wants, n, i);
      unit_check(sum == (all > n ? all : n));
    }
}

static void slots(void) {
  static struct nth_table t;
  struct nth_table_seen seen = {0};
  uint64_t first = nth_table_owner(77, 1), second = nth_table_owner(78, 1), silent;
  unit_check(nth_table_begin(&t) && nth_table_begin(&t));
  int a = nth_table_claim(&t, first), b = nth_table_claim(&t, second);
  unit_check(a == 0 && b == 1 && nth_table_valid(&t));
  unit_check(nth_table_beat(&t, b, 3) && !nth_table_beat(&t, b, 3) && !nth_table_beat(&t, b, 2));
  unit_check(nth_table_look(&t, b, &seen, 1000, 50, &silent) == 2 && silent == 0);
  unit_check(nth_table_look(&t, b, &seen, 1050, 50, &silent) == 2);
  unit_check(nth_table_look(&t, b, &seen, 1051, 50, &silent) == 0 && silent == 51);
  unit_check(nth_table_beat(&t, b, 0) && !nth_table_beat(&t, b, 0) && nth_table_beat(&t, b, 2));
  unit_check(nth_table_look(&t, b, &seen, 2000, 50, &silent) == 2 && silent == 0);
  nth_store_rlx(&t.slot[b].most, 1);
  unit_check(nth_table_look(&t, b, &seen, 2000, 50, &silent) == 1);
  /* another process has the number 78: its slot of before is not its own */
  nth_table_free_own(&t, 78);
  unit_check(!nth_table_mine(&t, b, second) && nth_table_mine(&t, a, first));
  nth_table_leave(&t, b, second); /* of no avail */
  unit_check(nth_table_claim(&t, nth_table_owner(78, 2)) == b);
  unit_check(nth_load_rlx(&t.slot[b].most) == 0);
  nth_table_leave(&t, b, second);
  unit_check(nth_table_mine(&t, b, nth_table_owner(78, 2)));
}

static void names_of_tables(void) {
  static struct nth_table t;
  static const char longest[] = "0123456789.123456789.123456789.123456789.1234567";
  unit_check(nth_table_name(&t, "one") && nth_table_name(&t, "one"));
  unit_check(!nth_table_name(&t, "on") && !nth_table_name(&t, "one2") && !nth_table_name(&t, ""));
  unit_check(memcmp(&t.name, "one\0\0\0\0", 8) == 0);
  memset(&t, 0, sizeof t);
  unit_check(sizeof longest - 1 == sizeof t.name && nth_table_name(&t, longest));
  unit_check(nth_table_name(&t, "0123456789.123456789.123456789.123456789.1234567and more"));
  unit_check(!nth_table_name(&t, "0123456789.123456789.123456789.123456789.123456"));
}

static void full(void) {
  static struct nth_table t;
  nth_table_begin(&t);
  for (uint32_t i = 1; i <= NTH_TABLE_SLOTS; i++)
    unit_check(nth_table_claim(&t, nth_table_owner(i, 1)) == (int)i - 1);
  unit_check(nth_table_claim(&t, nth_table_owner(100, 1)) == NTH_TABLE_NONE);
  unit_check(nth_table_free(&t, 5, nth_table_owner(6, 1)));
  unit_check(nth_table_claim(&t, nth_table_owner(100, 1)) == 5 && nth_table_valid(&t));
}

static void names(void) {
  unit_check(nth_share_is_name("auto") && nth_share_is_name("a.b_c-D9"));
  unit_check(!nth_share_is_name("") && !nth_share_is_name(".") && !nth_share_is_name(".."));
  unit_check(!nth_share_is_name("/tmp") && !nth_share_is_name("a/b") && !nth_share_is_name("a b"));
}

/* Bytes of chance as a table: every reader gets on with it, and numbers stay in bounds. */
static void garbage(void) {
  static union {
    struct nth_table table;
    unsigned char byte[sizeof(struct nth_table)];
  } g;
  uint64_t random = 88172645463325252u, silent;
  for (int turn = 0; turn < 2000; turn++) {
    struct nth_table_seen seen = {0};
    uint32_t wants[NTH_TABLE_SLOTS], all = 1 + (uint32_t)turn % 300;
    for (size_t i = 0; i < sizeof g; i++) {
      random ^= random << 13, random ^= random >> 7, random ^= random << 17;
      g.byte[i] = turn % 3 == 0 && random % 4 ? 0 : (unsigned char)random;
    }
    (void)nth_table_begin(&g.table);
    nth_table_free_own(&g.table, 77);
    int mine = nth_table_claim(&g.table, nth_table_owner(77, 1));
    for (int i = 0; i < NTH_TABLE_SLOTS; i++)
      wants[i] = nth_table_look(&g.table, i, &seen, random, NTH_SHARE_SILENT_NS, &silent);
    for (uint32_t i = 0; i < NTH_TABLE_SLOTS; i++) {
      uint32_t n = nth_deal(all, wants, NTH_TABLE_SLOTS, i);
      unit_check(n >= 1 && n <= all);
    }
    nth_table_leave(&g.table, mine, nth_table_owner(77, 1));
    (void)nth_table_valid(&g.table);
  }
}

int main(void) {
  unit_begin();
  unit_run(equal_parts);
  unit_run(lent_parts);
  unit_run(sums);
  unit_run(slots);
  unit_run(names_of_tables);
  unit_run(full);
  unit_run(names);
  unit_run(garbage);
  return 0;
}
