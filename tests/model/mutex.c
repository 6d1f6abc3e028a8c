/* mutex.c - model of runtime/struct/mutex.h: exclusion, order, no lost wake-up
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "tests/model/model.h"

#include "runtime/struct/mutex.h"

static struct world {
  struct nth_mutex mutex;
  int rounds, counter; /* plain: the mutex alone protects counter */
} w;

static void setup(int rounds) {
  nth_mutex_init(&w.mutex);
  MODEL_ATOM(w.mutex.word);
  MODEL_NAME(w.counter);
  w.rounds = rounds;
}
static void setup1(void) { setup(1); }
static void setup2(void) { setup(2); }

static void count(void) {
  for (int i = 0; i < w.rounds; i++) {
    nth_mutex_lock(&w.mutex);
    uint32_t word = nth_load_rlx(&w.mutex.word);
    model_check(word == NTH_MUTEX_TAKEN || word == NTH_MUTEX_AWAITED); /* I1 */
    w.counter++;
    nth_mutex_unlock(&w.mutex);
  }
}

static void try_count(void) {
  if (!nth_mutex_try(&w.mutex))
    return;
  w.counter += 100;
  nth_mutex_unlock(&w.mutex);
}

static void finish_two(void) {
  model_check(w.counter == 2 * w.rounds);
  model_check(nth_load_rlx(&w.mutex.word) == NTH_MUTEX_FREE);
}
static void finish_three(void) { model_check(w.counter == 3); }
static void finish_try(void) { model_check(w.counter == 2 || w.counter == 102); }

MODEL_CASES = {
    {"two", 2, MODEL_ALL, MODEL_WORLD, setup1, {count}, finish_two},
    {"again", 2, 4, MODEL_WORLD, setup2, {count}, finish_two},
    {"three", 3, 3, MODEL_WORLD, setup1, {count}, finish_three},
    {"try", 3, 3, MODEL_WORLD, setup1, {count, count, try_count}, finish_try},
    {0},
};
