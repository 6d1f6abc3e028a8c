/* range.c - model of runtime/struct/range.h: every unit is done once, by whoever
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "tests/model/model.h"

#include "runtime/struct/range.h"

enum { UNITS = 4, MEMBERS = 3 };

static struct world {
  struct nth_range range[MEMBERS];
  int done[UNITS]; /* plain: a unit done twice is a race or a wrong count */
} w;

static void setup(void) {
  nth_range_set(&w.range[0], 0, UNITS);
  nth_range_set(&w.range[1], 0, 0);
  nth_range_set(&w.range[2], 0, 0);
  MODEL_ATOM(w.range[0].word);
  MODEL_ATOM(w.range[1].word);
  MODEL_ATOM(w.range[2].word);
  MODEL_NAME(w.done);
}

static void drain(uint32_t me) {
  uint32_t unit;
  while (nth_range_take(&w.range[me], &unit)) {
    model_check(unit < UNITS);
    w.done[unit]++;
  }
}

/* The owner takes several at once. */
static void drain_some(uint32_t me) {
  uint32_t unit, some;
  while ((some = nth_range_take_some(&w.range[me], 3, 1, &unit)) > 0) {
    model_check(some <= 3 && unit + some <= UNITS);
    for (; some > 0; some--)
      w.done[unit++]++;
  }
}

/* One try to steal from victim; what it gives is put into the own range and done. */
static void help(uint32_t me, uint32_t victim) {
  uint32_t next, end;
  if (!nth_range_steal(&w.range[victim], &next, &end))
    return;
  model_check(next < end && end <= UNITS);
  nth_range_give(&w.range[me], next, end);
  drain(me);
}

/* Affinity scheduling: a member runs what it took or stole at once. */
static void drain_parts(uint32_t victim, bool steals) {
  uint32_t next, end;
  while (steals ? nth_range_steal_part(&w.range[victim], MEMBERS, &next, &end)
                : nth_range_take_part(&w.range[victim], 2, &next, &end)) {
    model_check(next < end && end <= UNITS);
    for (; next < end; next++)
      w.done[next]++;
  }
}

static void owner(void) { drain(0); }
static void owner_some(void) { drain_some(0); }
static void owner_some_then_thief(void) {
  drain_some(0);
  help(0, 1);
}
static void owner_parts(void) { drain_parts(0, false); }
static void thief_parts(void) { drain_parts(0, true); }
static void owner_then_thief(void) {
  drain(0);
  help(0, 1);
}
static void thief(void) {
  help(1, 0);
  help(1, 0);
}
static void second_thief(void) {
  help(2, 0);
  help(2, 1);
}

static void finish(void) {
  for (int i = 0; i < UNITS; i++)
    model_check(w.done[i] == 1);
}

MODEL_CASES = {
    {"steal", 2, MODEL_ALL, MODEL_WORLD, setup, {owner, thief}, finish},
    {"back", 2, 4, MODEL_WORLD, setup, {owner_then_thief, thief}, finish},
    {"three", 3, 2, MODEL_WORLD, setup, {owner_then_thief, thief, second_thief}, finish},
    {"some", 2, MODEL_ALL, MODEL_WORLD, setup, {owner_some, thief}, finish},
    {"some back", 2, 4, MODEL_WORLD, setup, {owner_some_then_thief, thief}, finish},
    {"some three", 3, 2, MODEL_WORLD, setup, {owner_some_then_thief, thief, second_thief}, finish},
    {"parts", 3, 3, MODEL_WORLD, setup, {owner_parts, thief_parts, thief_parts}, finish},
    {0},
};
