/* exclusion.c - model of mutexinoutset: one at a time, and nobody is forgotten
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Text checked: omp/tasks/exclusion.c. Thread i runs task i, at once when it gets its exclusions,
 * or when another one's end makes it ready; then it ends, and its memory goes. Three tasks with
 * different sets are left out: loom 0.7 lets an exchange there read a value that has been replaced.
 */
#include "tests/model/model.h"

#include "runtime/omp/tasks/depend.h"
#include "runtime/omp/tasks/exclusion.h"
#include "runtime/omp/tasks/task.h"
#include "tests/model/pools.h"

enum { TASKS = 3, OBJECTS = 2 };

static struct world {
  struct nth_task task[TASKS];
  struct nth_depend depend[TASKS];
  _Atomic(uint32_t) ready[TASKS];
  struct nth_exclusive *object[OBJECTS];
  bool uses[TASKS][OBJECTS];
  int holder[OBJECTS]; /* plain: task + 1 while it runs */
  int ran[TASKS];      /* plain */
} w;

_Thread_local struct nth_member *nth_self;

void nth_depend_start(struct nth_task *t) {
  uint32_t i = (uint32_t)(t - w.task);
  nth_add_rel(&w.ready[i], 1);
  nth_futex_wake(&w.ready[i], 1);
}

static void use(uint32_t i, int first, int second) {
  for (int n = 0; n < 2; n++) {
    int o = n == 0 ? first : second;
    if (o < 0)
      continue;
    nth_exclusion_add(&w.depend[i], w.object[o]);
    w.uses[i][o] = true;
  }
}

static void begin(void) {
  for (int i = 0; i < OBJECTS; i++) {
    w.object[i] = nth_exclusive_make();
    MODEL_ATOM_AT(i, w.object[i]->word);
    MODEL_ATOM_AT(i, w.object[i]->refs);
  }
  for (int i = 0; i < TASKS; i++) {
    w.depend[i].task = &w.task[i];
    MODEL_ATOM_AT(i, w.ready[i]);
  }
  MODEL_NAME(w.holder);
}

/* The group's entry in the table goes. */
static void end(void) {
  for (int i = 0; i < OBJECTS; i++)
    nth_exclusive_unref(w.object[i]);
}

static void crossed(void) {
  begin();
  use(0, 0, 1);
  use(1, 1, 0);
  end();
}
static void three(void) {
  begin();
  for (uint32_t i = 0; i < 3; i++)
    use(i, 0, -1);
  end();
}
static void run(uint32_t i) {
  for (int o = 0; o < OBJECTS; o++) {
    if (w.uses[i][o]) {
      model_check(w.holder[o] == 0);
      w.holder[o] = (int)i + 1;
    }
  }
  w.ran[i]++;
  for (int o = 0; o < OBJECTS; o++) {
    if (w.uses[i][o]) {
      model_check(w.holder[o] == (int)i + 1);
      w.holder[o] = 0;
    }
  }
}

static void task(void) {
  uint32_t i = model_thread();
  if (!nth_exclusion_take(&w.depend[i])) {
    while (nth_load_acq(&w.ready[i]) == 0)
      nth_futex_wait(&w.ready[i], 0, 0);
  }
  run(i);
  nth_exclusion_release(&w.depend[i]);
  nth_exclusion_free(&w.depend[i]);
}

static void two_ran(void) { model_check(w.ran[0] == 1 && w.ran[1] == 1); }
static void three_ran(void) {
  two_ran();
  model_check(w.ran[2] == 1);
}

MODEL_CASES = {
    {"crossed", 2, 3, MODEL_WORLD, crossed, {task}, two_ran},
    {"three", 3, 2, MODEL_WORLD, three, {task}, three_ran, 20000},
    {0},
};
