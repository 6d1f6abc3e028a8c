/* regions.h - regions with tasks, for the models that run the whole of a team
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Use         Thread 0 of a case calls region(), the others are slave().
 */
#ifndef NTH_MODEL_REGIONS_H
#define NTH_MODEL_REGIONS_H

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
    nth_holder_config.come_back = nth_team_come_back;
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

#endif
