/* team.c - model of fork, join, dock and the recall of docked slaves
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Text checked: omp/team/team.c, task*.c, sched/threads/worker.c. Thread 0 is the
 * master; the others run worker_main() from the dock to the end.
 */
#include "tests/model/ready_team.h"
#include "tests/model/stubs.h"

static struct world {
  struct model_team t;
  void (*body)(uint32_t me);
  int input, result[MODEL_MEMBERS_MOST]; /* plain: published by fork and join */
  _Atomic(uint32_t) flag;
  int ran; /* plain: tasks that ran; each follows the one before it */
} w;
static struct model_team *model_team(void) { return &w.t; }

static void setup(uint32_t n) {
  model_team_setup(n);
  model_lay();
  for (uint32_t i = 1; i < n; i++) {
    struct nth_worker *p = &w.t.proc[i];
    MODEL_ATOM_AT(i, p->dock);
    MODEL_ATOM_AT(i, p->lwd.slot[0].stamp);
    MODEL_ATOM_AT(i, p->lwd.slot[1].stamp);
    nth_worker_start(p, &w.t.proc[0].waiter, 0, 0, nth_team_run);
    p->started = true; /* no migration in a model */
  }
}

static void slave(void) { w.t.run(&w.t.proc[model_thread()]); }

static void body(void *data) {
  (void)data;
  w.body(model_thread());
}

static void region(uint32_t n) {
  struct nth_member *m = model_member();
  struct nth_team *t = nth_team_mine(m, n, 0);
  nth_team_fork(m, t, body, 0);
  body(0);
  nth_team_join(m, t);
  model_check(m->now.level == 0 && m->now.team_size == 1);
}

/* As nth_group_release. */
static void end_slaves(uint32_t n) {
  static const struct nth_wd end = {0, 0, NTH_WD_END, 0};
  for (uint32_t i = 1; i < n; i++)
    nth_wdarray_put(&w.t.proc[i].lwd, &end);
  nth_fence_full();
  for (uint32_t i = 1; i < n; i++)
    nth_worker_wake(&w.t.proc[i]);
}

/* --- two regions: what the master wrote is there, what the slaves wrote comes back --- */

static void copy(uint32_t me) { w.result[me] = w.input; }

static void setup_fork(void) {
  setup(2);
  w.body = copy;
}

static void master_fork(void) {
  for (int i = 1; i <= 2; i++) {
    w.input = i;
    region(2);
    model_check(w.result[1] == i);
  }
  end_slaves(2);
}

/* --- tasks: all have run when the join returns, whoever ran them --- */

static void task(void *data) {
  (void)data;
  w.ran++;
}

static void create(void (*fn)(void *)) {
  nth_task_create(model_member(), &(struct nth_task_args){.fn = fn, .align = 1, .deferred = true});
}

static void make_task(uint32_t me) {
  if (me == 1)
    create(task);
}

/* The maker waits for its task: whoever sleeps at the join has to get up and run it. */
static void flagged_task(void *data) {
  (void)data;
  w.ran++;
  nth_store_rel(&w.flag, 1);
}

static void make_and_await(uint32_t me) {
  if (me != 1)
    return;
  create(flagged_task);
  while (nth_load_acq(&w.flag) == 0)
    model_idle();
}

static void setup_help(void) {
  setup(2);
  MODEL_ATOM(w.flag);
  w.body = make_and_await;
}

static void setup_two(void) {
  setup(2);
  w.body = make_task;
}
static void setup_three(void) {
  setup(3);
  w.body = make_task;
}

static void master_two(void) {
  region(2);
  model_check(w.ran == 1);
  end_slaves(2);
}
static void master_three(void) {
  region(3);
  model_check(w.ran == 1);
  end_slaves(3);
}

MODEL_CASES = {
    {"fork", 2, 2, MODEL_WORLD, setup_fork, {master_fork, slave}, 0},
    {"task", 2, 2, MODEL_WORLD, setup_two, {master_two, slave}, 0, 12000},
    {"help", 2, 2, MODEL_WORLD, setup_help, {master_two, slave}, 0},
    {"recall", 3, 1, MODEL_WORLD, setup_three, {master_three, slave, slave}, 0, 15000},
    {0},
};
