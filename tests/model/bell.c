/* bell.c - model of runtime/struct/bell.h: no ring is lost
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "tests/model/model.h"

#include "runtime/struct/bell.h"

static struct world {
  struct nth_bell bell;
  _Atomic(uint32_t) flag, tokens;
  int data; /* plain: published by flag */
} w;

static void setup(void) {
  model_check(nth_bell_valid(&w.bell));
  MODEL_ATOM(w.bell.seq);
  MODEL_ATOM(w.bell.sleepers);
  MODEL_ATOM(w.flag);
  MODEL_ATOM(w.tokens);
  MODEL_NAME(w.data);
}

/* --- one condition, all sleepers woken --- */

static void await_flag(uint32_t value) {
  while (nth_load_acq(&w.flag) < value) {
    uint32_t ticket = nth_bell_enter(&w.bell);
    if (nth_load_acq(&w.flag) < value)
      nth_bell_sleep(&w.bell, ticket, 0);
    nth_bell_leave(&w.bell);
  }
  model_check(w.data >= (int)value);
}

static void raise_flag(uint32_t value) {
  nth_store_rel(&w.flag, value);
  nth_fence_full();
  nth_bell_ring(&w.bell, INT_MAX);
}

static void signal_once(void) {
  w.data = 1;
  raise_flag(1);
}
static void await_one(void) { await_flag(1); }

/* The second wait may find the bell as the first one left it. */
static void signal_twice(void) {
  w.data = 2;
  raise_flag(1);
  raise_flag(2);
}
static void await_two(void) {
  await_flag(1);
  await_flag(2);
}

/* --- two tokens, one sleeper woken for each --- */

static bool take_token(void) {
  uint32_t n = nth_load_acq(&w.tokens);
  while (n > 0) {
    if (nth_cas_acqrel(&w.tokens, &n, n - 1))
      return true;
  }
  return false;
}

static void give_tokens(void) {
  for (int i = 0; i < 2; i++) {
    nth_add_rel(&w.tokens, 1);
    nth_fence_full();
    nth_bell_ring(&w.bell, 1);
  }
}

static void await_token(void) {
  for (bool got = take_token(); !got;) {
    uint32_t ticket = nth_bell_enter(&w.bell);
    got = take_token();
    if (!got)
      nth_bell_sleep(&w.bell, ticket, 0);
    nth_bell_leave(&w.bell);
    got = got || take_token();
  }
}

static void finish(void) {
  model_check(nth_load_rlx(&w.bell.sleepers) == 0);
  model_check(nth_bell_valid(&w.bell));
}

MODEL_CASES = {
    {"one", 2, MODEL_ALL, MODEL_WORLD, setup, {signal_once, await_one}, finish},
    {"again", 2, 3, MODEL_WORLD, setup, {signal_twice, await_two}, finish},
    {"many", 3, 2, MODEL_WORLD, setup, {signal_once, await_one, await_one}, finish},
    {"tokens", 3, 2, MODEL_WORLD, setup, {give_tokens, await_token, await_token}, finish, 10000},
    {0},
};
