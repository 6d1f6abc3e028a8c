/* doze.c - model of a carrier's queue, sleep and alarm: nobody who can go on is left in a queue
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Text checked: sched/nano/carrier.c, put() of sched/nano/carry.c, runtime/base/sleep.h. Thread 1,
 * and in some cases thread 2, is an OS thread at rest that serves its queue; the others put
 * identities there, or change what these wait for. With `news` as on kernels that cannot wait for
 * several words.
 */
#include "tests/model/carriers.h"

static struct world {
  struct model_family f;
  struct nth_carrier carrier[2];
  struct nth_identity x[2]; /* x[0]: waits for word; x[1]: pinned, can go on, in `thief` of
                             * carrier[1] */
  struct nth_identity end;  /* of carrier[0], which may stop when it gets it */
  _Atomic(uint32_t) word;
  int taken[2]; /* plain: w: who takes it, r: after the last one */
} w;

uint64_t model_clock_ns(void) { return 1; }
struct nth_identity *model_identity(void) { return 0; }

static void begin(bool news, uint32_t carriers) {
  model_sleep_setup(news);
  model_family_setup(&w.f, carriers);
  MODEL_ATOM(w.word);
  MODEL_NAME(w.taken);
  for (uint32_t i = 0; i < carriers; i++)
    model_carrier_setup(i, &w.carrier[i], &w.f);
  for (uint32_t i = 0; i < 2; i++)
    model_identity_setup(i, &w.x[i], &w.carrier[0]);
  nth_store_rlx(&w.x[0].pinned, true);
  nth_store_rlx(&w.x[1].pinned, true);
}
static void setup(void) { begin(false, 1); }
static void setup_news(void) { begin(true, 1); }

/* --- identities that are put --- */

static void note(const struct nth_identity *x) {
  int i = (int)(x - w.x);
  model_check(i >= 0 && i < 2 && !w.taken[i] && nth_identity_can(x, 0));
  w.taken[i]++;
}

static struct nth_identity *serve_once(struct nth_carrier *c) {
  struct nth_identity *x;
  while (!(x = nth_carrier_take(c, 0, 0)) &&
         !(nth_load_rlx(&c->regular) && (x = nth_carrier_steal(c, 1, true))))
    nth_carrier_doze(c, 0, 0);
  return x;
}

static void serve_two(void) {
  note(serve_once(&w.carrier[0]));
  note(serve_once(&w.carrier[0]));
}
static void serve_one(void) { note(serve_once(&w.carrier[0])); }

static void put_two(void) {
  nth_carry_ready(&w.x[0]);
  nth_carry_ready(&w.x[1]);
}

/* What is put waits for the word. */
static void wait_for_word(struct nth_identity *x) {
  x->word = &w.word;
  x->value = 0;
}
static void put_waiting(void) {
  wait_for_word(&w.x[0]);
  nth_carry_ready(&w.x[0]);
}
static void change(void) {
  nth_xchg_rel(&w.word, 1); /* README, Bounds: not a store */
  nth_rouse(&w.word, 1);
}

static void change_for_all(void) {
  nth_xchg_rel(&w.word, 1);
  nth_rouse(&w.word, INT_MAX);
}

/* --- who sleeps for itself --- */

static void wait_dozing(void) {
  struct nth_identity *me = &w.x[0];
  wait_for_word(me);
  while (!nth_identity_can(me, 0))
    nth_carrier_doze(&w.carrier[0], me, 0);
}
static void wait_counted(void) {
  while (nth_load_rlx(&w.word) == 0)
    nth_sleep_counted(&w.word, 0, 0);
}

/* --- two carriers: the owner of a queue and a thief; who gets x[0] ends the other one --- */

static void setup_two(void) {
  begin(false, 2);
  for (uint32_t i = 0; i < 2; i++)
    model_regular(i, &w.carrier[i], &w.f);
  nth_store_rlx(&w.x[0].pinned, false);
  model_identity_setup(1, &w.x[1], &w.carrier[1]);
  model_identity_setup(2, &w.end, &w.carrier[0]);
  nth_store_rlx(&w.end.pinned, true);
}
static void setup_waiting(void) {
  setup_two();
  wait_for_word(&w.x[0]);
  nth_carrier_put(&w.carrier[0], &w.x[0]);
}
static void put_able(void) { nth_carry_ready(&w.x[0]); }

static void serve_both(int i, struct nth_identity *mine, struct nth_identity *others) {
  struct nth_identity *x = serve_once(&w.carrier[i]);
  if (x == mine)
    return;
  note(x);
  nth_carry_ready(others);
}
static void owner(void) { serve_both(0, &w.end, &w.x[1]); }
static void thief(void) { serve_both(1, &w.x[1], &w.end); }

/* --- x[0] goes on with another one: it is put, with the queue's lock held until it has left its
 * stack --- */

static void setup_pass(void) {
  setup_two();
  nth_carrier_put(&w.carrier[0], &w.end);
}
static void pass(void) {
  struct nth_carrier *c = &w.carrier[0];
  model_check(nth_carrier_take(c, 0, &w.x[0]) == &w.end);
  w.taken[0] = 1; /* the switch */
  nth_mutex_unlock(&c->lock);
  (void)nth_carrier_remove(c, &w.x[0]);
}
static void steal_passed(void) {
  struct nth_identity *x = nth_carrier_steal(&w.carrier[1], 1, true);
  model_check(!x || (x == &w.x[0] && w.taken[0] == 1));
}

/* --- a lock: x[0] waits for it in the queue of a carrier that sleeps, is taken away and waits
 * elsewhere --- */

static void setup_lock(void) {
  begin(false, 1);
  w.x[0].word = &w.word;
  w.x[0].value = 2;
  nth_store_rlx(&w.word, 2);
  nth_store_rlx(&w.x[0].pinned, false);
  nth_carrier_put(&w.carrier[0], &w.x[0]);
}
static void unlock(void) {
  nth_xchg_rel(&w.word, 0);
  nth_rouse(&w.word, 1);
}
static void serve_until_end(void) {
  struct nth_identity *x = serve_once(&w.carrier[0]);
  if (x == &w.x[1])
    return;
  note(x);
  model_check(serve_once(&w.carrier[0]) == &w.x[1]);
}
static void take_away(void) {
  if (nth_carrier_remove(&w.carrier[0], &w.x[0])) {
    w.taken[0]++;
    while (nth_xchg_acq(&w.word, 2) != 0)
      nth_sleep_counted(&w.word, 2, 0);
  }
  nth_carry_ready(&w.x[1]); /* the carrier's end */
}

static void finish(void) {
  model_sleep_finish(&w.f);
  model_check(nth_load_rlx(&w.carrier[0].queued) == 0 && !w.carrier[0].first);
}
static void finish_one(void) {
  finish();
  model_check(w.taken[0] == 1);
}

MODEL_CASES = {
    {"put", 2, 2, MODEL_WORLD, setup, {put_two, serve_two}, finish},
    {"put-news", 2, 2, MODEL_WORLD, setup_news, {put_two, serve_two}, finish},
    {"word", 2, MODEL_ALL, MODEL_WORLD, setup, {change, wait_dozing}, finish},
    {"word-news", 2, MODEL_ALL, MODEL_WORLD, setup_news, {change, wait_dozing}, finish},
    {"counted", 3, 2, MODEL_WORLD, setup, {change_for_all, wait_dozing, wait_counted}, finish},
    {"waits", 3, 2, MODEL_WORLD, setup, {put_waiting, serve_one, change}, finish_one, 10000},
    {"waits-news",
     3,
     2,
     MODEL_WORLD,
     setup_news,
     {put_waiting, serve_one, change},
     finish_one,
     10000},
    {"thief", 3, 2, MODEL_WORLD, setup_two, {put_able, owner, thief}, finish_one, 15000},
    {"thief-word", 3, 2, MODEL_WORLD, setup_waiting, {change, owner, thief}, finish_one, 15000},
    {"pass", 2, MODEL_ALL, MODEL_WORLD, setup_pass, {pass, steal_passed}, finish_one},
    {"passed-on",
     3,
     2,
     MODEL_WORLD,
     setup_lock,
     {unlock, serve_until_end, take_away},
     finish_one,
     15000},
    {0},
};
