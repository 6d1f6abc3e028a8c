/* back.c - model of a docked slave that comes back to its region once
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Text checked: team.h L, in omp/team/team.c, omp/queue/help.c, struct/djs.h, and the dock in
 * sched/threads/worker.c.
 */
#include "tests/model/regions.h"

/* The master is the maker: a slave that arrives at that moment has to come back for the task. */
static void master_makes_and_awaits(uint32_t me) { make_and_await(1 - me); }
static void setup_back(void) {
  setup(2);
  MODEL_ATOM(w.flag);
  w.body = master_makes_and_awaits;
}

static void master_back(void) {
  region(2);
  model_check(w.ran == 1);
  end_slaves(2);
}

/* A slave that looks whether it has to come back, while the region ends and the next one begins. */
static void master_makes(uint32_t me) { make_task(1 - me); }
static void setup_closed(void) {
  setup(2);
  w.body = master_makes;
}
static void master_closed(void) {
  region(2);
  region(2);
  model_check(w.ran == 2);
  end_slaves(2);
}

MODEL_CASES = {
    {"closed", 2, 2, MODEL_WORLD, setup_closed, {master_closed, slave}, 0, 40000},
    {"back", 2, 2, MODEL_WORLD, setup_back, {master_back, slave}, 0, 90000},
    {0},
};
