/* deque.c - model of runtime/struct/deque.h: each item is taken once, with what it points to
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Text checked: runtime/struct/deque.h, deque.c, with two slots, and positions that begin at
 * UINT32_MAX.
 */
#include "tests/model/model.h"

#include "runtime/struct/deque.h"

enum { ITEMS = 4 };
#define START UINT32_MAX

static struct world {
  struct nth_deque d;
  int item[ITEMS]; /* plain: 1 when it is pushed, 2 when it is taken; twice is a race or wrong */
  uint32_t pushed; /* so many of them; w: owner */
  _Atomic(uint32_t) asleep;
  int rung, slept; /* plain */
} w;

static void push(void) {
  if (w.pushed == ITEMS)
    return;
  w.item[w.pushed] = 1;
  if (nth_deque_push(&w.d, &w.item[w.pushed]))
    w.pushed++;
}

static bool take(int *item) {
  if (!item)
    return false;
  model_check(*item == 1);
  *item = 2;
  return true;
}

static void pop(void) { take(nth_deque_pop_any(&w.d)); }

/* The newest one that is not among the first n pushed. */
static void pop_from(uint32_t n) {
  int *item = nth_deque_pop(&w.d, START + n);
  model_check(!item || item >= &w.item[n]);
  take(item);
}

static uint32_t steal(uint32_t most) {
  void *items[NTH_DEQUE_SLOTS];
  uint32_t n = nth_deque_steal(&w.d, items, most);
  for (uint32_t i = 0; i < n; i++)
    take(items[i]);
  return n;
}

/* --- before the threads start --- */

static void empty(void) {
  nth_store_rlx(&w.d.head, START);
  nth_deque_clear(&w.d);
  MODEL_ATOM(w.d.head);
  MODEL_ATOM(w.d.word);
  MODEL_ATOM(w.d.copied);
  MODEL_ATOM(w.d.forcing);
  MODEL_ATOM(w.d.held);
  for (uint32_t i = 0; i < NTH_DEQUE_SLOTS; i++)
    MODEL_ATOM_AT(i, w.d.slot[i]);
  MODEL_ATOM(w.asleep);
  MODEL_NAME(w.item);
}
static void one_private(void) {
  empty();
  push();
}
static void two_private(void) {
  empty();
  push();
  push();
}
static void keeps(void) {
  empty();
  w.d.vain = w.d.keep = 1;
  w.d.stolen = START;
}
/* A thief has left a mark. */
static void keeps_hungry(void) {
  keeps();
  steal(1);
}
static void one_public(void) {
  one_private();
  nth_deque_publish(&w.d);
}
static void two_public(void) {
  two_private();
  nth_deque_publish(&w.d);
}

/* Afterwards: what is left comes out, the newest first, and all is accounted for. */
static void finish(void) {
  model_check(nth_deque_valid(&w.d) && nth_load_rlx(&w.d.forcing) == 0);
  int *above = &w.item[ITEMS], *item;
  while ((item = nth_deque_pop_any(&w.d))) {
    model_check(item < above);
    take(above = item);
  }
  model_check(!nth_deque_any(&w.d) && nth_deque_valid(&w.d));
  for (uint32_t i = 0; i < w.pushed; i++)
    model_check(w.item[i] == 2);
}

/* --- owners --- */

static void owner_pop(void) { pop(); }
static void owner_pop_pop(void) {
  pop();
  pop();
}
static void owner_push_pop(void) {
  push();
  pop();
}
static void owner_push_push_pop(void) {
  push();
  push();
  pop();
}
static void owner_pop_push(void) {
  pop();
  push();
}
static void owner_pop_push_pop(void) {
  pop();
  push();
  pop();
}
/* It has a task of its own since the first item: takes nothing below. */
static void owner_base(void) {
  pop_from(1);
  push();
  pop_from(1);
  pop_from(1);
}
static void owner_pushes(void) {
  push();
  push();
  push();
}

/* One item, put back after each look at it, during which it is the owner's to change. */
static void owner_again(void) {
  uint64_t word;
  int *item = nth_deque_pop_at(&w.d, START, &word);
  for (int i = 0; item && i < 2; i++) {
    *item = 1;
    nth_deque_put(&w.d, START, item);
    nth_deque_publish(&w.d);
    item = nth_deque_pop_at(&w.d, START, &word);
  }
  take(item);
}

/* The newest item, held while the owner changes it, at last taken out. */
static void hold_newest(uint32_t n, int times) {
  uint64_t word = nth_load_rlx(&w.d.word);
  uint32_t position = START + n;
  bool kept = nth_deque_is_private(position, word) && nth_deque_hold(&w.d, word);
  for (int i = 0; kept && i < times; i++) {
    w.item[n] = 1;
    nth_deque_let_go(&w.d);
    kept = nth_deque_hold(&w.d, word);
  }
  if (kept) {
    nth_deque_pop_held(&w.d, position);
    take(&w.item[n]);
  } else
    pop();
}
static void owner_holds(void) { hold_newest(0, 2); }
static void owner_holds_above(void) { hold_newest(1, 1); }
/* And takes it out while a thief looks. */
static void owner_puts_and_holds(void) {
  uint64_t word;
  if (!nth_deque_pop_at(&w.d, START, &word))
    return;
  w.item[0] = 1;
  nth_deque_put(&w.d, START, &w.item[0]);
  if (nth_deque_hold(&w.d, word)) {
    w.item[0] = 1;
    nth_deque_pop_held(&w.d, START);
    take(&w.item[0]);
  }
}
/* A member that looks while the item is held sees that there is one. */
static void looker(void) {
  nth_deque_fence_all();
  w.slept = !nth_deque_any(&w.d);
}
static void seen(void) {
  model_check(!w.slept);
  finish();
}
static void holder_stays(void) {
  uint64_t word = nth_load_rlx(&w.d.word);
  for (int i = 0; i < 2; i++)
    if (nth_deque_hold(&w.d, word))
      nth_deque_let_go(&w.d);
}

/* --- thieves --- */

static void thief(void) { steal(1); }
static void thief_twice(void) {
  steal(1);
  steal(2);
}
/* What it has made public may be taken by others meanwhile. */
static void forcer(void) {
  if (nth_deque_force(&w.d))
    steal(1);
}
static void hungry_forcer(void) {
  if (steal(1) == 0 && nth_deque_force(&w.d))
    steal(1);
}

/* --- sleep --- */

static void maker(void) {
  push();
  nth_deque_fence();
  w.rung = nth_load_rlx(&w.asleep) > 0;
}
static void sleeper(void) {
  nth_store_rlx(&w.asleep, 1);
  nth_deque_fence_all();
  w.slept = !nth_deque_any(&w.d);
}
static void not_forgotten(void) {
  model_check(w.rung || !w.slept);
  finish();
}

MODEL_CASES = {
    {"last", 2, MODEL_ALL, MODEL_WORLD, one_public, {owner_pop, thief}, finish, 0, true},
    {"base", 2, MODEL_ALL, MODEL_WORLD, two_public, {owner_base, thief}, finish, 0, true},
    {"wanted",
     2,
     MODEL_ALL,
     MODEL_WORLD,
     empty,
     {owner_push_push_pop, thief_twice},
     finish,
     0,
     true},
    {"reuse", 2, MODEL_ALL, MODEL_WORLD, two_public, {owner_pushes, thief_twice}, finish, 0, true},
    {"force", 2, 3, MODEL_WORLD, two_private, {owner_pop_pop, forcer}, finish, 0, true},
    {"force_push", 2, 3, MODEL_WORLD, empty, {owner_push_push_pop, hungry_forcer}, finish, 0, true},
    {"force_again", 2, 3, MODEL_WORLD, one_private, {owner_pop_push_pop, forcer}, finish, 0, true},
    {"kept", 2, 3, MODEL_WORLD, keeps, {owner_push_push_pop, hungry_forcer}, finish, 0, true},
    {"kept_popped",
     2,
     3,
     MODEL_WORLD,
     keeps_hungry,
     {owner_push_pop, hungry_forcer},
     finish,
     0,
     true},
    {"put_again", 2, 3, MODEL_WORLD, one_private, {owner_again, forcer}, finish, 0, true},
    {"put_wanted", 2, 3, MODEL_WORLD, one_private, {owner_again, thief_twice}, finish, 0, true},
    {"held", 2, 3, MODEL_WORLD, one_private, {owner_holds, hungry_forcer}, finish, 0, true},
    {"held_above", 2, 3, MODEL_WORLD, two_private, {owner_holds_above, forcer}, finish, 0, true},
    {"held_put", 2, 3, MODEL_WORLD, one_private, {owner_puts_and_holds, forcer}, finish, 0, true},
    {"held_seen", 2, 3, MODEL_WORLD, one_private, {holder_stays, looker}, seen, 0, true},
    {"thieves",
     3,
     2,
     MODEL_WORLD,
     two_public,
     {owner_push_pop, thief, thief_twice},
     finish,
     0,
     true},
    {"rivals", 3, 2, MODEL_WORLD, one_private, {forcer, owner_pop, forcer}, finish},
    {"passed_on", 3, 2, MODEL_WORLD, one_private, {forcer, owner_pop_push, thief}, finish},
    {"sleep", 2, MODEL_ALL, MODEL_WORLD, empty, {maker, sleeper}, not_forgotten, 0, true},
    {"sleep_kept",
     2,
     MODEL_ALL,
     MODEL_WORLD,
     keeps_hungry,
     {maker, sleeper},
     not_forgotten,
     0,
     true},
    {0},
};
