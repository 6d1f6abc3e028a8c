/* search.c - model of who is woken for tasks: one at a time, and somebody for each that is queued
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Text checked: omp/queue/help.c and help.h, omp/sync/barrier.c and task*.c. The
 * others are at a barrier, and asleep there, while member 0 makes tasks and waits for them without
 * any call of the runtime.
 */
#include "runtime/omp/queue/help.h"
#include "tests/model/in_region.h"
#include "tests/model/stubs.h"

static struct world {
  struct model_team t;
  _Atomic(uint32_t) ran; /* tasks */
} w;
static struct model_team *model_team(void) { return &w.t; }

static void setup(uint32_t n) {
  model_region(n);
  MODEL_ATOM(w.ran);
  w.t.team.barrier_shape.kind = NTH_BARRIER_CROWDED;
}
static void two(void) { setup(2); }
static void three(void) { setup(3); }
/* Member 1 is the searcher, and gives up at its next nap. A third member sleeps; it is played by
 * member 0. */
static void tired(void) {
  setup(2);
  nth_store_rlx(&w.t.team.help.search, NTH_SEARCH_RUNS);
  nth_store_rlx(&w.t.team.help.bell.sleepers, 1);
  w.t.slot[1].help.searches = NTH_SEARCHES;
  w.t.slot[1].help.naps = NTH_SEARCH_NAPS;
}

static void wait_for(uint32_t ran) {
  while (nth_load_acq(&w.ran) != ran)
    model_idle();
}

static void task(void *data) {
  (void)data;
  nth_add_rel(&w.ran, 1);
}
/* Two of them need two members beside their maker. */
static void together(void *data) {
  (void)data;
  nth_add_rel(&w.ran, 1);
  wait_for(2);
}
static void until_called(void *data) {
  (void)data;
  wait_for(1);
}
static void make(void (*fn)(void *)) {
  nth_task_create(model_member(), &(struct nth_task_args){.fn = fn, .align = 1, .deferred = true});
}

static void wait_for_sleepers(uint32_t n) {
  while (nth_load_acq(&w.t.team.help.bell.sleepers) != n)
    model_idle();
}

static void again(void) {
  if (model_thread() == 0) {
    for (uint32_t i = 1; i <= 2; i++) {
      wait_for_sleepers(1);
      make(task);
      wait_for(i);
    }
  }
  nth_barrier(model_member());
}

/* The maker runs the first one itself, if it is there before who was woken for it. */
static void own(void *data) { (void)data; }
static void in_vain(void) {
  if (model_thread() == 0) {
    wait_for_sleepers(1);
    make(own);
    nth_task_wait(model_member());
    make(task);
    wait_for(1);
  }
  nth_barrier(model_member());
}

static void side_by_side(void) {
  if (model_thread() == 0) {
    wait_for_sleepers(2);
    make(together);
    make(together);
    wait_for(2);
  }
  nth_barrier(model_member());
}

/* What the searcher gets in its last look is not all. */
static void last_look(void) {
  if (model_thread() == 0) {
    wait_for_sleepers(2);
    make(until_called);
    make(own);
    while (nth_load_acq(&w.t.team.help.search) != NTH_SEARCH_CALLED)
      model_idle();
    nth_store_rlx(&w.t.team.help.search, NTH_SEARCH_NONE);
    nth_sub_rlx(&w.t.team.help.bell.sleepers, 1);
    nth_add_rel(&w.ran, 1);
  }
  nth_barrier(model_member());
}

static void finish(void) {
  for (uint32_t i = 0; i < w.t.team.size; i++)
    model_check(!(w.t.slot[i].help.searches & NTH_SEARCHES));
  model_check(nth_load_rlx(&w.t.team.help.enders) == 0 &&
              nth_load_rlx(&w.t.team.help.bell.sleepers) == 0);
}

MODEL_CASES = {
    {"again", 2, 2, MODEL_WORLD, two, {again}, finish, 12000},
    {"vain", 2, 2, MODEL_WORLD, two, {in_vain}, finish, 20000},
    {"together", 3, 1, MODEL_WORLD, three, {side_by_side}, finish, 12000},
    {"tired", 2, 2, MODEL_WORLD, tired, {last_look}, finish, 30000},
    {0},
};
