/* deps.c - model of runtime/struct/deps.h: only the last predecessor tells the one that waits
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "tests/model/model.h"

#include "runtime/base/check.h"
#include "runtime/struct/deps.h"

enum { PREDECESSORS = 2 };

static struct world {
  struct nth_deps d;
  int done[PREDECESSORS + 1]; /* plain: w: a predecessor; r: who goes on after it */
  int home;                   /* plain: w: the owner; r: who resumes it */
  int started, resumed;       /* plain: by the last one */
  _Atomic(uint32_t) go;       /* what the list of those to resume is otherwise */
} w;

static void setup(enum nth_state state, uint32_t count) {
  MODEL_ATOM(w.d.word);
  MODEL_ATOM(w.go);
  MODEL_NAME(w.done);
  MODEL_NAME(w.home);
  MODEL_NAME(w.started);
  nth_deps_set(&w.d, state, count);
  nth_assert(nth_deps_valid(&w.d));
}
static void made(void) { setup(NTH_MADE, PREDECESSORS); }
static void counts(void) { setup(NTH_COUNTS, PREDECESSORS - 1); }
static void runs(void) { setup(NTH_RUNS, PREDECESSORS + 1); }
static void runs_one(void) { setup(NTH_RUNS, 2); }

static void all_done(int n) {
  for (int i = 1; i <= n; i++)
    model_check(w.done[i] == 1);
}

static void finished(uint32_t n) {
  switch (nth_deps_sub(&w.d, n)) {
  case NTH_DEPS_READY:
    all_done(PREDECESSORS);
    model_check(nth_deps_is(&w.d, NTH_READY));
    w.started++;
    break;
  case NTH_DEPS_RESUME:
    model_check(w.home == 1 && nth_deps_is(&w.d, NTH_READY));
    w.resumed++;
    nth_store_rel(&w.go, 1);
    break;
  default: break;
  }
}

static void predecessor(void) {
  w.done[model_thread()]++;
  finished(1);
}
static void two_at_once(void) {
  w.done[1]++;
  w.done[2]++;
  finished(2);
}

/* --- one that has not started: by thread 1 and 2, or by them and a mistake --- */

static void nobody(void) {}
/* The first one adds one more before it finishes. */
static void first_adds(void) {
  model_check(nth_deps_add(&w.d, 1) == 0);
  nth_store_rel(&w.go, 1);
  predecessor();
}
static void second_added(void) {
  while (!nth_load_acq(&w.go))
    model_idle();
  predecessor();
}
static void finish_made(void) { model_check(w.started == 1 && nth_deps_is(&w.d, NTH_READY)); }

/* One more than there are: nothing happens. */
static void mistake(void) { finished(1); }
static void finish_mistake(void) {
  model_check(nth_deps_valid(&w.d) && nth_deps_is(&w.d, NTH_RUNS));
}

/* --- one that blocks --- */

static void block(void) {
  w.home = 1;
  int error = nth_deps_block(&w.d);
  model_check(error == 0 || error == EALREADY);
  while (error == 0 && !nth_load_acq(&w.go))
    model_idle();
  w.home = 2; /* nobody looks any more */
  nth_deps_set(&w.d, NTH_RUNS, 0);
}

static void owner(void) {
  block();
  all_done(PREDECESSORS);
}
static void owner_adds(void) {
  model_check(nth_deps_add(&w.d, 1) == 0);
  finished(1);
  block();
  all_done(1);
}
static void owner_mistaken(void) {
  w.home = 1;
  int error = nth_deps_block(&w.d);
  while (error == 0 && !nth_load_acq(&w.go))
    model_idle();
  nth_deps_set(&w.d, NTH_RUNS, 0);
}

static void finish_block(void) {
  model_check(w.resumed <= 1 && w.started == 0 && nth_deps_is(&w.d, NTH_RUNS));
}

/* --- a thread of the program's own --- */

static void outsider(void) {
  if (nth_deps_await(&w.d) == 0) {
    while (!nth_deps_done(&w.d))
      nth_deps_sleep(&w.d, 0);
  }
  all_done(PREDECESSORS);
}

MODEL_CASES = {
    {"made", 3, MODEL_ALL, MODEL_WORLD, made, {nobody, predecessor, predecessor}, finish_made},
    {"counts", 3, MODEL_ALL, MODEL_WORLD, counts, {nobody, first_adds, second_added}, finish_made},
    {"block", 3, 3, MODEL_WORLD, runs, {owner, predecessor, predecessor}, finish_block},
    {"at_once", 2, MODEL_ALL, MODEL_WORLD, runs, {owner, two_at_once}, finish_block},
    {"add", 2, MODEL_ALL, MODEL_WORLD, runs_one, {owner_adds, predecessor}, finish_block},
    {"outside", 3, 3, MODEL_WORLD, runs, {outsider, predecessor, predecessor}, nobody},
    {"outside_once", 2, MODEL_ALL, MODEL_WORLD, runs, {outsider, two_at_once}, nobody},
    {"mistake", 3, 3, MODEL_WORLD, runs_one, {owner_mistaken, mistake, mistake}, finish_mistake},
    {0},
};
