/* held.c - model of created threads: the queue, who searches it, and what joins and detaches free
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Text checked: sched/hold/held.c, held_thread.c, errand.c, lend.c and tholder.c. Thread 0 is the
 * program's main thread. Threads 1 and 2 are the OS threads that the runtime makes; a third one is
 * refused. In some cases thread 3 is a second thread of the program's own.
 */
#include "tests/model/holders.h"

static uint32_t model_tls(void) { return model_thread(); }
static bool model_live(struct nth_held *h) { return nth_held_main(h), true; }
uint32_t model_row;

static void setup(void) { setup_as(OS_THREADS, 2, true); }
static void setup_one(void) { setup_as(1, 2, true); }
static void setup_unsure(void) { setup_as(1, 0, true); }
static void setup_retry(void) {
  setup();
  nth_store_rlx(&w.refused, 2);
}
static void setup_retry_ends(void) {
  setup_retry();
  nth_store_rlx(&w.stays, false);
}
static void setup_slow(void) {
  setup();
  nth_store_rlx(&nth_held_pool.wake_ns, NTH_HOLD_WAKE_MOST_NS);
  nth_store_rlx(&nth_allowed.cpus, 2);
  nth_store_rlx(&nth_allowed.all, 2);
}
static void setup_ends(void) { setup_as(OS_THREADS, 2, false); }
static void setup_one_ends(void) { setup_as(1, 2, false); }

/* --- one created thread after the other, or two at a time --- */

static void one(void) {
  create_as(0, work);
  join(0);
  close_all();
}

static void again(void) {
  create_as(0, work);
  join(0);
  create_as(1, work);
  join(1);
  close_all();
}

static void two(void) {
  create_as(0, work);
  create_as(1, work);
  join(0);
  join(1);
  close_all();
}

/* --- a created thread that waits for another one --- */

static void *makes_another(void *arg) {
  create_as(1, work);
  join(1);
  return work(arg);
}
static void nested(void) {
  create_as(0, makes_another);
  join(0);
  close_all();
}

/* The first one waits for the second one by what the runtime does not see. */
static void *raise_flag(void *arg) {
  (void)nth_xchg_rel(&w.flag, 1);
  nth_futex_wake(&w.flag, INT_MAX);
  return work(arg);
}
static void *await_flag(void *arg) {
  while (nth_load_acq(&w.flag) == 0)
    nth_futex_wait(&w.flag, 0, 0);
  return work(arg);
}
static void unseen(void) {
  create_as(0, await_flag);
  create_as(1, raise_flag);
  join(0);
  join(1);
  close_all();
}

/* Wake-ups are slow, and an OS thread is idle: the second one is left to the first, and nothing
 * that the runtime sees waits for it. */
static void slow(void) {
  create_as(0, await_flag);
  create_as(1, raise_flag);
  join(0);
  join(1);
  nth_store_rlx(&w.flag, 0);
  w.ran[0] = w.ran[1] = 0;
  create_as(0, await_flag);
  create_as(1, raise_flag);
  while (nth_load_acq(&w.flag) == 0)
    nth_futex_wait(&w.flag, 0, 0);
  join(0);
  join(1);
  close_all();
}

/* The system has one OS thread, and beyond that creation fails or is served. */
static void refused(void) {
  create_as(0, work);
  bool served = nth_tholder_create(&w.number[1], 0, work, &w.ran[1]) == 0;
  join(0);
  if (served)
    join(1);
  else
    model_check(w.ran[1] == 0);
  close_all();
}

/* --- two threads of the program --- */

static void number_is(uint32_t i) {
  (void)nth_xchg_rel(&w.told[i], 1);
  nth_futex_wake(&w.told[i], INT_MAX);
}
static uint64_t await_number(uint32_t i) {
  while (nth_load_acq(&w.told[i]) == 0)
    nth_futex_wait(&w.told[i], 0, 0);
  return w.number[i];
}

/* Main and another thread both join it: one of them does. */
static void rivals_try(uint32_t i) {
  void *result;
  int error = nth_tholder_join(w.number[i], &result);
  model_check(error == 0 || error == EINVAL || error == ESRCH);
  if (error == 0) {
    model_check(w.ran[i] == 1);
    nth_add_rlx(&w.flag, 1);
  }
}
static void rivals(void) {
  create_as(0, work);
  number_is(0);
  rivals_try(0);
  while (nth_load_acq(&w.told[1]) == 0)
    nth_futex_wait(&w.told[1], 0, 0);
  model_check(nth_load_rlx(&w.flag) == 1);
  close_all();
}
static void rival(void) {
  (void)await_number(0);
  rivals_try(0);
  end_thread();
  number_is(1);
}

/* A master borrows an idle thread while an errand is queued. */
static bool serves(void *arg) {
  (void)arg;
  (void)nth_xchg_rel(&w.flag, 1);
  nth_futex_wake(&w.flag, 1);
  return true;
}
static void creates_beside(void) {
  create_as(0, work);
  join(0);
  number_is(0);
  create_as(1, work);
  join(1);
  while (nth_load_acq(&w.told[1]) == 0)
    nth_futex_wait(&w.told[1], 0, 0);
  close_all();
}
static void borrows(void) {
  (void)await_number(0);
  if (nth_lend(serves, 0, 0))
    while (nth_load_acq(&w.flag) == 0)
      nth_futex_wait(&w.flag, 0, 0);
  number_is(1);
}

/* Masters come one after the other: the OS thread polls in between. */
static bool serves_next(void *arg) {
  (void)nth_xchg_rel(&w.flag, (uint32_t)++*(int *)arg);
  nth_futex_wake(&w.flag, 1);
  return true;
}
static void lends(void) {
  create_as(0, work);
  join(0);
  for (int turn = 0; turn < 3; turn++) {
    uint32_t before = (uint32_t)w.ran[1];
    if (!nth_lend(serves_next, &w.ran[1], 0))
      continue;
    while (nth_load_acq(&w.flag) == before)
      nth_futex_wait(&w.flag, before, 0);
    model_check((uint32_t)w.ran[1] == before + 1);
  }
  close_all();
}

/* A worker's OS thread becomes a held one. */
static void creates_later(void) {
  create_as(0, work);
  number_is(0);
  join(0);
  create_as(1, work);
  join(1);
  while (nth_load_acq(&w.told[1]) == 0)
    nth_futex_wait(&w.told[1], 0, 0);
  close_all();
}
static void worker(void) {
  (void)await_number(0);
  struct nth_held *h = nth_lend_arrive(0);
  number_is(1);
  (void)nth_lend_stay(h);
  end_thread();
}

/* Each OS thread ends with its created thread; the joiner of the first one makes the next one
 * ahead of need. */
static void setup_ahead(void) {
  setup_ends();
  nth_store_rlx(&w.which, NTH_TRAIT_ENDS);
}

/* It is detached while it is queued, runs, or has ended. */
static void detached(void) {
  create_as(0, raise_flag);
  model_check(nth_tholder_detach(w.number[0]) == 0);
  while (nth_load_acq(&w.flag) == 0)
    nth_futex_wait(&w.flag, 0, 0);
  model_check(nth_tholder_join(w.number[0], 0) != 0);
  close_all();
}

/* It is cancelled while it is queued, runs, or has ended. */
static void cancelled(void) {
  create_as(0, work);
  model_check(nth_tholder_cancel(w.number[0]) == 0);
  void *result;
  model_check(nth_tholder_join(w.number[0], &result) == 0 && w.ran[0] == 1);
  model_check(nth_load_rlx(&w.cancels) <= 1);
  close_all();
}

/* The first one joins the second one, for which an OS thread has been refused once. */
static void *joins_second(void *arg) {
  (void)await_number(1);
  join(1);
  return work(arg);
}
static void retry(void) {
  create_as(0, joins_second);
  if (nth_tholder_create(&w.number[1], 0, work, &w.ran[1]) != 0)
    create_as(1, work);
  number_is(1);
  join(0);
  close_all();
}

/* The same, and the first one's OS thread ends with it. */
static void retry_ends(void) {
  create_as(0, work);
  if (nth_tholder_create(&w.number[1], 0, work, &w.ran[1]) != 0)
    create_as(1, work);
  join(1);
  join(0);
  close_all();
}

/* Two created threads join each other: one is refused, the other one joins it. */
static void *joins_other(void *arg) {
  uint32_t me = (uint32_t)((int *)arg - w.ran);
  void *result;
  int error = nth_tholder_join(await_number(1 - me), &result);
  model_check(error == 0 || error == EDEADLK);
  if (error == 0) {
    model_check(w.ran[1 - me] == 1);
  } else {
    model_check(nth_xchg_rel(&w.flag, me + 1) == 0);
    nth_futex_wake(&w.flag, 1);
  }
  return work(arg);
}
static void circle(void) {
  create_as(0, joins_other);
  create_as(1, joins_other);
  number_is(0);
  number_is(1);
  uint32_t refused_one;
  while ((refused_one = nth_load_acq(&w.flag)) == 0)
    nth_futex_wait(&w.flag, 0, 0);
  join(2 - refused_one);
  close_all();
}

/* --- two threads that run errands already --- */

static struct nth_errand *running_errand(uint32_t i) {
  struct nth_errand *e = nth_errand_new(NTH_ERRAND_RUNS, 0);
  e->thread = i;
  e->result = &w.ran[i];
  w.mine[i] = e;
  w.number[i] = nth_errand_number(e);
  return e;
}
static void setup_running(void) {
  setup();
  running_errand(0);
  running_errand(1);
  nth_held_pool.held = 2;
  nth_store_rlx(&nth_held_pool.running, 2);
}

/* They join each other. */
static void meets(void) {
  uint32_t me = model_thread();
  void *result;
  int error = nth_tholder_join(w.number[1 - me], &result);
  if (error == 0)
    model_check(w.ran[1 - me] == 1);
  else
    model_check(error == EDEADLK && nth_add_rlx(&w.flag, 1) == 0);
  work(&w.ran[me]);
  model_check(nth_errand_done(w.mine[me]));
}
static void finish_met(void) {
  model_check(nth_load_rlx(&w.flag) == 1);
  uint32_t joined = 0; /* the one that was refused; the other one can still be joined */
  for (uint32_t i = 0; i < 2; i++)
    joined += nth_tholder_detach(w.number[i]) == ESRCH;
  model_check(joined == 1);
}

/* One cancels the other, whose OS thread then ends. */
static void cancels(void) { model_check(nth_tholder_cancel(w.number[1]) == 0); }
static void is_cancelled(void) {
  struct nth_errand *e = w.mine[1];
  if (nth_errand_done(e))
    return;
  nth_errand_ends(e);
  (void)nth_xchg_rel(&w.ended[1], 1);
}
static void finish_cancelled(void) { model_check(nth_load_rlx(&w.cancels) <= 1); }

#undef MODEL_WORLD
#define MODEL_WORLD &nth_held_pool, sizeof nth_held_pool

MODEL_CASES = {
    {"refused", 2, 2, MODEL_WORLD, setup_unsure, {refused, os_thread}, finish},
    {"one", 2, 2, MODEL_WORLD, setup_one, {one, os_thread}, finish, SOME},
    {"detached", 2, 2, MODEL_WORLD, setup_one, {detached, os_thread}, finish, SOME},
    {"detached_ends", 2, 2, MODEL_WORLD, setup_one_ends, {detached, os_thread}, finish, SOME},
    {"cancelled", 2, 2, MODEL_WORLD, setup_one, {cancelled, os_thread}, finish},
    {"cancels",
     2,
     MODEL_ALL,
     MODEL_WORLD,
     setup_running,
     {cancels, is_cancelled},
     finish_cancelled},
    {"meet", 2, 3, MODEL_WORLD, setup_running, {meets}, finish_met, 5 * SOME},
    {"circle", 3, 2, MODEL_WORLD, setup, {circle, os_thread, os_thread}, finish, SOME},
    {"retry", 3, 1, MODEL_WORLD, setup_retry, {retry, os_thread, os_thread}, finish, SOME},
    {"retry_ends",
     3,
     1,
     MODEL_WORLD,
     setup_retry_ends,
     {retry_ends, os_thread, os_thread},
     finish,
     SOME},
    {"ends", 3, 2, MODEL_WORLD, setup_ends, {two, os_thread, os_thread}, finish, SOME},
    {"unseen", 3, 2, MODEL_WORLD, setup, {unseen, os_thread, os_thread}, finish, SOME},
    {"rivals", 4, 1, MODEL_WORLD, setup, {rivals, os_thread, os_thread, rival}, finish, SOME},
    {"lent",
     4,
     1,
     MODEL_WORLD,
     setup,
     {creates_beside, os_thread, os_thread, borrows},
     finish,
     SOME},
    {"lends", 2, 2, MODEL_WORLD, setup_one, {lends, os_thread}, finish, SOME},
    {"stays",
     4,
     1,
     MODEL_WORLD,
     setup,
     {creates_later, os_thread, os_thread, worker},
     finish,
     SOME},
    {"ahead", 3, 2, MODEL_WORLD, setup_ahead, {again, os_thread, os_thread}, finish, SOME},
    {"nested", 3, 2, MODEL_WORLD, setup, {nested, os_thread, os_thread}, finish, SOME},
    {"again", 3, 1, MODEL_WORLD, setup, {again, os_thread, os_thread}, finish, SOME},
    {"slow", 3, 2, MODEL_WORLD, setup_slow, {slow, os_thread, os_thread}, finish, SOME},
    {"two", 3, 2, MODEL_WORLD, setup, {two, os_thread, os_thread}, finish, SOME},
    {0},
};
