/* wdarray.c - model of runtime/struct/wdarray.h: publication, laps, readers that are not meant
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The array has two slots here (config.h), so the third descriptor laps the first.
 */
#include "tests/model/model.h"

#include "runtime/struct/wdarray.h"

enum { OWNER = 100, BYSTANDER = 2, LAST = 3 };

static struct world {
  struct nth_wdarray array;
  uint32_t first; /* where readers start; plain, written in setup */
  _Atomic(uint32_t) joined;
} w;

static void setup(void) {
  model_check(nth_wdarray_valid(&w.array));
  MODEL_ATOM(w.array.slot[0].stamp);
  MODEL_ATOM(w.array.slot[1].stamp);
  MODEL_ATOM(w.joined);
  w.first = nth_wdarray_start(&w.array);
}

static void work(void *data) { (void)data; }

/* Descriptor number n, its fields derived from n. */
static void put(uint32_t n, uint32_t addressee) {
  struct nth_wd wd = {work, (void *)(uintptr_t)n, OWNER + n, addressee};
  nth_wdarray_put(&w.array, &wd);
}

static void is_number(const struct nth_wd *wd, uint32_t n, uint32_t addressee) {
  model_check(wd->fn == work && wd->data == (void *)(uintptr_t)n && wd->owner == OWNER + n);
  model_check(wd->addressee == addressee);
}

/* The slave's part of the join, which keeps a producer from overwriting what is not read yet. */
static void arrive(uint32_t n) { nth_store_rel(&w.joined, n); }
static void await(uint32_t n) {
  while (nth_load_acq(&w.joined) < n)
    model_idle();
}

/* --- LWD: one reader --- */

static void lwd_producer(void) {
  put(1, 7);
  put(2, 8);
  await(1);
  put(3, 9);
}

static void lwd_reader(void) {
  uint32_t position = w.first;
  struct nth_wd wd;
  for (uint32_t n = 1; n <= 3; n++) {
    while (!nth_wdarray_get(&w.array, &position, false, 0, &wd))
      model_idle();
    is_number(&wd, n, 6 + n);
    arrive(n);
  }
  model_check(!nth_wdarray_get(&w.array, &position, false, 0, &wd));
}

/* --- GWD: member 1 takes part in all regions, member 2 in the last only --- */

static void gwd_producer(void) {
  for (uint32_t n = 1; n < LAST; n++) {
    put(n, BYSTANDER);
    await(n);
  }
  put(LAST, BYSTANDER + 1);
}

/* The same as if member 1 were always at once. */
static void lone_producer(void) {
  for (uint32_t n = 1; n < LAST; n++)
    put(n, BYSTANDER);
  put(LAST, BYSTANDER + 1);
}

static void gwd_member(void) {
  uint32_t position = w.first;
  struct nth_wd wd;
  for (uint32_t n = 1; n <= LAST; n++) {
    while (!nth_wdarray_get(&w.array, &position, true, 1, &wd))
      model_idle();
    is_number(&wd, n, n < LAST ? BYSTANDER : BYSTANDER + 1);
    arrive(n);
  }
}

/* May be lapped, must not touch what is not for it, must get the last one. */
static void gwd_bystander(void) {
  uint32_t position = w.first;
  struct nth_wd wd;
  for (;;) {
    while (!nth_wdarray_ready(&w.array, position))
      model_idle();
    if (nth_wdarray_get(&w.array, &position, true, BYSTANDER, &wd))
      break;
  }
  is_number(&wd, LAST, BYSTANDER + 1);
  model_check(position == w.first + LAST);
}

static void finish(void) { model_check(nth_wdarray_valid(&w.array)); }

MODEL_CASES = {
    {"lwd", 2, MODEL_ALL, MODEL_WORLD, setup, {lwd_producer, lwd_reader}, finish},
    {"lapped", 2, MODEL_ALL, MODEL_WORLD, setup, {lone_producer, gwd_bystander}, finish},
    {"gwd", 3, 1, MODEL_WORLD, setup, {gwd_producer, gwd_member, gwd_bystander}, finish},
    {0},
};
