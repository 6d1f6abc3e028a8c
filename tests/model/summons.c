/* summons.c - model of the dock: each docked worker answers a summons
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Text checked: sched/threads/worker.c with sched/wait/summons.h. Thread 1 is the worker, thread 0
 * asks it for an answer, and is not its master; thread 2 is the master, which ends it afterwards.
 */
#include "tests/model/members.h"

static struct world {
  struct model_team t;    /* proc[1] only */
  int answered;           /* plain: w: the worker; r: thread 0 */
  _Atomic(uint32_t) over; /* thread 0 has its answer */
} w;
static struct model_team *model_team(void) { return &w.t; }
_Atomic(uint32_t) nth_summons, nth_summons_answers;

static void no_region(struct nth_worker *p, const struct nth_wd *wd) {
  (void)p;
  model_check(!wd);
}

static void summoned(struct nth_worker *p) {
  model_check(p == &w.t.proc[1]);
  w.answered++;
}

static void setup(void) {
  struct nth_worker *p = &w.t.proc[1];
  MODEL_ATOM(p->dock);
  MODEL_ATOM(p->heard);
  MODEL_ATOM(nth_summons);
  MODEL_ATOM(nth_summons_answers);
  MODEL_ATOM(w.over);
  MODEL_NAME(w.answered);
  for (uint32_t i = 0; i < NTH_WD_SLOTS; i++)
    MODEL_ATOM_AT(i, p->lwd.slot[i].stamp);
  nth_store_rlx(&nth_summons, 0);
  nth_store_rlx(&nth_summons_answers, 0);
  nth_holder_config.summoned = summoned;
  nth_worker_start(p, &w.t.proc[0].waiter, 0, 0, no_region);
  p->started = true;
}

static void worker(void) { w.t.run(&w.t.proc[1]); }

/* Like nth_workers_summon() and nth_workers_await(), but that nudges once, and does not sleep. */
static void summon(void) {
  struct nth_worker *p = &w.t.proc[1];
  nth_add_rlx(&nth_summons, 1);
  nth_fence_full();
  nth_worker_nudge(p);
  while (nth_load_acq(&p->heard) != 1)
    model_idle();
  model_check(w.answered == 1);
  nth_store_rel(&w.over, 1);
}

static void master(void) {
  static const struct nth_wd end = {0, 0, NTH_WD_END, 0};
  while (nth_load_acq(&w.over) == 0)
    model_idle();
  nth_wdarray_put(&w.t.proc[1].lwd, &end);
  nth_fence_full();
  nth_worker_wake(&w.t.proc[1]);
}

static void finish(void) { model_check(w.answered == 1); }

MODEL_CASES = {
    {"summons", 3, 2, MODEL_WORLD, setup, {summon, worker, master}, finish},
    {0},
};
