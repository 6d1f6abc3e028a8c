/* progress.c - model of runtime/struct/progress.h: a post publishes, and no sleeper is forgotten
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "tests/model/model.h"

#include "runtime/struct/progress.h"

static struct world {
  struct nth_progress line;
  int data; /* plain: published by posts */
} w;

static void setup(void) {
  MODEL_ATOM(w.line.posted);
  MODEL_ATOM(w.line.want);
  MODEL_ATOM(w.line.seq);
  MODEL_NAME(w.data);
  nth_progress_reset(&w.line);
}

static void await(uint64_t value) {
  while (!nth_progress_reached(&w.line, value)) {
    uint32_t ticket;
    uint64_t timeout = nth_progress_enter(&w.line, value, &ticket);
    if (!nth_progress_reached(&w.line, value))
      nth_progress_sleep(&w.line, ticket, timeout);
  }
  model_check(w.data > 0);
}

static void post_once(void) {
  w.data = 1;
  nth_progress_post(&w.line, 1);
}
static void post_twice(void) {
  w.data = 1;
  nth_progress_post(&w.line, 1);
  nth_progress_post(&w.line, 2);
}
static void await_one(void) { await(1); }
static void await_two(void) { await(2); }
static void await_both(void) {
  await(1);
  await(2);
}

/* The line changes hands: the second owner posts after it has seen the first one's end. */
static void second_owner(void) {
  await(1);
  nth_progress_post(&w.line, 2);
}

MODEL_CASES = {
    {"one", 2, MODEL_ALL, MODEL_WORLD, setup, {post_once, await_one}, 0},
    {"again", 2, 3, MODEL_WORLD, setup, {post_twice, await_both}, 0},
    {"two", 3, 2, MODEL_WORLD, setup, {post_twice, await_one, await_two}, 0},
    {"owners", 3, 2, MODEL_WORLD, setup, {post_once, second_owner, await_two}, 0},
    {0},
};
