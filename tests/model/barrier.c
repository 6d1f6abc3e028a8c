/* barrier.c - model of the team's barriers: nobody early, nobody left behind, tasks finished
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Text checked: omp/sync/barrier.c, task*.c and
 * omp/queue/help.c (which finds nobody to recall: nobody has arrived at the join). All members
 * are in the region from the start.
 */
#include "tests/model/in_region.h"
#include "tests/model/stubs.h"

static struct world {
  struct model_team t;
  int data[MODEL_MEMBERS_MOST]; /* plain: members write their own, read all after a barrier */
  int ran;                      /* plain: tasks that ran, one after the other */
} w;
static struct model_team *model_team(void) { return &w.t; }

/* Epochs start just below their wrap of 31 bits. */
enum { EPOCH = 0x7ffffffe };

static void setup(uint32_t n, uint8_t kind) {
  model_region(n);
  MODEL_NAME(w.data);
  MODEL_NAME(w.ran);
  w.t.team.barrier_shape.kind = kind;
  nth_store_rlx(&w.t.team.barrier.released, (uint32_t)EPOCH << 1);
  for (uint32_t i = 0; i < n; i++) {
    w.t.slot[i].epoch = EPOCH;
    nth_store_rlx(&w.t.slot[i].barrier.arrived, (uint32_t)EPOCH << 1);
    nth_store_rlx(&w.t.slot[i].barrier.released, (uint32_t)EPOCH << 1);
  }
}
static void flat_two(void) { setup(2, NTH_BARRIER_FLAT); }
static void flat_three(void) { setup(3, NTH_BARRIER_FLAT); }
static void tree_three(void) { setup(3, NTH_BARRIER_TREE); }
static void crowded_two(void) { setup(2, NTH_BARRIER_CROWDED); }
static void crowded_three(void) { setup(3, NTH_BARRIER_CROWDED); }

static void barrier(void) { nth_barrier(model_member()); }

/* Writes the own word, passes, reads the others'. */
static void exchange(int value) {
  w.data[model_thread()] = value;
  barrier();
  for (uint32_t i = 0; i < w.t.team.size; i++)
    model_check(w.data[i] == value);
}

static void once(void) { exchange(1); }
static void twice(void) {
  exchange(1);
  barrier();
  exchange(2);
}

/* --- tasks --- */

static void task(void *data) {
  (void)data;
  w.ran++;
}
static void parent(void *data) {
  task(data);
  nth_task_create(model_member(),
                  &(struct nth_task_args){.fn = task, .align = 1, .deferred = true});
}

/* Member 0 makes a task before the barrier: it has run when anybody is past it. */
static void tasks(void (*fn)(void *), int expect) {
  if (model_thread() == 0)
    nth_task_create(model_member(),
                    &(struct nth_task_args){.fn = fn, .align = 1, .deferred = true});
  barrier();
  model_check(w.ran == expect);
}
static void one_task(void) { tasks(task, 1); }
static void two_tasks(void) { tasks(parent, 2); }
static void task_and_again(void) {
  tasks(task, 1);
  barrier();
  tasks(task, 2);
}

static void finish(void) {
  model_check(nth_load_rlx(&w.t.team.help.bell.sleepers) == 0);
  model_check(!nth_tasks_left(&w.t.team, 0));
}

MODEL_CASES = {
    {"flat", 2, 2, MODEL_WORLD, flat_two, {twice}, finish, 15000},
    {"flat3", 3, 1, MODEL_WORLD, flat_three, {once}, finish},
    {"task", 2, 2, MODEL_WORLD, flat_two, {one_task}, finish, 12000},
    {"tasks", 2, 1, MODEL_WORLD, flat_two, {two_tasks}, finish},
    {"again", 2, 1, MODEL_WORLD, flat_two, {task_and_again}, finish, 8000},
    {"task3", 3, 1, MODEL_WORLD, flat_three, {one_task}, finish, 8000},
    {"tree", 3, 1, MODEL_WORLD, tree_three, {once}, finish, 8000},
    {"tree_task", 3, 0, MODEL_WORLD, tree_three, {one_task}, finish, 4000},
    {"crowded", 2, 2, MODEL_WORLD, crowded_two, {twice}, finish},
    {"crowded3", 3, 1, MODEL_WORLD, crowded_three, {once}, finish},
    {"crowded_task", 2, 1, MODEL_WORLD, crowded_two, {one_task}, finish},
    {0},
};
