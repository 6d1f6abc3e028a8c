/* suspend.c - model of a task that a library suspends: it goes on when it is told to
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Text checked: omp/sync/suspend.c, with the ways of omp/tasks/task_berth.c and of its lists, for a
 * loose task. It shows its suspension as a library does, by a release. Thread 1 is the library: it
 * writes what was waited for, and says that the wait is over. The second wait uses the same memory,
 * so nobody may look at a suspension whose end was told. Members that wait are not here: their
 * sleep has a limit, and they look again and again.
 */
#define MODEL_BERTHS
#include "tests/model/in_region.h"
#include "tests/model/stubs.h"

#include "runtime/omp/sync/suspend.h"
#include "tests/model/loose.h"

static struct world {
  struct model_team t;
  struct model_loose loose; /* member 0's task */
  struct nth_suspended s;
  _Atomic(uint32_t) shown; /* waits that were shown; w: thread 0; r: thread 1 */
  uint32_t message;        /* plain; w: thread 1; r: thread 0, once it goes on */
} w;
static struct model_team *model_team(void) { return &w.t; }
static struct model_loose *model_loose(void) { return &w.loose; }

enum { WAITS = 2 };

void nth_poll_set(nth_poll_fn *poll) { (void)poll; }

static void setup(void) {
  model_loose_setup(2);
  MODEL_ATOM(w.s.over);
  MODEL_ATOM(w.shown);
  MODEL_NAME(w.message);
}

static void wait(void) {
  for (uint32_t i = 1; i <= WAITS; i++) {
    if (!nth_suspended_begin(&w.s))
      model_check(!"cannot be suspended");
    nth_store_rel(&w.shown, i);
    nth_suspended_wait(&w.s);
    model_check(w.message == i);
  }
}

static void library(void) {
  for (uint32_t i = 1; i <= WAITS; i++) {
    while (nth_load_acq(&w.shown) != i)
      model_idle();
    w.message = i;
    nth_suspended_over(&w.s);
  }
}

static void all_over(void) { model_check(w.message == WAITS && w.t.slot[0].berths.suspended == 0); }

MODEL_CASES = {
    {"task", 2, 3, MODEL_WORLD, setup, {wait, library}, all_over},
    {0},
};
