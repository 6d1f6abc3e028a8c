/* carried.c - model of the dock of nano-thread members: each descriptor is run once
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Text checked: sched/threads/worker.c, worker_out.c, carry.c, carry_thread.c, carrier.c, with
 * base/sleep.h and struct/wdarray.h. One member, x, has an OS thread of its own (thread 1, at rest)
 * and a context (thread 2). A context switch is the switch to another thread of the model; who is
 * switched to while he runs is a failed check. In `nano` and `at-once` thread 0 is a master from
 * elsewhere and thread 3 the root whose OS thread runs x; in `regular` the OS thread of x serves
 * the family, and thread 0 is both root and master; in `alone` the root is about something else. In
 * `look` the OS thread of x makes it look now and then whether it is needed; in `leave` it is not,
 * and thread 0 may find it gone: the thread that comes back would read on where x has stopped. In
 * `become` x is an OS thread like any other at first. In `barred` the root's OS thread takes no
 * guests.
 */
#include "tests/model/carriers.h"
#include "tests/model/stubs_lend.h"

#include "runtime/base/os.h"
#include "runtime/place/places/allowed.h"
#include "runtime/sched/threads/holder.h"

enum { MEMBER = 2, CLOCK_MOST = 8 };

static struct world {
  struct model_family f;
  struct nth_worker root, p, stand_in;
  struct nth_pthread root_thread, thread;
  _Atomic(uint32_t) joined; /* x has run the region */
  _Atomic(uint32_t) over;   /* x's OS thread has ended; the root sleeps for it */
  int input, ran;           /* plain: w: master, x; r: the other one */
  int left;                 /* plain: w: x, r: master */
  _Atomic(uint32_t) asked;  /* x is not needed as far as it has seen */
} w;
static uint64_t clock_now; /* moves up to CLOCK_MOST where OS threads look at times */
static void *(*thread_of_x)(void *);
static void (*first)(void *); /* what begins on x's stack */
static void *first_arg;

/* --- what the runtime's sources need --- */

struct nth_allowed nth_allowed;
static bool stays_away(struct nth_worker *p) { return (void)p, false; }
static void becomes(struct nth_worker *p) { model_check(p->carried); }
struct nth_holder_config nth_holder_config = {.come_back = stays_away, .carried = becomes};
void nth_holder_ended(struct nth_worker *p) { (void)p; }
struct nth_worker *nth_holder_stand_in(void) { return &w.stand_in; }
void nth_holder_stand_in_unused(struct nth_worker *p) { model_check(p == &w.stand_in); }
void nth_allowed_refresh(void) {}
void nth_allowed_present(void) {}
uint64_t nth_wait_nap(const struct nth_wait *wait) { return (void)wait, 0; }
int nth_os_on_cpu(void) { return 0; }
void nth_os_leave_cpu(int cpu) { (void)cpu; }
void nth_os_send_off(pthread_t thread, struct nth_os_birth *b) { (void)thread, (void)b; }
void nth_os_arrive(struct nth_os_birth *b, bool leaves) { (void)b, (void)leaves; }
int nth_os_tid(void) { return (int)model_thread(); }
void nth_watch_carrier(struct nth_carrier *c, bool held) { (void)c, (void)held; }
void nth_watch_roots(bool more) { (void)more; }
void nth_watch_forked(uint32_t roots) { (void)roots; }
uint64_t model_clock_ns(void) {
  return clock_now < CLOCK_MOST && model_look_ns == 1 ? ++clock_now : clock_now;
}
struct nth_identity *model_identity(void) { return 0; } /* the master's: it sleeps in place */

int model_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *),
                         void *arg) {
  (void)thread, (void)attr, (void)arg;
  thread_of_x = run;
  return 0;
}
uintptr_t nth_switch_pointer(void) { return 1; }
uint64_t nth_switch_control(void) { return 0; }
void *nth_switch_make(void *top, void (*f)(void *), void *arg, uint64_t control) {
  (void)top, (void)control;
  first = f;
  first_arg = arg;
  return model_stack(MEMBER);
}

/* --- the member --- */

static void run(struct nth_worker *p, const struct nth_wd *wd) {
  model_check(p == &w.p && wd->addressee == 1 && wd->data == (void *)(uintptr_t)w.input);
  w.ran++;
  nth_add_acqrel(&w.joined, 1);
  nth_rouse(&w.joined, 1);
}

static bool needed(struct nth_worker *p, uint32_t looks) {
  model_check(p == &w.p);
  return (void)looks, false;
}
static bool idle(struct nth_worker *p, uint32_t looks) {
  model_check(p == &w.p && looks == 0 && w.left == 0);
  nth_store_rel(&w.asked, 1);
  return true;
}
static void move(struct nth_worker *from, struct nth_worker *to) {
  to->identity = from->identity;
  from->identity = 0;
  w.left += to == &w.stand_in ? 1 : -1;
}

/* Instead of another thread. */
void nth_holder_return_surely(struct nth_worker *p) {
  struct nth_wd wd;
  model_check(w.left == 1 && !p->identity);
  while (nth_wdarray_get(&p->lwd, &p->lwd_position, false, 0, &wd))
    run(p, &wd);
}

static void own_thread(void) {
  thread_of_x(&w.p);
  nth_xchg_rel(&w.over, 1);
  nth_rouse(&w.over, 1);
  nth_model_bridge->go_on(MEMBER); /* its last switch does not return but here */
}
static void member(void) {
  nth_model_bridge->await();
  first(first_arg);
}

/* --- setup --- */

static void enrol(void) {
  w.thread.worker = &w.p;
  nth_store_rlx(&w.p.thread, &w.thread);
  nth_carry_enrol(&w.thread, &w.f.family, 0, 0);
}

static void setup(uint32_t cpus, bool carried) {
  struct nth_worker *p = &w.p;
  model_sleep_setup(false);
  model_family_setup(&w.f, cpus);
  model_look_ns = UINT64_MAX;
  clock_now = 1;
  model_carrier_setup(0, &w.root_thread.carrier, &w.f);
  model_carrier_setup(1, &w.thread.carrier, &w.f);
  model_identity_setup(0, &w.root_thread.self, &w.root_thread.carrier);
  model_identity_setup(1, &w.thread.self, &w.thread.carrier);
  MODEL_ATOM_AT(1, w.thread.carrier.base.carrier);
  MODEL_ATOM(p->thread);
  MODEL_ATOM(w.stand_in.thread);
  MODEL_ATOM(p->dock);
  for (uint32_t i = 0; i < NTH_WD_SLOTS; i++)
    MODEL_ATOM_AT(i, p->lwd.slot[i].stamp);
  MODEL_ATOM(w.joined);
  MODEL_ATOM(w.over);
  MODEL_NAME(w.input);
  MODEL_NAME(w.ran);
  MODEL_NAME(w.left);
  MODEL_ATOM(w.asked);
  w.root_thread.worker = &w.root;
  nth_carry_adopt(&w.root_thread, &w.f.family, 0);
  MODEL_ATOM(w.thread.begun);
  p->carried = carried;
  if (carried)
    enrol();
  nth_worker_start(p, 0, 0, 0, run);
  p->started = true; /* no migration in a model */
  nth_model_bridge->park(MEMBER);
}
static void setup_nano(void) {
  setup(1, true);
  model_check(nth_worker_nano(&w.p));
}
static void setup_become(void) { setup(1, false); }
static void setup_barred(void) {
  setup_nano();
  nth_or_rlx(&nth_carrier_special, NTH_ROOTS_ALONE);
}
static void setup_look(void) {
  setup_nano();
  model_look_ns = 1;
  w.p.may_leave = true;
  w.p.identity = &w;
  nth_holder_config.idle = needed;
  nth_holder_config.move = move;
}
static void setup_leave(void) {
  setup_look();
  nth_holder_config.idle = idle;
}
static void setup_regular(void) {
  setup(2, true);
  model_check(!nth_worker_nano(&w.p));
}
static void setup_crowded(void) {
  setup_regular();
  w.p.crowded = true;
}

/* --- master and root --- */

static void give(uintptr_t owner) {
  struct nth_wd wd = {0, (void *)(uintptr_t)w.input, owner, 1};
  nth_wdarray_put(&w.p.lwd, &wd);
  nth_fence_full();
  nth_worker_wake(&w.p);
}

static void await(_Atomic(uint32_t) *word, uint32_t value) {
  for (uint32_t v; (v = nth_load_acq(word)) != value;)
    nth_sleep_counted(word, v, 0);
}

static void one_by_one(void) {
  w.input = 1;
  give((uintptr_t)&w);
  await(&w.joined, 1);
  model_check(w.ran == 1);
  give(NTH_WD_END);
}
static void at_once(void) {
  w.input = 1;
  give((uintptr_t)&w);
  give(NTH_WD_END);
}

static void root(void) {
  while (nth_load_acq(&w.over) == 0)
    nth_carry_wait(&w.root_thread.self, &w.over, 0, 0, 0);
}

/* The root is the master. */
static void root_region(void) {
  w.input = 1;
  give((uintptr_t)&w);
  while (nth_load_acq(&w.joined) == 0)
    nth_carry_wait(&w.root_thread.self, &w.joined, 0, 0, 0);
  model_check(w.ran == 1);
  give(NTH_WD_END);
  root();
}

/* As leaders of a team give work. */
static void lead_to_join(bool quietly) {
  struct nth_wd wd = {0, (void *)(uintptr_t)(w.input = 1), (uintptr_t)&w, 1};
  nth_wdarray_put(&w.p.lwd, &wd);
  nth_fence_full();
  struct nth_identity *x = nth_worker_take_out(&w.p, quietly);
  if (x) {
    x->next = 0;
    nth_carry_ready_all(&w.root_thread.carrier, x);
  }
  while (nth_load_acq(&w.joined) == 0)
    nth_carry_wait(&w.root_thread.self, &w.joined, 0, 0, 0);
}
static void lead(bool quietly) {
  lead_to_join(quietly);
  give(NTH_WD_END);
  root();
}
/* It may have left before its region, or after it: then nobody has to be told the end. */
static void may_be_gone(void) {
  while (nth_load_acq(&w.asked) == 0)
    model_idle();
  lead_to_join(false);
  static const struct nth_wd end = {0, 0, NTH_WD_END, 1};
  nth_wdarray_put(&w.p.lwd, &end);
  nth_fence_full();
  (void)nth_worker_rouse(&w.p);
  root();
}
static void leader(void) { lead(false); }
static void leader_of_os_thread(void) {
  enrol();
  model_check(nth_worker_carry(&w.p) && nth_worker_nano(&w.p));
  lead(false);
}
static void quiet_leader(void) { lead(true); }

static void finish(void) {
  model_sleep_finish(&w.f);
  model_check(nth_load_rlx(&w.thread.carrier.queued) == 0 &&
              nth_load_rlx(&w.root_thread.carrier.queued) == 0);
  model_check(nth_wdarray_valid(&w.p.lwd));
}

MODEL_CASES = {
    {"at-once", 4, 2, MODEL_WORLD, setup_nano, {at_once, own_thread, member, root}, finish, 10000},
    {"nano", 4, 1, MODEL_WORLD, setup_nano, {one_by_one, own_thread, member, root}, finish},
    {"alone", 3, 2, MODEL_WORLD, setup_regular, {one_by_one, own_thread, member}, finish, 10000},
    {"lead", 3, 1, MODEL_WORLD, setup_nano, {leader, own_thread, member}, finish, 10000},
    {"barred", 3, 1, MODEL_WORLD, setup_barred, {leader, own_thread, member}, finish, 10000},
    {"look", 3, 1, MODEL_WORLD, setup_look, {leader, own_thread, member}, finish, 10000},
    {"leave", 3, 2, MODEL_WORLD, setup_leave, {may_be_gone, own_thread, member}, finish, 10000},
    {"become",
     3,
     1,
     MODEL_WORLD,
     setup_become,
     {leader_of_os_thread, own_thread, member},
     finish,
     10000},
    {"quietly",
     3,
     1,
     MODEL_WORLD,
     setup_regular,
     {quiet_leader, own_thread, member},
     finish,
     10000},
    {"crowded", 3, 1, MODEL_WORLD, setup_crowded, {root_region, own_thread, member}, finish, 10000},
    {"regular", 3, 1, MODEL_WORLD, setup_regular, {root_region, own_thread, member}, finish, 10000},
    {0},
};
