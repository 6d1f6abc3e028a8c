/* dock.c - model of the dock: a worker that goes to sleep against masters that give it work
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Text checked: sched/threads/worker.c with runtime/struct/wdarray.h. Thread 0 is the master,
 * thread 1 the worker, from the dock to the end. In `leave` it may leave once, and thread 2 is then
 * the thread that goes on.
 */
#include "tests/model/members.h"

enum { REGIONS = 2 };

static struct world {
  struct model_team t; /* proc[1] only */
  struct nth_wdarray gwd;
  _Atomic(uint32_t) joined;
  int input, ran;          /* plain: w: master, worker; r: the other one, after put and join */
  int left;                /* plain: w, r: the worker's threads, one after the other */
  _Atomic(uint32_t) again; /* 1: thread 2 is wanted; 2: it is not */
} w;
static struct model_team *model_team(void) { return &w.t; }

static void run(struct nth_worker *p, const struct nth_wd *wd) {
  (void)p;
  model_check(wd->addressee == 1 && wd->owner == (uintptr_t)&w.t);
  model_check(wd->data == (void *)(uintptr_t)w.input);
  w.ran++;
  nth_store_rel(&w.joined, (uint32_t)w.ran);
}

static void setup(void) {
  struct nth_worker *p = &w.t.proc[1];
  MODEL_ATOM(p->dock);
  for (uint32_t i = 0; i < NTH_WD_SLOTS; i++) {
    MODEL_ATOM_AT(i, p->lwd.slot[i].stamp);
    MODEL_ATOM_AT(i, w.gwd.slot[i].stamp);
  }
  MODEL_ATOM(w.joined);
  MODEL_NAME(w.input);
  MODEL_NAME(w.ran);
  nth_worker_start(p, &w.t.proc[0].waiter, 0, 0, run);
  p->started = true; /* no migration in a model */
}

static bool idle_once(struct nth_worker *p, uint32_t looks) {
  (void)p, (void)looks;
  return w.left++ == 0;
}
static void move(struct nth_worker *from, struct nth_worker *to) {
  to->identity = from->identity;
  from->identity = 0;
}
static void start_again(struct nth_worker *p) {
  model_check(w.left > 0 && !p->identity);
  nth_worker_start_again(p, 0, 0, 0);
  nth_store_rel(&w.again, 1); /* as pthread_create */
}

static void setup_leave(void) {
  setup();
  MODEL_ATOM(w.again);
  MODEL_NAME(w.left);
  w.t.proc[1].may_leave = true;
  w.t.proc[1].identity = &w.t.member[1];
  nth_holder_config.idle = idle_once;
  nth_holder_config.move = move;
  model_return = start_again;
}

static void worker(void) { w.t.run(&w.t.proc[1]); }

/* The two looks are apart so that the wake-up for one can come late, in the middle of the other. */
static void give(struct nth_wdarray *array, uintptr_t owner, void *data, uint32_t addressee) {
  struct nth_wd wd = {0, data, owner, addressee};
  if (owner == NTH_WD_ATTACH)
    wd.fn = (void (*)(void *))(uintptr_t)nth_wdarray_start(&w.gwd);
  nth_wdarray_put(array, &wd);
}

static void wake(void) {
  nth_fence_full();
  nth_worker_wake(&w.t.proc[1]);
}

static void regions(struct nth_wdarray *array, uint32_t addressee, bool wake_for_end) {
  for (int i = 1; i <= REGIONS; i++) {
    w.input = i;
    give(array, (uintptr_t)&w.t, (void *)(uintptr_t)i, addressee);
    wake();
    while (nth_load_acq(&w.joined) < (uint32_t)i)
      model_idle();
    model_check(w.ran == i);
  }
  give(&w.t.proc[1].lwd, NTH_WD_END, 0, 0);
  if (wake_for_end)
    wake();
  else
    nth_fence_full();
}

static void lwd(void) { regions(&w.t.proc[1].lwd, 1, true); }

static void gwd(void) {
  give(&w.t.proc[1].lwd, NTH_WD_ATTACH, &w.gwd, 1);
  regions(&w.gwd, 2, true);
}

/* The dock may be LEFT at the end: then nobody is there to be told. */
static void leave(void) {
  regions(&w.t.proc[1].lwd, 1, false);
  if (nth_worker_rouse(&w.t.proc[1]))
    model_check(w.left > 0);
  uint32_t none = 0;
  nth_cas_rlx(&w.again, &none, 2);
}

static void next_thread(void) {
  while (nth_load_acq(&w.again) == 0)
    model_idle();
  if (nth_load_rlx(&w.again) == 1)
    w.t.run(&w.t.proc[1]);
}

static void finish(void) {
  model_check(w.ran == REGIONS);
  model_check(nth_wdarray_valid(&w.t.proc[1].lwd) && nth_wdarray_valid(&w.gwd));
}

MODEL_CASES = {
    {"lwd", 2, 3, MODEL_WORLD, setup, {lwd, worker}, finish},
    {"gwd", 2, 2, MODEL_WORLD, setup, {gwd, worker}, finish},
    {"leave", 3, 1, MODEL_WORLD, setup_leave, {leave, worker, next_thread}, finish},
    {0},
};
