/* tally.c - model of runtime/struct/tally.h: the owner goes on when all are counted down
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "tests/model/model.h"

#include "runtime/base/check.h"
#include "runtime/struct/bell.h"
#include "runtime/struct/tally.h"

enum { OTHERS = 2 };

static struct world {
  struct nth_tally tally;
  struct nth_bell bell;
  int done[OTHERS + 1]; /* plain: written by who counts down, read by the owner afterwards */
  int told;             /* plain: ZERO was said */
} w;

/* Of three that the owner made one is its own to finish. */
static void setup(void) {
  MODEL_ATOM(w.tally.others);
  MODEL_ATOM(w.bell.seq);
  MODEL_ATOM(w.bell.sleepers);
  MODEL_NAME(w.done);
  nth_tally_clear(&w.tally);
  for (int i = 0; i <= OTHERS; i++)
    nth_tally_add_own(&w.tally);
  nth_assert(nth_tally_valid(&w.tally));
}

static void look(void) {
  for (int i = 0; i <= OTHERS; i++)
    model_check(w.done[i] == 1);
}

static void own_one(void) {
  w.done[0]++;
  nth_tally_sub_own(&w.tally, 1);
}

/* --- the owner sleeps --- */

static void owner_sleeps(void) {
  own_one();
  while (nth_tally_left(&w.tally) != 0) {
    uint32_t ticket = nth_bell_enter(&w.bell);
    nth_tally_sleeps(&w.tally);
    if (nth_tally_left(&w.tally) != 0)
      nth_bell_sleep(&w.bell, ticket, 0);
    nth_tally_wakes(&w.tally);
    nth_bell_leave(&w.bell);
  }
  look();
}

static void other(void) {
  w.done[model_thread()]++;
  if (nth_tally_sub(&w.tally, 1) == NTH_TALLY_WAKE)
    nth_bell_ring(&w.bell, INT_MAX);
}

/* One more before the own one, both counted at once: the count is never zero in between. */
static void other_adds(void) {
  nth_tally_add(&w.tally);
  w.done[model_thread()]++;
  if (nth_tally_sub(&w.tally, 2) == NTH_TALLY_WAKE)
    nth_bell_ring(&w.bell, INT_MAX);
}

/* --- the owner closes: exactly one is told, and sees what all did --- */

static void told(void) {
  look();
  w.told++;
}

static void owner_closes(void) {
  own_one();
  if (nth_tally_close(&w.tally))
    told();
}

static void other_closed(void) {
  w.done[model_thread()]++;
  if (nth_tally_sub(&w.tally, 1) == NTH_TALLY_ZERO)
    told();
}

/* Both of the others' by one thread. */
static void other_closed_two(void) {
  w.done[1]++;
  w.done[2]++;
  if (nth_tally_sub(&w.tally, 2) == NTH_TALLY_ZERO)
    told();
}

static void told_once(void) { model_check(w.told == 1); }

MODEL_CASES = {
    {"sleep", 3, MODEL_ALL, MODEL_WORLD, setup, {owner_sleeps, other, other}, 0, 60000},
    {"add", 3, 2, MODEL_WORLD, setup, {owner_sleeps, other_adds, other}, 0, 20000},
    {"close",
     3,
     MODEL_ALL,
     MODEL_WORLD,
     setup,
     {owner_closes, other_closed, other_closed},
     told_once},
    {"close2", 2, MODEL_ALL, MODEL_WORLD, setup, {owner_closes, other_closed_two}, told_once},
    {0},
};
