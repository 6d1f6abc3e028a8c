/* task_batch.c - model of batches: each part runs once, with its own place, before the wait ends
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Text checked: runtime/omp/taskloop/task_batch.c, task*.c. Two members are in the region; one
 * meets the construct.
 */
#include "runtime/omp/taskloop/task_batch.h"
#include "tests/model/in_region.h"
#include "tests/model/stubs.h"

enum { PARTS_MOST = 5 };

static struct world {
  struct model_team t;
  uint64_t parts;
  uint32_t maker; /* the member that meets the construct */
  bool goes_on;   /* and does not wait for it at once: half goes to a domain */
  bool children;  /* the second part leaves a child behind */
  uint32_t meet;  /* each part waits until so many have begun */
  _Atomic(uint32_t) here;
  int ran[PARTS_MOST]; /* plain: written by a part, read by who waits for all */
  int child;           /* plain */
} w;
static struct model_team *model_team(void) { return &w.t; }

static void setup(uint64_t parts) {
  model_region(2);
  MODEL_NAME(w.ran);
  w.parts = parts;
}
static void two(void) { setup(2); }
static void five(void) { setup(5); }
static void with_child(void) {
  setup(4);
  w.children = true;
}

static void half(void) {
  setup(4);
  w.maker = 1; /* the other one sleeps first */
  w.goes_on = true;
}

static void meet(void) {
  setup(2);
  MODEL_ATOM(w.here);
  w.meet = 2;
}

static void child(void *unused) {
  (void)unused;
  w.child++;
}

static void part(void *data) {
  uint64_t *place = data; /* a part of the loop from 10, by 3s */
  uint64_t i = (place[0] - 10) / 3;
  model_check(i < w.parts && place[1] == place[0] + 3);
  w.ran[i]++;
  if (w.meet != 0) {
    nth_add_rlx(&w.here, 1);
    while (nth_load_rlx(&w.here) < w.meet)
      model_idle();
  }
  if (w.children && i == 1)
    nth_task_create(model_member(),
                    &(struct nth_task_args){.fn = child, .align = 1, .deferred = true});
}

static void create(void) {
  uint64_t args[2];
  struct nth_task_args a = {
      .fn = part, .data = args, .size = sizeof args, .align = 8, .deferred = true};
  struct nth_division d = {10, 3, 10 + 3 * w.parts, w.parts, 1, 0};
  uint64_t made = nth_task_batch_create(model_member(), &a, &d, 0, w.goes_on);
  model_check(made == w.parts);
}

static void all_ran(void) {
  for (uint64_t i = 0; i < w.parts; i++)
    model_check(w.ran[i] == 1);
}

static void at_barrier(void) {
  if (model_thread() == w.maker)
    create();
  nth_barrier(model_member());
  all_ran();
  model_check(w.child == w.children);
}

static void finish(void) {
  model_check(nth_load_rlx(&w.t.team.help.bell.sleepers) == 0);
  model_check(!nth_tasks_left(&w.t.team, 0));
}

MODEL_CASES = {
    {"two", 2, 2, MODEL_WORLD, two, {at_barrier}, finish, 12000},
    {"five", 2, 1, MODEL_WORLD, five, {at_barrier}, finish, 12000},
    {"half", 2, 1, MODEL_WORLD, half, {at_barrier}, finish, 12000},
    {"meet", 2, 3, MODEL_WORLD, meet, {at_barrier}, finish, 24000},
    {"child", 2, 1, MODEL_WORLD, with_child, {at_barrier}, finish, 12000},
    {0},
};
