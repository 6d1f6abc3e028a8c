/* berth.c - model of suspended tasks: none is forgotten, and what they waited for is seen
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Text checked: in omp/tasks/task_berth.c the ways from a wait to those who end it, the lists of
 * omp/sync/lock.c, the ends of children in task_run.c, and the search for a task that a suspended
 * one waits for. Member 0's current task is loose; in the case `turns` no task is, and all three
 * members take turns on OS threads.
 */
#define MODEL_BERTHS
#include "tests/model/in_region.h"
#include "tests/model/stubs.h"

#include "runtime/omp/sync/lock.h"
#include "runtime/omp/tasks/task_run.h"
#include "runtime/omp/types/taskgroup_type.h"
#include "tests/model/loose.h"

static struct world {
  struct model_team t;
  struct model_loose loose; /* member 0's task */
  struct nth_mutex lock;
  struct nth_task *item[2]; /* children in the hands of members 1 and 2 */
  int ran, side;            /* plain: w: children, each its own; who has the lock */
} w;
static struct model_team *model_team(void) { return &w.t; }
static struct model_loose *model_loose(void) { return &w.loose; }

/* --- taskwait, the end of a taskgroup --- */

static void child(void *data) {
  int **which = data;
  ++**which;
}

/* Of the current task; member i + 1 will run it. */
static void make(uint32_t i) {
  int *which = i == 0 ? &w.ran : &w.side;
  nth_task_create(
      &w.t.member[0],
      &(struct nth_task_args){
          .fn = child, .data = &which, .align = 8, .size = sizeof which, .deferred = true});
  w.item[i] = nth_task_find(&w.t.member[0], 0, NTH_LOOK_ENDS);
}

static void setup(uint32_t n) {
  model_loose_setup(n);
  MODEL_ATOM(w.lock.word);
  MODEL_NAME(w.ran);
  MODEL_NAME(w.side);
}

static void setup_children(uint32_t n, uint32_t children) {
  setup(n);
  for (uint32_t i = 0; i < children; i++)
    make(i);
}
static void setup_one(void) { setup_children(2, 1); }
static void setup_two(void) { setup_children(3, 2); }
static void setup_group(void) {
  static struct nth_taskgroup g;
  setup(2);
  memset(&g, 0, sizeof g);
  nth_store_rlx(&g.owner, &w.t.member[0]);
  MODEL_ATOM(g.owner);
  MODEL_ATOM(g.count.others);
  w.loose.task.group = &g;
  make(0);
}

static void run_child(void) { nth_task_run(model_member(), w.item[model_thread() - 1], true, 0); }

/* As nth_task_wait() does, where no child is left to be run here. */
static void wait_children(void) {
  int children = (int)w.loose.task.children.own;
  nth_berth_tally(model_member(), &w.loose.task.children);
  model_check(w.ran + w.side == children);
  model_check(nth_load_rlx(&w.loose.task.runner) == model_member());
}
static void wait_group(void) {
  nth_berth_tally(model_member(), &w.loose.task.group->count);
  model_check(w.ran == 1);
}

static void all_ended(void) {
  model_check(nth_tally_left(&w.loose.task.children) == 0 &&
              !(w.loose.task.flags & NTH_TASK_STAYS));
  model_check(model_kept() == 0);
}

/* --- a child below its parent's place in the deque, in a wait that begins no task --- */

static void setup_stuck(void) {
  int *which = &w.ran;
  setup(2);
  nth_task_create(
      &w.t.member[0],
      &(struct nth_task_args){
          .fn = child, .data = &which, .align = 8, .size = sizeof which, .deferred = true});
  w.loose.task.base = nth_deque_base(&w.t.slot[0].queue.deque); /* it has gone on since */
  w.loose.stuck = true;
}
/* Takes the child, if it is public. */
static void take_child(void) {
  struct nth_task *t = nth_task_find(model_member(), 0, NTH_LOOK_ENDS);
  if (t)
    nth_task_run(model_member(), t, true, 0);
}
static void wait_stuck(void) {
  nth_berth_tally(model_member(), &w.loose.task.children);
  model_check(w.ran == 1);
}

/* --- a lock --- */

static void setup_lock(void) {
  setup(2);
  nth_store_rlx(&w.lock.word, 1); /* member 1 has it */
}
static void setup_locks(void) {
  setup(3);
  nth_store_rlx(&w.lock.word, 1);
}

static void use(void) {
  w.ran++;
  nth_lock_unset(&w.lock);
}
static void want(void) {
  nth_lock_set(&w.lock);
  use();
}

static void left_two(void) { model_check(w.ran == 2 && nth_load_rlx(&w.lock.word) == 0); }
static void left_three(void) { model_check(w.ran == 3 && nth_load_rlx(&w.lock.word) == 0); }

/* --- a lock of members that take turns on OS threads --- */

static void setup_turns(void) {
  setup(3);
  MODEL_ATOM(nth_allowed.cpus);
  w.t.member[0].now.task = &w.t.slot[0].implicit;
  w.t.member[0].berth = 0;
  for (uint32_t i = 0; i < 3; i++)
    w.t.proc[i].waiter.serves = true;
}

MODEL_CASES = {
    {"child", 2, 3, MODEL_WORLD, setup_one, {wait_children, run_child}, all_ended},
    {"children", 3, 1, MODEL_WORLD, setup_two, {wait_children, run_child, run_child}, all_ended},
    {"group", 2, 3, MODEL_WORLD, setup_group, {wait_group, run_child}, all_ended},
    {"stuck", 2, 3, MODEL_WORLD, setup_stuck, {wait_stuck, take_child}, all_ended},
    {"lock", 2, 4, MODEL_WORLD, setup_lock, {want, use}, left_two},
    {"locks", 3, 2, MODEL_WORLD, setup_locks, {want, use, want}, left_three, 9999},
    {"turns", 3, 4, MODEL_WORLD, setup_turns, {want}, left_three},
    {0},
};
