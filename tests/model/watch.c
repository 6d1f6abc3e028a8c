/* watch.c - model of who arms the watchdog: nobody is left in a queue while it sleeps
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Text checked: nth_watch_arm() and the thread of sched/nano/watchdog.c, with put() of
 * sched/nano/carry.c. Thread 1 is the watchdog. Thread 0 puts an identity into a queue whose
 * carrier is about something else, and wants the watchdog to look; what that does then is left out:
 * nobody is at rest.
 */
#define MODEL_WATCHDOG
#include "tests/model/carriers.h"

#include "runtime/sched/nano/watchdog.c" /* its list and its word are static */

#include <string.h>

enum { TURN_NS = 1000000000 }; /* between two looks: strikes are forgotten at once */

static struct world {
  struct model_family f;
  struct nth_carrier carrier;
  struct nth_identity x, busy;
  _Atomic(uint32_t) word;  /* x waits for it in `roused` */
  _Atomic(uint32_t) looks; /* that have begun */
  _Atomic(uint32_t) ticks; /* w: thread 0, so that a sleep with a limit ends */
} w;
static void *(*watchdog)(void *);

int nth_os_thread(void *(*run)(void *), void *argument) {
  (void)argument;
  watchdog = run;
  return 0;
}
/* Each look reads the clock once. */
uint64_t model_clock_ns(void) { return (uint64_t)(nth_add_rel(&w.looks, 1) + 1) * TURN_NS * 10; }
struct nth_identity *model_identity(void) { return 0; }
/* The carrier's OS thread has had no CPU, which others want: nobody is taken out of its queue. */
uint64_t nth_os_cpu_of(int thread) {
  (void)thread;
  return 0;
}
bool nth_os_offer_cpu(void) { return true; }
void nth_msg(const char *format, ...) { (void)format; }
struct nth_allowed nth_allowed = {.look_at = UINT64_MAX}; /* no look at the mask */
void nth_allowed_look_slow(uint64_t now) { (void)now; }
unsigned nth_allowed_soon(void) { return 2; }
void nth_places_unbind(void) {}

static void begin(uint32_t armed) {
  struct nth_carrier *c = &w.carrier;
  model_sleep_setup(false);
  nth_store_rlx(&nth_watch_armed, armed);
  model_family_setup(&w.f, 1);
  model_carrier_setup(0, c, &w.f);
  model_identity_setup(0, &w.x, c);
  nth_store_rlx(&w.x.pinned, true);
  w.busy.own = c;
  nth_store_rlx(&c->current, &w.busy);
  MODEL_ATOM(w.looks);
  MODEL_ATOM(w.ticks);
  memset(&watch, 0, sizeof watch);
  MODEL_ATOM(watch.lock.word);
  MODEL_ATOM(watch.carriers);
  MODEL_ATOM(watch.word);
  MODEL_ATOM(watch.refused);
  nth_watch_roots(true);
  nth_watch_carrier(c, true);
}
static void armed(void) { begin(1); }
static void disarmed(void) { begin(0); }
static void regular(void) {
  begin(1);
  nth_store_rlx(&w.carrier.regular, true);
}

/* A look that begins after the call has to come. */
static void await_look(void) {
  for (int i = 0; i < 2; i++) {
    uint32_t seen = nth_load_acq(&w.looks);
    nth_add_rel(&w.ticks, 1);
    while (nth_load_acq(&w.looks) == seen)
      model_idle();
  }
}

/* So that one preemption is enough for a put in the middle of what follows. */
static void await_first(void) {
  while (nth_load_acq(&w.looks) == 0)
    model_idle();
}

/* The watchdog may have it in its hands for a moment. */
static void take(void) {
  struct nth_identity *x;
  while (!(x = nth_carrier_take(&w.carrier, 0, 0)))
    model_idle();
  model_check(x == &w.x);
}

static void put_once(void) {
  nth_carry_ready(&w.x);
  await_look();
  take();
}
static void end(void) { nth_watch_roots(false); }

static void once(void) {
  await_first();
  put_once();
  end();
}
static void only_end(void) {
  await_first();
  end();
}
/* As leaders of a team put their members. */
static void put_all(void) {
  await_first();
  w.x.next = 0;
  nth_carry_ready_all(&w.carrier, &w.x);
  await_look();
  take();
  end();
}
/* It has been taken before the watchdog looks, perhaps. */
static void again(void) {
  await_first();
  nth_carry_ready(&w.x);
  take();
  put_once();
  end();
}

/* It has been in the queue for long, for work alone, which the watchdog does not wait for. */
static void docked(void) {
  begin(1);
  MODEL_ATOM(w.word);
  w.x.word = &w.word;
  w.x.docks = true;
  model_check(nth_carrier_put(&w.carrier, &w.x));
}
static void rouse(void) {
  await_first();
  nth_xchg_rel(&w.word, 1);
  nth_rouse(&w.word, 1);
  nth_carry_roused(&w.x);
  await_look();
  take();
  end();
}

/* It is in the queue until a time, and its carrier, which is about something else, does not look at
 * the clock. */
enum { LOOKS_TO_LIMIT = 5 };
static void timed(void) {
  docked();
  w.x.until = (uint64_t)LOOKS_TO_LIMIT * TURN_NS * 10;
}
static void let_pass(void) {
  while (nth_load_acq(&w.looks) < LOOKS_TO_LIMIT) {
    nth_add_rel(&w.ticks, 1);
    model_idle();
  }
  await_look(); /* it has seen that x is ready */
  model_check(nth_carrier_take(&w.carrier, w.x.until, 0) == &w.x);
  end();
}

static void thread(void) { watchdog(0); }
static void finish(void) { model_check(nth_load_rlx(&w.carrier.queued) == 0); }

MODEL_CASES = {
    {"armed", 2, 1, MODEL_WORLD, armed, {once, thread}, finish},
    {"disarmed", 2, 1, MODEL_WORLD, disarmed, {once, thread}, finish},
    {"all", 2, 1, MODEL_WORLD, regular, {put_all, thread}, finish},
    {"again", 2, 1, MODEL_WORLD, disarmed, {again, thread}, finish, 15000},
    {"roused", 2, 1, MODEL_WORLD, docked, {rouse, thread}, finish},
    {"timed", 2, 1, MODEL_WORLD, timed, {let_pass, thread}, finish, 15000},
    {"end", 2, 2, MODEL_WORLD, armed, {only_end, thread}, finish},
    {0},
};
