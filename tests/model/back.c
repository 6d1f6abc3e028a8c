/* back.c - model of a docked slave that comes back to its region once
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Text checked: team.h L, in omp/team/team.c, omp/queue/help.c, struct/djs.h, and the dock in
 * sched/threads/worker.c.
 */
#include "tests/model/regions.h"

/* The dock without polls and sleep: those are checked by dock.c and team.c. */
static void slave_awake(void) {
  struct nth_worker *p = &w.t.proc[model_thread()];
  bool looked = true;
  struct nth_wd wd;
  for (;;) {
    if (nth_wdarray_get(&p->lwd, &p->lwd_position, false, 0, &wd)) {
      if (wd.owner == NTH_WD_END)
        return;
      nth_team_run(p, &wd);
      looked = false;
    } else if (looked) {
      model_idle();
    } else {
      looked = !nth_team_come_back(p);
    }
  }
}

/* The master is the maker: a slave that arrives at that moment has to come back for the task. */
static void master_makes_and_awaits(uint32_t me) { make_and_await(1 - me); }
static void setup_back(void) {
  setup(2);
  MODEL_ATOM(w.flag);
  w.body = master_makes_and_awaits;
}

static void setup_crowded(void) {
  setup_back();
  w.t.team.crowded = true;
}

static void master_back(void) {
  region(2);
  model_check(w.ran == 1);
  end_slaves(2);
}

/* A slave that looks whether it has to come back, while its region ends and the next one begins. It
 * takes part in no region that it has not entered: there it may have a copyin still to do. */
static int regions;    /* plain: published by fork */
static int entered[2]; /* plain: each member's own */
static void task_of_this(void *data) {
  model_check(entered[model_thread()] == regions);
  task(data);
}
static void master_makes(uint32_t me) {
  entered[me] = regions;
  if (me == 0)
    create(task_of_this);
}
/* The first region, which had tasks, is over but for the join. The slave is about to look. */
static void setup_closed(void) {
  setup(2);
  w.body = master_makes;
  regions = entered[0] = entered[1] = 1;
  MODEL_NAME(regions);
  MODEL_NAME(entered);
  w.t.team.saved = w.t.member[0].now;
  model_enter(0);
  model_enter(1);
  w.t.member[0].next_team = 0;
  nth_store_rlx(&w.t.team.regions, 1);
  nth_store_rlx(&w.t.team.tasked, true);
  nth_store_rlx(&w.t.pjv[1], 1);
  w.t.member[1].finished = ++w.t.slot[1].finished;
  nth_djs_arrive(&w.t.slot[1].djs, w.t.member[1].finished);
}
static void master_closed(void) {
  struct nth_member *m = model_member();
  nth_team_join(m, &w.t.team);
  regions = 2;
  nth_team_fork(m, &w.t.team, body, 0);
  body(0);
}
static void slave_looks(void) {
  struct nth_worker *p = &w.t.proc[1];
  struct nth_wd wd;
  (void)nth_team_come_back(p);
  while (!nth_wdarray_get(&p->lwd, &p->lwd_position, false, 0, &wd))
    model_idle();
  nth_team_run(p, &wd);
}

/* A slave that has come back stays while its region is closed, and then finds that it is. Slave 1
 * makes the task that slave 2 comes back for. */
static void slave_makes(uint32_t me) {
  if (me == 1)
    create(task);
}
static void setup_late(void) {
  setup(3);
  w.body = slave_makes;
  w.t.team.saved = w.t.member[0].now;
  for (uint32_t i = 0; i < 3; i++)
    model_enter(i);
  w.t.member[0].next_team = 0;
  nth_store_rlx(&w.t.team.regions, 1);
  nth_store_rlx(&w.t.pjv[1], 1);
  nth_store_rlx(&w.t.pjv[2], 1);
  w.t.member[2].finished = ++w.t.slot[2].finished;
  nth_djs_arrive(&w.t.slot[2].djs, w.t.member[2].finished);
}
static void master_joins(void) {
  nth_team_join(model_member(), &w.t.team);
  model_check(w.ran == 1);
}
static void slave_ends(void) {
  nth_team_run(&w.t.proc[1], &(struct nth_wd){body, 0, (uintptr_t)&w.t.team, 1});
}
static void slave_stays(void) {
  struct nth_worker *p = &w.t.proc[2];
  struct nth_wd wd;
  (void)nth_team_come_back(p);
  if (nth_wdarray_get(&p->lwd, &p->lwd_position, false, 0, &wd))
    nth_team_run(p, &wd);
}

MODEL_CASES = {
    {"closed", 2, 4, MODEL_WORLD, setup_closed, {master_closed, slave_looks}, 0, 200000},
    {"back", 2, 2, MODEL_WORLD, setup_back, {master_back, slave_awake}, 0, 60000},
    {"crowded", 2, 2, MODEL_WORLD, setup_crowded, {master_back, slave_awake}, 0, 60000},
    {"late", 3, 3, MODEL_WORLD, setup_late, {master_joins, slave_ends, slave_stays}, 0, 10000},
    {0},
};
