/* stolen.c - model of a wait for children that others have stolen: it gets at them, or wakes
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Text checked: runtime/omp/queue/task_queue.c and task_wait.c. Member 0 runs a task that
 * holds a lock while it waits for its children; who else runs the others' task wants that lock
 * first.
 */
#define MODEL_LATE_THIEVES
#include "tests/model/in_region.h"
#include "tests/model/stubs.h"

#include "runtime/struct/mutex.h"

static struct world {
  struct model_team t;
  struct nth_mutex lock;
  int inside, ran; /* plain: who has the lock; tasks that have run, which then do one after the
                    * other */
} w;
static struct model_team *model_team(void) { return &w.t; }

static void make_by(uint32_t member, void (*fn)(void *)) {
  nth_task_create(&w.t.member[member],
                  &(struct nth_task_args){.fn = fn, .align = 1, .deferred = true});
}
static struct nth_task *take_from(uint32_t member) {
  return nth_task_find(&w.t.member[member], 0, NTH_LOOK_ENDS);
}

static void nothing(void *data) { (void)data; }
static void wants(void *data) {
  (void)data;
  nth_mutex_lock(&w.lock);
  model_check(w.inside == 0);
  w.ran++;
  nth_mutex_unlock(&w.lock);
}

/* A task of member 0 runs and has the lock. */
static void region(uint32_t n) {
  model_region(n);
  nth_store_rlx(&w.t.team.tasked, true);
  MODEL_ATOM(w.lock.word);
  MODEL_NAME(w.inside);
  MODEL_NAME(w.ran);
  nth_mutex_lock(&w.lock);
  w.inside = 1;
}
static struct nth_task *holder(void) {
  make_by(0, nothing);
  return take_from(0);
}
static void holder_runs(struct nth_task *t) {
  t->base = nth_deque_base(&w.t.slot[0].queue.deque);
  nth_store_rlx(&t->runner, &w.t.member[0]);
  w.t.member[0].now.task = t;
}

static void holder_waits(void) {
  nth_task_wait(model_member());
  w.inside = 0;
  nth_mutex_unlock(&w.lock);
}
static void run_any(void) { nth_task_run_any(model_member(), false); }
static void block(void) { wants(0); }

static void all_ended(void) {
  w.t.member[0].now.task = &w.t.slot[0].implicit;
  for (uint32_t i = 0; i < w.t.team.size; i++)
    while (nth_task_run_any(&w.t.member[i], false)) {}
  model_check(w.ran > 0);
  model_check(nth_load_rlx(&w.t.team.help.choosy.sleepers) == 0);
}

/* --- a thief takes a child together with one that wants the lock --- */

static void before_children(void) {
  region(2);
  struct nth_task *t = holder();
  make_by(0, wants);
  holder_runs(t);
  make_by(0, nothing);
  make_by(0, nothing);
  nth_deque_publish(&w.t.slot[0].queue.deque);
}

/* --- a child lies behind another's task in the deque of who wants the lock; a third one may be
 * about that task, or waits for it --- */

static void in_last_deque(uint32_t n) {
  region(n);
  struct nth_task *t = holder();
  struct nth_task_queue *q = &w.t.slot[n - 1].queue;
  holder_runs(t);
  make_by(n - 1, nothing);
  make_by(0, nothing);
  nth_task_push_own(q, nth_task_find(&w.t.member[0], t, NTH_LOOK_ENDS));
  nth_deque_publish(&q->deque);
}
static void in_a_deque(void) { in_last_deque(3); }
static void in_a_deque_for_long(void) { in_last_deque(2); }
/* The first in there is a child of member 1's task. */
static void in_a_deque_of_two(void) {
  region(3);
  struct nth_task *t = holder();
  make_by(1, nothing);
  struct nth_task *first = take_from(1);
  holder_runs(t);
  make_by(0, nothing);
  struct nth_task *second = nth_task_find(&w.t.member[0], t, NTH_LOOK_ENDS);
  nth_task_push_own(&w.t.slot[2].queue, first);
  nth_task_push_own(&w.t.slot[2].queue, second);
  nth_deque_publish(&w.t.slot[2].queue.deque);
}
static void wait(void) { nth_task_wait(model_member()); }

/* Who takes what is before the child, or makes more, does not hide it. */
static void see(void) { model_check(nth_task_hidden(&w.t.member[0], w.t.member[0].now.task)); }
static void take_one(void) { model_check(take_from(1)); }
static void push_one(void) { make_by(2, nothing); }

MODEL_CASES = {
    {"together", 2, 3, MODEL_WORLD, before_children, {holder_waits, run_any}, all_ended, 40000},
    {"dug", 2, 3, MODEL_WORLD, in_a_deque_for_long, {holder_waits, block}, all_ended, 40000},
    {"behind", 3, 2, MODEL_WORLD, in_a_deque, {holder_waits, run_any, block}, all_ended, 40000},
    {"two", 3, 2, MODEL_WORLD, in_a_deque_of_two, {holder_waits, wait, block}, all_ended, 15000},
    {"passed", 3, 2, MODEL_WORLD, in_a_deque, {see, take_one, push_one}, 0, 40000, true},
    {0},
};
