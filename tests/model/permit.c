/* permit.c - model of sched/adapt/permit.c: requests for fewer OS threads, and their end
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Checked: of those that have come by a safe point no more run than are asked for; none rests for
 * ever, whether a permit is given up, processors are given back, or nobody comes by; a requester
 * that has read `running` sees what the thread did that gave its permit up. Members are workers;
 * where time runs, a rest's time is over at once, else never.
 */
#include "tests/model/model.h"

#include "runtime/base/clock.h"
#include "runtime/place/places/allowed.h"
#include "runtime/sched/adapt/crowd.h"
#include "runtime/sched/adapt/request.h"

#define MODEL_PERMIT /* permits are counted */

enum { MEMBERS = 3 };

static struct world {
  struct nth_request request;
  _Atomic(uint32_t) admitted; /* threads that run and have come by a safe point */
  _Atomic(uint32_t) flag[MEMBERS];
  _Atomic(bool) free; /* the request may be over */
  int data;           /* plain: written before a permit is given up, read by the requester */
} w;
static bool time_runs;
static uint64_t now;

static uint64_t model_clock(void) { return time_runs ? now += NTH_AWAY_LOOK_NS : 1; }
static bool model_wait(_Atomic(uint32_t) *word, uint32_t value) {
  return time_runs ? true : nth_futex_wait(word, value, 0);
}
#undef nth_clock_ns
#define nth_clock_ns model_clock
#define nth_futex_wait_at(word, value, limit) ((void)(limit), model_wait(word, value))

/* The hook of base/sleep.h, which models without carriers lack. */
typedef bool nth_sleep_fn(_Atomic(uint32_t) *word, uint32_t value, uint64_t timeout_ns);
static _Atomic(nth_sleep_fn *) nth_sleep_hook;
#define nth_sleep_counted nth_futex_wait

/* The locks are included already: they sleep as they are. */
#include "runtime/struct/mutex.h"
#define nth_futex_wait(word, value, limit) nth_futex_wait_at(word, value, limit)
#include "runtime/sched/adapt/permit.c"
#undef nth_futex_wait
#include "tests/model/permits.h"

struct nth_request *nth_request_now = &w.request;
struct nth_crowd nth_crowd;
void nth_allowed_ask(uint32_t most) { (void)most; }

static struct nth_permit permit[MEMBERS];

/* --- setup --- */

static void setup_as(uint32_t limit, uint32_t threads, bool timed) {
  memset(&nth_permits, 0, sizeof nth_permits);
  memset(permit, 0, sizeof permit);
  nth_permits.epoch = 1;
  time_runs = timed;
  now = 0;
  model_permits_setup(&w.request);
  MODEL_ATOM(w.admitted);
  MODEL_ATOM(w.free);
  for (uint32_t i = 0; i < MEMBERS; i++)
    MODEL_ATOM_AT(i, w.flag[i]);
  MODEL_NAME(w.data);
  nth_store_rlx(&nth_permits.on, true);
  nth_store_rlx(&nth_permits.limit, limit);
  nth_store_rlx(&w.request.asked, limit);
  nth_store_rlx(&w.request.running, threads);
  nth_store_rlx(&nth_crowd.active, threads);
}
static void setup(void) { setup_as(1, 2, false); }
static void setup_three(void) { setup_as(1, 3, false); }
static void setup_timed(void) { setup_as(1, 2, true); }
static void setup_timed_three(void) { setup_as(1, 3, true); }
/* A member has a permit, and nothing is asked for yet. */
static void setup_free(void) {
  setup_as(0, 2, false);
  nth_permit_start(&permit[0], false);
  nth_permit_start(&permit[1], false);
}

/* --- members --- */

static void raise_flag(uint32_t i) {
  (void)nth_xchg_rel(&w.flag[i], 1);
  nth_futex_wake(&w.flag[i], 1);
}
static void spin_for(uint32_t i) {
  while (nth_load_acq(&w.flag[i]) == 0)
    model_idle();
}

static void pass(uint32_t i) {
  nth_permit_pass(&permit[i]);
  model_check(nth_add_rlx(&w.admitted, 1) < 1);
}
static void run_on(void) { nth_sub_rlx(&w.admitted, 1); }

/* Passes twice and ends, while others do. */
static void member(void) {
  uint32_t i = model_thread();
  nth_permit_start(&permit[i], false);
  pass(i);
  run_on();
  pass(i);
  run_on();
  nth_permit_end(&permit[i]);
}

/* Sleeps in the runtime for one that may rest. */
static void sleeper(void) {
  nth_permit_start(&permit[0], false);
  while (nth_load_acq(&w.flag[1]) == 0) {
    nth_permit_leave(&permit[0]);
    nth_futex_wait(&w.flag[1], 0, 0);
    nth_permit_back(&permit[0]);
  }
  nth_permit_end(&permit[0]);
}
static void awaited(void) {
  uint32_t i = model_thread();
  nth_permit_start(&permit[i], false);
  nth_permit_pass(&permit[i]);
  raise_flag(i);
}

/* Waits outside the runtime for one that may rest, then sleeps for a moment. */
static void spinner(void) {
  nth_permit_start(&permit[0], false);
  spin_for(1);
  nth_permit_leave(&permit[0]);
  nth_permit_back(&permit[0]);
  raise_flag(0);
  spin_for(2);
  nth_permit_end(&permit[0]);
}
/* The one that stands in for it, and goes once the other has come by. */
static void stand_in(void) {
  nth_permit_start(&permit[1], false);
  nth_permit_pass(&permit[1]);
  raise_flag(1);
  spin_for(0);
  model_check(nth_permit_gone(&permit[1]));
  raise_flag(2);
}

/* One that has stood in for this one does so no longer when this one has ended. */
static void ends_late(void) {
  nth_permit_start(&permit[0], false);
  spin_for(1);
  nth_permit_end(&permit[0]);
  raise_flag(0);
}
static void takes_over(void) {
  nth_permit_start(&permit[1], false);
  nth_permit_pass(&permit[1]);
  raise_flag(1);
  spin_for(0);
  model_check(!nth_permit_gone(&permit[1]) && !permit[1].stands);
  nth_permit_end(&permit[1]);
}
/* Two have stood in for this one. When it has gone one of them stays. */
static void comes_late(void) {
  nth_permit_start(&permit[0], false);
  spin_for(1);
  spin_for(2);
  model_check(nth_permit_gone(&permit[0]));
  raise_flag(0);
}
static void one_of_two(void) {
  uint32_t i = model_thread();
  nth_permit_start(&permit[i], false);
  nth_permit_pass(&permit[i]);
  raise_flag(i);
  spin_for(0);
  if (!nth_permit_gone(&permit[i]))
    nth_add_rlx(&w.admitted, 1);
}
static void finish_one(void) {
  model_check(nth_load_rlx(&nth_permits.resting) == 0);
  model_check(nth_load_rlx(&w.admitted) == 1);
}

/* They wait for each other without a safe point between, so all need a permit. */
static void crossed(void) {
  uint32_t i = model_thread();
  nth_permit_start(&permit[i], false);
  nth_permit_pass(&permit[i]);
  raise_flag(i);
  for (uint32_t k = 0, n = nth_load_rlx(&nth_crowd.active); k < n; k++)
    spin_for(k);
}

/* --- requesters --- */

static void give_back(void) {
  nth_store_rlx(&w.request.asked, 0);
  nth_fence_full();
  nth_permits_changed();
}

/* Asks, waits for the answer, reads what the thread that rests has done. */
static void ask(void) {
  nth_store_rlx(&w.request.asked, 1);
  nth_fence_full();
  nth_permits_changed();
  while (nth_load_acq(&w.request.running) > 1)
    model_idle();
  model_check(w.data == 1);
  give_back();
}
/* The only one that comes by a safe point until the request has been answered. */
static void answers(void) {
  w.data = 1;
  while (nth_load_rlx(&nth_permits.limit) == 0)
    model_idle();
  nth_permit_pass(&permit[1]);
  nth_permit_end(&permit[1]);
}

static void finish(void) {
  model_check(nth_load_rlx(&nth_permits.resting) == 0);
  model_check(nth_load_rlx(&w.admitted) == 0);
}
static void finish_free(void) {
  finish();
  model_check(nth_load_rlx(&w.request.running) == 2);
}

MODEL_CASES = {
    {"pass", 2, 3, MODEL_WORLD, setup, {member, member}, finish, 40000},
    {"three", 3, 2, MODEL_WORLD, setup_three, {member, member, member}, finish, 40000},
    {"sleep", 2, 3, MODEL_WORLD, setup, {sleeper, awaited}, finish, 40000},
    {"back", 3, 2, MODEL_WORLD, setup, {crossed, crossed, give_back}, finish, 40000},
    {"all", 4, 2, MODEL_WORLD, setup_three, {crossed, crossed, crossed, give_back}, finish, 40000},
    {"answer", 2, 3, MODEL_WORLD, setup_free, {ask, answers}, finish_free, 40000},
    {"stand_in", 2, 2, MODEL_WORLD, setup_timed, {spinner, stand_in}, finish, 40000},
    {"ended", 2, 2, MODEL_WORLD, setup_timed, {ends_late, takes_over}, finish, 40000},
    {"two",
     3,
     1,
     MODEL_WORLD,
     setup_timed_three,
     {comes_late, one_of_two, one_of_two},
     finish_one,
     40000},
    {0},
};
