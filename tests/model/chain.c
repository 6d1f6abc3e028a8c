/* chain.c - model of tasks with dependences: each runs once, in order, and all are counted
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Text checked: task*.c and depend*.c together, with omp/sync/barrier.c and, of
 * omp/queue/help.c, nth_team_call_help. Member 0 makes tasks on one object while the others are in
 * the barrier: who finishes one goes on with its successor, or gives it to others.
 */
#include "tests/model/in_region.h"
#include "tests/model/stubs_team.h"

#include "runtime/omp/tasks/depend.h"
#include "runtime/omp/tasks/task_run.h"
#include "runtime/omp/tasks/taskgroup.h"
#include "runtime/omp/types/taskgroup_type.h"

static struct world {
  struct model_team t;
  int order[4]; /* plain: the tasks' numbers as they ran */
  int ran;      /* plain: how many */
  int read[2];  /* plain: what two tasks side by side have seen */
  _Atomic(uint32_t) flag;
} w;
static struct model_team *model_team(void) { return &w.t; }

static void setup(uint32_t n) {
  model_region(n);
  MODEL_ATOM(w.flag);
  MODEL_NAME(w.order);
  MODEL_NAME(w.ran);
}
static void two(void) { setup(2); }
static void three(void) { setup(3); }

/* --- tasks --- */

/* With dependences as the compiler gives them (depend.h). */
static void make_of(void (*fn)(void *), int number, void **depend) {
  nth_task_create(model_member(), &(struct nth_task_args){.fn = fn,
                                                          .data = &number,
                                                          .size = sizeof number,
                                                          .align = sizeof number,
                                                          .deferred = true,
                                                          .depend = depend});
}

#define X ((void *)64)
#define Y ((void *)128)
static void make(void (*fn)(void *), int number, bool out) {
  make_of(fn, number, (void *[]){(void *)1, (void *)(uintptr_t)out, X});
}

static void writer(void *data) { w.order[w.ran++] = *(int *)data; }
static void reader(void *data) { w.read[*(int *)data] = w.ran; }

/* All has run, in order, and nothing is pending. */
static void has_run(int n) {
  model_check(w.ran == n);
  for (int i = 0; i < n; i++)
    model_check(w.order[i] == i);
}

static void barrier(int n) {
  nth_barrier(model_member());
  has_run(n);
}

/* --- a chain --- */

static void make_chain(int n) {
  for (int i = 0; i < n; i++)
    make(writer, i, true);
}

static void chain(void) {
  if (model_thread() == 0)
    make_chain(2);
  barrier(2);
}

/* The parent waits, and may sleep, while another member runs them. */
static void chain_wait(void) {
  if (model_thread() == 0) {
    make_chain(2);
    nth_task_wait(model_member());
    has_run(2);
  }
  barrier(2);
}
static void begin_group(void) {
  nth_taskgroup_begin(model_member());
  MODEL_ATOM(model_member()->now.task->group->count.others);
}
static void chain_group(void) {
  if (model_thread() == 0) {
    begin_group();
    make_chain(2);
    nth_taskgroup_end(model_member());
    has_run(2);
  }
  barrier(2);
}

/* Each in a taskgroup of its own. */
static void chain_groups(void) {
  if (model_thread() == 0) {
    begin_group();
    make(writer, 0, true);
    begin_group();
    make(writer, 1, true);
    nth_taskgroup_end(model_member());
    has_run(2);
    nth_taskgroup_end(model_member());
  }
  barrier(2);
}

/* A wait for the first one only: it ends before the second one runs, which then is anybody's. */
static void chain_first(void) {
  if (model_thread() == 0) {
    make_of(writer, 0, (void *[]){(void *)2, (void *)2, X, Y});
    make(writer, 1, true);
    nth_depend_wait(model_member(), (void *[]){(void *)1, 0, Y});
    model_check(w.order[0] == 0);
  }
  barrier(2);
}

/* Whoever runs the first one does not go on with the second. */
static void wait_for(uint32_t flag) {
  while (nth_load_acq(&w.flag) != flag)
    model_idle();
}
static void chain_left(void) {
  struct nth_member *m = model_member();
  if (model_thread() == 0) {
    wait_for(1);
    make_chain(2);
    nth_store_rel(&w.flag, 2);
    wait_for(3);
  } else {
    model_check(!nth_task_find(m, 0, NTH_LOOK_ENDS)); /* leaves a mark */
    nth_store_rel(&w.flag, 1);
    wait_for(2);
    struct nth_task *t = nth_task_find(m, 0, NTH_LOOK_ENDS);
    nth_store_rel(&w.flag, 3);
    nth_task_run(m, t, false, 0);
  }
  barrier(2);
}

/* The second one is finished by its event, after its body. */
static void write_second(void *data) {
  (void)data;
  w.order[w.ran++] = 1;
  nth_store_rel(&w.flag, 1);
}
static void chain_event(void) {
  if (model_thread() == 0) {
    void *event;
    make(writer, 0, true);
    void *depend[] = {(void *)1, (void *)1, X};
    struct nth_task_args a = {
        .fn = write_second, .align = 1, .deferred = true, .depend = depend, .event = &event};
    nth_task_create(model_member(), &a);
    wait_for(1);
    nth_task_fulfill(event);
    nth_task_wait(model_member());
  }
  barrier(2);
}

/* The second one reads, and then writes: what it was behind is dropped from the table before it is
 * linked. */
static void in_and_out(void) {
  uintptr_t inout[] = {(uintptr_t)X, NTH_DEPEND_INOUT};
  if (model_thread() == 0) {
    make(writer, 0, true);
    make_of(writer, 1, (void *[]){0, (void *)2, 0, 0, (void *)1, X, inout});
  }
  barrier(2);
}

/* --- two ways apart and together --- */

static void fork_join(void) {
  if (model_thread() == 0) {
    make(writer, 0, true);
    make(reader, 0, false);
    make(reader, 1, false);
    make(writer, 1, true);
  }
  barrier(2);
  model_check(w.read[0] == 1 && w.read[1] == 1);
}

/* --- a task that outlives those above it --- */

static void make_plain(void (*fn)(void *)) {
  nth_task_create(model_member(), &(struct nth_task_args){.fn = fn, .align = 1, .deferred = true});
}
static void third(void *data) { (void)data; }
static void second(void *data) {
  (void)data;
  make_plain(third);
}
static void first(void *data) {
  (void)data;
  make_plain(second);
}

/* The third may lie in the queue of member 1, when the others are over: is it one that member 0 may
 * run? */
static void three_deep(void) {
  if (model_thread() == 0) {
    begin_group();
    make_plain(first);
    nth_taskgroup_end(model_member());
  }
  nth_barrier(model_member());
}

/* The same where the one in between has waited for its child, and has none left when it ends. */
static void waiting(void *data) {
  (void)data;
  make_plain(second);
  nth_task_wait(model_member());
}
static void above(void *data) {
  (void)data;
  make_plain(waiting);
}
static void four_deep(void) {
  if (model_thread() == 0) {
    begin_group();
    make_plain(above);
    nth_taskgroup_end(model_member());
  }
  nth_barrier(model_member());
}

static void finish(void) {
  model_check(nth_load_rlx(&w.t.team.help.bell.sleepers) == 0);
  model_check(nth_load_rlx(&w.t.team.help.choosy.sleepers) == 0);
  model_check(!nth_tasks_left(&w.t.team, 0));
  for (uint32_t i = 0; i < w.t.team.size; i++) {
    model_check(nth_tally_left(&w.t.slot[i].implicit.children) == 0);
    nth_depend_forget(&w.t.slot[i].implicit);
  }
}

MODEL_CASES = {
    {"chain", 2, 1, MODEL_WORLD, two, {chain}, finish},
    {"wait", 2, 1, MODEL_WORLD, two, {chain_wait}, finish},
    {"group", 2, 1, MODEL_WORLD, two, {chain_group}, finish},
    {"groups", 2, 1, MODEL_WORLD, two, {chain_groups}, finish},
    {"first", 2, 1, MODEL_WORLD, two, {chain_first}, finish},
    {"left", 2, 1, MODEL_WORLD, two, {chain_left}, finish},
    {"event", 2, 1, MODEL_WORLD, two, {chain_event}, finish},
    {"in_out", 2, 1, MODEL_WORLD, two, {in_and_out}, finish},
    {"deep", 2, 2, MODEL_WORLD, two, {three_deep}, finish, 16000},
    {"deeper", 2, 2, MODEL_WORLD, two, {four_deep}, finish, 16000},
    {"fork", 2, 1, MODEL_WORLD, two, {fork_join}, finish, 8000},
    {"chain3", 3, 1, MODEL_WORLD, three, {chain}, finish, 8000},
    {0},
};
