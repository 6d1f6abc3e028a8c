/* tasks_left.c - model of the counts of tasks: when none is left, and that its end wakes
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Text checked: in task*.c the ways from a task's making to its end, nth_tasks_left(), and the
 * tallies of parents and taskgroups, whose owner changes. The members are in a region; members 0
 * and 1 run tasks. Who is no member of the team has its own state.
 */
#include "runtime/omp/tasks/taskgroup.h"
#include "runtime/omp/types/taskgroup_type.h"
#include "tests/model/in_region.h"
#include "tests/model/stubs.h"

static struct world {
  struct model_team t;
  int ran;                   /* plain: w: tasks that run one after the other */
  int side[2];               /* plain: w: tasks that run beside each other, each its own */
  struct nth_task *detached; /* its body has ended */
} w;
static struct model_team *model_team(void) { return &w.t; }

static void make_by(uint32_t member, void (*fn)(void *), void *data) {
  nth_task_create(&w.t.member[member],
                  &(struct nth_task_args){
                      .fn = fn, .data = &data, .align = 8, .size = sizeof data, .deferred = true});
}

static void one(void *data) {
  (void)data;
  w.ran++;
}
static void aside(void *data) {
  int **which = data;
  ++**which;
}
/* A task of a task, made by whoever runs it. */
static void parent(void *data) {
  one(data);
  make_by(model_thread(), one, 0);
}

/* All are in the region, and nobody is docked. */
static void region(uint32_t n) {
  model_region(n);
  nth_store_rlx(&w.t.team.tasked, true);
  MODEL_NAME(w.ran);
  MODEL_NAME(w.side);
}
static void share_all(void) { nth_deque_publish(&w.t.slot[0].queue.deque); }

static void run_one(void) { nth_task_run_any(model_member(), false); }
static void run_two(void) {
  run_one();
  run_one();
}

static void all_ended(void) {
  model_check(!nth_tasks_left(&w.t.team, 0));
  for (uint32_t i = 0; i < w.t.team.size; i++)
    model_check(nth_tally_left(&w.t.slot[i].implicit.children) == 0);
  model_check(model_kept() == 0);
}

/* --- when it says that none is left, all have run, and nobody touches the region's tallies --- */

static void with_a_child(void) {
  region(2);
  make_by(0, parent, 0);
  share_all();
}
static void look(void) {
  if (nth_tasks_left(&w.t.team, 0))
    return;
  model_check(w.ran == 2);
  model_check(nth_tally_left(&w.t.slot[0].implicit.children) == 0);
  model_check(model_kept() == 0);
}
static void look_twice(void) {
  look();
  look();
}
/* Member 0 keeps a task to itself whose child member 1, which is hungry, gets at once. */
static void for_a_thief(void) {
  void *none;
  region(2);
  make_by(0, parent, 0);
  nth_deque_steal(&w.t.slot[0].queue.deque, &none, 1);
}
/* Runs one for sure, which nobody else takes. */
static void run_surely(void) {
  while (!nth_task_run_any(model_member(), false))
    model_idle();
}
static void rest_run(void) {
  for (uint32_t i = 0; i < 2; i++)
    while (nth_task_run_any(&w.t.member[i], false)) {}
}
static void all_run(void) {
  rest_run();
  model_check(w.ran == 2);
  all_ended();
}

/* --- who sleeps until all are done: one of the two last ends wakes it --- */

static void two_tasks(void) {
  region(3);
  for (int i = 0; i < 2; i++)
    make_by(0, aside, &w.side[i]);
  share_all();
}
/* It could run them, too; that is another case. */
static void await_all(void) {
  struct nth_bell *bell = &w.t.team.help.bell;
  while (nth_tasks_left(&w.t.team, 0)) {
    nth_add_rlx(&w.t.team.help.enders, 1);
    uint32_t ticket = nth_bell_enter(bell);
    nth_os_fence_all();
    if (nth_tasks_left(&w.t.team, 0))
      nth_bell_sleep(bell, ticket, 0);
    nth_bell_leave(bell);
    nth_sub_rlx(&w.t.team.help.enders, 1);
  }
  model_check(w.side[0] == 1 && w.side[1] == 1);
}
static void one_task(void) {
  region(2);
  make_by(0, one, 0);
}
static void await_one(void) {
  nth_task_wait_all(model_member());
  model_check(w.ran == 1);
}

/* --- the last end comes from outside, and the next region has other members --- */

static void a_detached_one(void) {
  region(2);
  void *event;
  struct nth_task_args a = {.fn = one, .align = 8, .deferred = true, .event = &event};
  nth_task_create(&w.t.member[0], &a);
  w.detached = event;
  MODEL_ATOM(w.detached->event.node.deps.word);
  MODEL_ATOM(w.detached->event.fulfilled);
  MODEL_ATOM(w.detached->refs);
  nth_task_run_any(&w.t.member[0], false);
  w.t.member[1].now = (struct nth_member_state){.slot = &w.t.member[1].solo, .team_size = 1};
}
static void await_and_change(void) {
  await_one();
  model_check(w.side[1] == 1);
  w.t.team.size = 1;
  w.t.team.slot = 0;
}
static void fulfil(void) {
  w.side[1]++;
  model_check(nth_task_fulfill(w.detached));
}
static void changed(void) {
  w.t.team.size = 2;
  w.t.team.slot = w.t.slots;
  all_ended();
}

/* --- a parent that ends before its children; the last of these frees it --- */

static void makes_two(void *data) {
  (void)data;
  for (int i = 0; i < 2; i++)
    make_by(model_thread(), aside, &w.side[i]);
  nth_deque_publish(&w.t.slot[model_thread()].queue.deque);
}
static void two_orphans(void) {
  region(2);
  make_by(0, makes_two, 0);
}
static void run_three(void) {
  run_two();
  run_one();
}
static void orphans_ended(void) {
  rest_run();
  model_check(w.side[0] == 1 && w.side[1] == 1);
  all_ended();
}

/* --- a parent, and a group, that wait for them --- */

static void waits_for_two(void *data) {
  makes_two(data);
  nth_task_wait(model_member());
  model_check(w.side[0] == 1 && w.side[1] == 1);
}
static void two_awaited(void) {
  region(2);
  make_by(0, waits_for_two, 0);
}
static void groups_two(void *data) {
  nth_taskgroup_begin(model_member());
  MODEL_ATOM(model_member()->now.task->group->count.others);
  makes_two(data);
  nth_taskgroup_end(model_member());
  model_check(w.side[0] == 1 && w.side[1] == 1);
}
static void two_grouped(void) {
  region(2);
  make_by(0, groups_two, 0);
}

/* --- a maker that takes its children back, of which one leaves a child of its own --- */

static void makes_one(void *data) {
  (void)data;
  make_by(model_thread(), aside, &w.side[1]);
}
static void one_leaves_one(void) {
  region(2);
  make_by(0, aside, &w.side[0]);
  make_by(0, makes_one, 0);
}
static void take_back(void) {
  nth_task_wait(model_member());
  model_check(w.side[0] == 1);
}

MODEL_CASES = {
    {"left", 3, 3, MODEL_WORLD, with_a_child, {run_two, run_two, look_twice}, all_run, 40000},
    {"handed", 3, 2, MODEL_WORLD, for_a_thief, {run_one, run_surely, look}, all_run, 40000},
    {"asleep", 3, 2, MODEL_WORLD, two_tasks, {run_surely, run_surely, await_all}, all_ended, 20000},
    {"last", 2, 3, MODEL_WORLD, one_task, {run_one, await_one}, 0, 20000},
    {"outside",
     2,
     MODEL_ALL,
     MODEL_WORLD,
     a_detached_one,
     {await_and_change, fulfil},
     changed,
     20000},
    {"orphans", 2, 3, MODEL_WORLD, two_orphans, {run_three, run_two}, orphans_ended, 30000},
    {"awaited", 2, 3, MODEL_WORLD, two_awaited, {run_one, run_one}, orphans_ended, 20000},
    {"back", 2, 3, MODEL_WORLD, one_leaves_one, {take_back, run_one}, orphans_ended, 20000},
    {"grouped", 2, 3, MODEL_WORLD, two_grouped, {run_one, run_one}, orphans_ended, 20000},
    {0},
};
