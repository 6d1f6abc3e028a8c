/* berth.c - model of suspended tasks: none is forgotten, and what they waited for is seen
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Text checked: in omp/tasks/task_berth.c the ways from a wait to those who end it, the lists of
 * omp/sync/lock.c, the ends of children in task_run.c. Member 0's current task is loose. Where it
 * leaves its stack, the model goes on as a barrier does: it sleeps until a suspended task can go
 * on.
 */
#define MODEL_BERTHS
#include "tests/model/in_region.h"
#include "tests/model/stubs.h"

#include "runtime/omp/sync/lock.h"
#include "runtime/omp/tasks/task_run.h"
#include "runtime/omp/types/taskgroup_type.h"

static struct world {
  struct model_team t;
  struct nth_task task; /* member 0's, with its berth and lock */
  struct nth_stack stack;
  struct nth_berth berth;
  struct nth_mutex lock;
  struct nth_task *item[2]; /* children in the hands of members 1 and 2 */
  int ran, side;            /* plain: w: children, each its own; who has the lock */
} w;
static struct model_team *model_team(void) { return &w.t; }

/* --- what the text wants besides --- */

void nth_luggage_pack(struct nth_luggage *l) { (void)l; }
void nth_luggage_unpack(const struct nth_luggage *l) { (void)l; }
struct nth_stack *nth_stack_take(struct nth_pool *p, void (*f)(void *), void *arg,
                                 uint64_t control) {
  return (void)p, (void)f, (void)arg, (void)control, NULL;
}
void nth_stack_give(struct nth_pool *p, struct nth_stack *s) { (void)p, (void)s; }
void nth_stack_adopt(struct nth_stack *s) { (void)s; }
void nth_stack_arrived(struct nth_stack *s) { (void)s; }
bool nth_os_shadow_stack(void) { return false; }
bool nth_os_offer_cpu(void) { return false; }
uint64_t nth_switch_control(void) { return 0; }

/* Member 0 leaves the task's stack, and comes back when that can go on. */
void nth_stack_switch(struct nth_stack *from, struct nth_stack *to) {
  struct nth_slot *s = &w.t.slot[0];
  (void)from, (void)to;
  model_check(model_thread() == 0 && s->berths.suspended == 1);
  while (!nth_berth_next(s)) {
    uint32_t ticket = nth_bell_enter(&w.t.team.help.bell);
    if (!nth_berth_any(s))
      nth_bell_sleep(&w.t.team.help.bell, ticket, 0);
    nth_bell_leave(&w.t.team.help.bell);
  }
  s->berths.suspended--;
}

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
  model_region(n);
  nth_lock_forked(); /* its lists are not the world's */
  nth_store_rlx(&w.t.team.tasked, true);
  for (uint32_t i = 0; i < n; i++)
    MODEL_ATOM_AT(i, w.t.slot[i].berths.woken);
  MODEL_ATOM(w.lock.word);
  MODEL_NAME(w.ran);
  MODEL_NAME(w.side);
  w.task.class = NTH_POOL_BIG;
  w.task.flags = NTH_TASK_UNTIED | NTH_TASK_LOOSE;
  w.task.team = &w.t.team;
  nth_store_rlx(&w.task.parent, (uintptr_t)&w.t.slot[0].implicit);
  nth_store_rlx(&w.task.refs, 1);
  nth_store_rlx(&w.task.runner, &w.t.member[0]);
  nth_tally_clear(&w.task.children);
  w.berth = (struct nth_berth){.stack = &w.stack, .member = &w.t.member[0], .task = &w.task};
  w.t.member[0].now.task = &w.task;
  w.t.member[0].berth = &w.berth;
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
  w.task.group = &g;
  make(0);
}

static void run_child(void) { nth_task_run(model_member(), w.item[model_thread() - 1], true, 0); }

/* As nth_task_wait() does, where no child is left to be run here. */
static void wait_children(void) {
  int children = (int)w.task.children.own;
  nth_berth_tally(model_member(), &w.task.children);
  model_check(w.ran + w.side == children);
  model_check(nth_load_rlx(&w.task.runner) == model_member());
}
static void wait_group(void) {
  nth_berth_tally(model_member(), &w.task.group->count);
  model_check(w.ran == 1);
}

static void all_ended(void) {
  model_check(nth_tally_left(&w.task.children) == 0 && !(w.task.flags & NTH_TASK_STAYS));
  model_check(model_kept() == 0);
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

MODEL_CASES = {
    {"child", 2, 3, MODEL_WORLD, setup_one, {wait_children, run_child}, all_ended},
    {"children", 3, 1, MODEL_WORLD, setup_two, {wait_children, run_child, run_child}, all_ended},
    {"group", 2, 3, MODEL_WORLD, setup_group, {wait_group, run_child}, all_ended},
    {"lock", 2, 4, MODEL_WORLD, setup_lock, {want, use}, left_two},
    {"locks", 3, 2, MODEL_WORLD, setup_locks, {want, use, want}, left_three, 9999},
    {0},
};
