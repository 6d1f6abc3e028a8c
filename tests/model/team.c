/* team.c - model of fork, join, dock and the recall of docked slaves
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Text checked: omp/team/team.c, task*.c, sched/threads/worker.c. Thread 0 is the
 * master; the others run worker_main() from the dock to the end.
 */
#include "tests/model/regions.h"

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
