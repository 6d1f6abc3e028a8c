/* away.c - model of carry_away.c: a carrier beyond a request goes away and comes back
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Text checked: sched/nano/carry_away.c, carry.c, carry_thread.c, carrier.c, sched/adapt/permit.c.
 * One member, x, has a regular OS thread (thread 1, at rest) and a context (thread 2). Thread 0 is
 * the root, whose OS thread stays. x comes by a safe point while one processor is asked for: its
 * carrier goes away, and x goes on with the root's. At its end x goes to its own OS thread, which
 * comes back for it. In `back` the root waits outside the runtime, and the request ends meanwhile:
 * the carrier comes back and takes x from the root's queue. A sleep with a time limit may end by
 * time, so a carrier that is away but is not called looks in the end, too.
 */
#include "tests/model/carriers.h"
#include "tests/model/stubs_lend.h"

#include "runtime/place/places/allowed.h"
#include "runtime/sched/adapt/permit.c" /* its lock is static */
#include "runtime/sched/threads/worker.h"

#include "tests/model/permits.h"

enum { MEMBER = 2 };

static struct world {
  struct nth_request request;
  struct model_family f;
  struct nth_worker root, p;
  struct nth_pthread root_thread, thread;
  _Atomic(uint32_t) passed; /* x has come by its safe point */
  _Atomic(uint32_t) over;   /* x's OS thread has ended; the root sleeps for it */
  int ran;                  /* plain: w: x; r: the root */
} w;
static void (*first)(void *); /* what begins on x's stack */
static void *first_arg;

/* --- what the runtime's sources need --- */

struct nth_request *nth_request_now = &w.request;
struct nth_crowd nth_crowd;
int nth_os_tid(void) { return (int)model_thread(); }
void nth_allowed_ask(uint32_t most) { (void)most; }
void nth_watch_carrier(struct nth_carrier *c, bool held) { (void)c, (void)held; }
void nth_watch_roots(bool more) { (void)more; }
void nth_watch_forked(uint32_t roots) { (void)roots; }
/* As in watchdog.c, for the one carrier that can be away. */
void nth_watch_call_back(void) {
  if (nth_load_rlx(&w.thread.carrier.away))
    nth_carrier_alarm(&w.thread.carrier);
}
uint64_t model_clock_ns(void) { return 1; }
struct nth_identity *model_identity(void) { return 0; }
uintptr_t nth_switch_pointer(void) { return 1; }
uint64_t nth_switch_control(void) { return 0; }
void *nth_switch_make(void *top, void (*f)(void *), void *arg, uint64_t control) {
  (void)top, (void)control;
  first = f;
  first_arg = arg;
  return model_stack(MEMBER);
}

/* --- the member --- */

static bool look(struct nth_identity *x) { return (void)x, false; }

static void run(void *unused) {
  (void)unused;
  nth_carry_pass(&w.thread.self);
  w.ran++;
  nth_add_acqrel(&w.passed, 1);
}

static void own_thread(void) {
  nth_carry_thread(&w.thread, 2 * NTH_REST_BYTES, run, 0, 0, look);
  nth_xchg_rel(&w.over, 1);
  nth_rouse(&w.over, 1);
  nth_model_bridge->go_on(MEMBER); /* its last switch does not return but here */
}
static void member(void) {
  nth_model_bridge->await();
  first(first_arg);
}

/* --- setup --- */

static void setup(void) {
  model_sleep_setup(false);
  model_family_setup(&w.f, 2);
  model_carrier_setup(0, &w.root_thread.carrier, &w.f);
  model_carrier_setup(1, &w.thread.carrier, &w.f);
  model_identity_setup(0, &w.root_thread.self, &w.root_thread.carrier);
  model_identity_setup(1, &w.thread.self, &w.thread.carrier);
  MODEL_ATOM_AT(1, w.thread.carrier.base.carrier);
  MODEL_ATOM_AT(0, w.root_thread.carrier.away);
  MODEL_ATOM_AT(1, w.thread.carrier.away);
  MODEL_ATOM_AT(0, w.root_thread.carrier.regular);
  MODEL_ATOM_AT(1, w.thread.carrier.regular);
  model_permits_setup(&w.request);
  MODEL_ATOM(w.passed);
  MODEL_ATOM(w.over);
  MODEL_NAME(w.ran);
  nth_store_rlx(&nth_permits.on, true);
  nth_store_rlx(&nth_permits.held, 0);
  nth_store_rlx(&nth_permits.resting, 0);
  nth_store_rlx(&nth_permits.limit, 1);
  nth_store_rlx(&w.request.asked, 1);
  nth_store_rlx(&nth_crowd.active, 2);
  nth_permit_hooks.changed = nth_carry_limit;
  nth_or_rlx(&nth_carrier_special, NTH_LIMITED);
  w.root_thread.worker = &w.root;
  nth_carry_adopt(&w.root_thread, &w.f.family, 0);
  nth_permit_start(&w.root_thread.carrier.permit, true);
  w.thread.worker = &w.p;
  nth_carry_enrol(&w.thread, &w.f.family, 0, 0);
  model_check(nth_load_rlx(&w.thread.carrier.regular));
  nth_model_bridge->park(MEMBER);
}

/* --- the root --- */

static void await_end(void) {
  while (nth_load_acq(&w.over) == 0)
    nth_carry_wait(&w.root_thread.self, &w.over, 0, 0, 0);
  model_check(w.ran == 1);
}

/* It does not sleep before x's carrier has gone: a root that sleeps gives its permit up. */
static void see_it_go(void) {
  while (!nth_load_rlx(&w.thread.carrier.away))
    model_idle();
  await_end();
}

static void give_back(void) {
  nth_store_rlx(&w.request.asked, 0);
  nth_fence_full();
  nth_permits_changed();
  while (nth_load_acq(&w.passed) == 0)
    model_idle();
  await_end();
}

static void finish(void) {
  model_sleep_finish(&w.f);
  model_check(nth_load_rlx(&w.thread.carrier.queued) == 0 &&
              nth_load_rlx(&w.root_thread.carrier.queued) == 0);
  model_check(!nth_load_rlx(&w.thread.carrier.away));
}

MODEL_CASES = {
    {"goes", 3, 1, MODEL_WORLD, setup, {see_it_go, own_thread, member}, finish, 10000},
    {"back", 3, 1, MODEL_WORLD, setup, {give_back, own_thread, member}, finish, 10000},
    {0},
};
