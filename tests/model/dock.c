/* dock.c - model of the dock: a processor that goes to sleep against masters that give it work
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Text checked: runtime/sched/processor.c with runtime/struct/wdarray.h. Thread 0 is the master,
 * thread 1 the processor, from the dock to the end.
 */
#include "tests/model/members.h"

enum { REGIONS = 2 };

static struct world {
  struct model_team t; /* proc[1] only */
  struct nth_wdarray gwd;
  _Atomic(uint32_t) joined;
  int input, ran; /* plain: w: master, processor; r: the other one, after put and join */
} w;
static struct model_team *model_team(void) { return &w.t; }

static void run(struct nth_processor *p, const struct nth_wd *wd) {
  (void)p;
  model_check(wd->addressee == 1 && wd->owner == (uintptr_t)&w.t);
  model_check(wd->data == (void *)(uintptr_t)w.input);
  w.ran++;
  nth_store_rel(&w.joined, (uint32_t)w.ran);
}

static void setup(void) {
  struct nth_processor *p = &w.t.proc[1];
  MODEL_ATOM(p->dock);
  for (uint32_t i = 0; i < NTH_WD_SLOTS; i++) {
    MODEL_ATOM_AT(i, p->lwd.slot[i].stamp);
    MODEL_ATOM_AT(i, w.gwd.slot[i].stamp);
  }
  MODEL_ATOM(w.joined);
  MODEL_NAME(w.input);
  MODEL_NAME(w.ran);
  nth_processor_start(p, &w.t.proc[0].waiter, 0, 0, run);
  p->started = true; /* no migration in a model */
}

static void processor(void) { w.t.run(&w.t.proc[1]); }

/* The two looks are apart so that the wake-up for one can come late, in the middle of the other. */
static void give(struct nth_wdarray *array, uintptr_t owner, void *data, uint32_t addressee) {
  struct nth_wd wd = {0, data, owner, addressee};
  if (owner == NTH_WD_ATTACH)
    wd.fn = (void (*)(void *))(uintptr_t)nth_wdarray_start(&w.gwd);
  nth_wdarray_put(array, &wd);
}

static void wake(void) {
  nth_fence_full();
  nth_processor_wake(&w.t.proc[1]);
}

static void regions(struct nth_wdarray *array, uint32_t addressee) {
  for (int i = 1; i <= REGIONS; i++) {
    w.input = i;
    give(array, (uintptr_t)&w.t, (void *)(uintptr_t)i, addressee);
    wake();
    while (nth_load_acq(&w.joined) < (uint32_t)i)
      model_idle();
    model_check(w.ran == i);
  }
  give(&w.t.proc[1].lwd, NTH_WD_END, 0, 0);
  wake();
}

static void lwd(void) { regions(&w.t.proc[1].lwd, 1); }

static void gwd(void) {
  give(&w.t.proc[1].lwd, NTH_WD_ATTACH, &w.gwd, 1);
  regions(&w.gwd, 2);
}

static void finish(void) {
  model_check(w.ran == REGIONS);
  model_check(nth_wdarray_valid(&w.t.proc[1].lwd) && nth_wdarray_valid(&w.gwd));
}

MODEL_CASES = {
    {"lwd", 2, 3, MODEL_WORLD, setup, {lwd, processor}, finish},
    {"gwd", 2, 2, MODEL_WORLD, setup, {gwd, processor}, finish},
    {0},
};
