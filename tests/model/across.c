/* across.c - model of nano-threads and tasks that wait for each other: each starts once, in order
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Text checked: runtime/nth/across.c with task*.c and depend*.c. Members make and run tasks; a
 * nano-thread that is queued runs at once, in the thread that queues it, and is as good as gone
 * then.
 */
#include "tests/model/in_region.h"
#include "tests/model/stubs_team.h"

#include "runtime/nth/across.h"
#include "runtime/nth/machine.h"
#include "runtime/omp/tasks/depend.h"
#include "runtime/omp/tasks/task_finish.h"
#include "runtime/omp/tasks/task_run.h"

static struct world {
  struct model_team t;
  struct nth_desc nano;
  int order[3]; /* plain: the numbers of tasks and nano-threads as they ran */
  int ran;      /* plain: how many */
  int other;    /* plain: w: a nano-thread that `nano` is behind, too */
  _Atomic(uint32_t) flag;
} w;
static struct model_team *model_team(void) { return &w.t; }

/* --- the machine: one processor, which nobody is --- */

struct nth_machine nth_machine;
_Thread_local struct nth_runner *nth_runner_self;
static struct nth_runner outside;
static struct nth_processor processor;
struct nth_runner *nth_runner_make(int *error) { return (void)error, &outside; }
void nth_machine_wake_slow(struct nth_processor *k) { (void)k; }
void nth_lrq_push_slow(struct nth_lrq *q, void *item) { (void)q, (void)item; }

static void run(struct nth_desc *d) {
  ((void (*)(long))d->fn)((long)d->word[d->nsucc]);
  struct nth_node *successor = d->nsucc > 0 ? nth_desc_successor(d, 0) : 0;
  nth_deps_set(&d->deps, NTH_FREE, 0);
  d->nsucc = 0;
  nth_add_rel(&nth_machine.made_outside, UINT32_MAX);
  if (successor)
    nth_task_event_counts(nth_task_of_event(successor), 1);
}
void nth_lrq_put(struct nth_lrq *q, struct nth_batch *batch, bool at_end) {
  (void)q, (void)at_end;
  run(batch->series.first);
}

static void setup(void) {
  model_region(2);
  nth_machine.processors = 1;
  nth_machine.processor[0] = &processor;
  nth_store_rlx(&nth_machine.made_outside, 0);
  MODEL_ATOM(nth_machine.made_outside);
  MODEL_ATOM(nth_machine.parking.asleep);
  MODEL_ATOM(w.nano.deps.word);
  MODEL_ATOM(w.flag);
  MODEL_NAME(w.order);
  MODEL_NAME(w.ran);
}

/* --- tasks and nano-threads on one object --- */

#define X ((void *)64)

static void writer(void *data) { w.order[w.ran++] = *(int *)data; }
static void make(int number) {
  void *depend[] = {(void *)1, (void *)1, X};
  nth_task_create(model_member(), &(struct nth_task_args){.fn = writer,
                                                          .data = &number,
                                                          .size = sizeof number,
                                                          .align = sizeof number,
                                                          .deferred = true,
                                                          .depend = depend});
}

static void write_nano(long number) { w.order[w.ran++] = (int)number; }
static void make_nano(int number, uint32_t ndep) {
  w.nano.fn = (void (*)(void))write_nano;
  w.nano.narg = 1;
  w.nano.word[0] = (uintptr_t)number;
  nth_deps_set(&w.nano.deps, NTH_MADE, ndep);
}
static void depend_nano(void) {
  model_check(nth_across_depend(&w.nano, 1, (void *[]){X}, (int[]){NTH_DEPEND_INOUT}) == 0);
}

static void has_run(int n) {
  model_check(w.ran == n);
  for (int i = 0; i < n; i++)
    model_check(w.order[i] == i);
}

/* Between two tasks. */
static void between(void) {
  if (model_thread() == 0) {
    make(0);
    make_nano(1, 0);
    depend_nano();
    make(2);
  }
  nth_barrier(model_member());
  has_run(3);
}

/* The parent waits. */
static void behind(void) {
  if (model_thread() == 0) {
    make(0);
    make_nano(1, 0);
    depend_nano();
    nth_task_wait(model_member());
    has_run(2);
  }
  nth_barrier(model_member());
}

/* Behind a task and a nano-thread, which the other member ends. */
static void both(void) {
  if (model_thread() == 0) {
    make(0);
    make_nano(1, 1);
    depend_nano();
    nth_store_rel(&w.flag, 1);
  } else {
    while (nth_load_acq(&w.flag) == 0)
      model_idle();
    w.other = 1;
    nth_add_rel(&nth_machine.made_outside, 1); /* as it does that queues one */
    if (nth_deps_sub(&w.nano.deps, 1) == NTH_DEPS_READY)
      run(&w.nano);
    else
      nth_add_rel(&nth_machine.made_outside, UINT32_MAX);
  }
  nth_barrier(model_member());
  has_run(2);
  model_check(w.other == 1);
}

/* A child that ends with a nano-thread, which the other member ends. */
static void made(void) {
  struct nth_node *node;
  if (model_thread() == 0) {
    model_check(nth_across_make(2, &node) == 0);
    nth_task_event_counts(nth_task_of_event(node), 1);
    w.nano.word[0] = (uintptr_t)node;
    nth_store_rel(&w.flag, 1);
    nth_task_wait(model_member());
    model_check(w.other == 1);
  } else {
    while (nth_load_acq(&w.flag) == 0)
      model_idle();
    w.other = 1;
    nth_task_event_counts(nth_task_of_event(nth_desc_successor(&w.nano, 0)), 1);
  }
  nth_barrier(model_member());
}

static void finish(void) {
  model_check(nth_load_rlx(&nth_machine.made_outside) == 0);
  model_check(nth_load_rlx(&w.t.team.help.bell.sleepers) == 0);
  model_check(nth_load_rlx(&w.t.team.help.choosy.sleepers) == 0);
  model_check(!nth_tasks_left(&w.t.team, 0));
  for (uint32_t i = 0; i < w.t.team.size; i++) {
    model_check(nth_tally_left(&w.t.slot[i].implicit.children) == 0);
    nth_depend_forget(&w.t.slot[i].implicit);
  }
  model_check(model_kept() == 0);
}

MODEL_CASES = {
    {"between", 2, 1, MODEL_WORLD, setup, {between}, finish, 8000},
    {"behind", 2, 1, MODEL_WORLD, setup, {behind}, finish, 8000},
    {"both", 2, 1, MODEL_WORLD, setup, {both}, finish, 8000},
    {"made", 2, 1, MODEL_WORLD, setup, {made}, finish, 8000},
    {0},
};
