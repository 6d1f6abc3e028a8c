/* task_pack.c - model of packs: each task runs once, with its own arguments, before the wait ends
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Text checked: runtime/omp/taskloop/task_pack.c, task_batch.c, task*.c. Two members are in the
 * region; the first one makes the tasks.
 */
#include "runtime/omp/taskloop/task_pack.h"
#include "runtime/omp/member/member.h"
#include "tests/model/in_region.h"
#include "tests/model/stubs.h"

enum { TASKS_MOST = 6 };

static struct world {
  struct model_team t;
  uint32_t tasks;      /* in each burst */
  uint32_t made;       /* w, r: the maker */
  int ran[TASKS_MOST]; /* plain: written by a task, read by who waits for all */
} w;
static struct model_team *model_team(void) { return &w.t; }

static void task(void *data) {
  uint64_t i = *(uint64_t *)data;
  model_check(i < TASKS_MOST);
  w.ran[i]++;
}

static void other(void *data) { task(data); }

static void setup(uint32_t tasks) {
  model_region(2);
  MODEL_NAME(w.ran);
  w.tasks = tasks;
}
static void two(void) { setup(2); }
static void three(void) { setup(3); }

static void make(void) {
  uint64_t i = w.made++;
  nth_task_pack(model_member(), task, &i, sizeof i, 8, 0);
}

/* The first task of a function is one of its own: here it has been made before. */
static void burst(void) {
  model_member()->now.slot->queue.stage.fn = task;
  for (uint32_t i = 0; i < w.tasks; i++)
    make();
}

static void all_ran(void) {
  for (uint32_t i = 0; i < w.made; i++)
    model_check(w.ran[i] == 1);
}

static void at_barrier(void) {
  bool maker = model_thread() == 0;
  if (maker)
    burst();
  nth_barrier(model_member());
  if (maker)
    all_ran();
}

/* After its wait the maker makes another task, and then one more for a pack. */
static void again(void) {
  bool maker = model_thread() == 0;
  if (maker) {
    burst();
    nth_task_wait(model_member());
    all_ran();
    uint64_t i = w.made++;
    nth_task_defer(model_member(), other, &i, sizeof i, 8, 0);
    make();
  }
  nth_barrier(model_member());
  if (maker)
    all_ran();
}

static void finish(void) {
  model_check(nth_load_rlx(&w.t.team.help.bell.sleepers) == 0);
  model_check(!nth_tasks_left(&w.t.team, 0));
}

MODEL_CASES = {
    {"two", 2, 2, MODEL_WORLD, two, {at_barrier}, finish, 12000},
    {"three", 2, 1, MODEL_WORLD, three, {at_barrier}, finish, 12000},
    {"again", 2, 1, MODEL_WORLD, two, {again}, finish, 12000},
    {0},
};
