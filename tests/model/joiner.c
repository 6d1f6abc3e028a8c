/* joiner.c - model of carried.h: a joiner runs the created thread itself, as an idle held thread
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Text checked: sched/hold/carried.c, with held.c, held_thread.c, errand.c, lend.c and tholder.c.
 * The threads of holders.h. Where a joiner may run one, the last thread of the model is the context
 * on the lower part of an OS thread's stack. A switch lets another thread of the model go on and
 * waits; that two run one context is a failed check. An OS thread that has gone on at a context
 * never comes back, so its thread of the model jumps to its end. Creators count as joining at
 * once but in `two_idle`, so there is a sentry from the first idle thread on, and its time is over
 * at each of its looks.
 */
#define MODEL_JOINER
#include "tests/model/holders.h"

#include <setjmp.h>

#include "runtime/arch/switch.h"
#include "runtime/sched/nano/carry.h"

enum { NOBODY = 9 };

/* Not watched: each is changed by the thread that runs, in its step. */
static struct {
  uint32_t context;      /* the thread of the model that is one */
  uint32_t tls[4];       /* whose thread pointer a thread of the model has */
  void (*first)(void *); /* what a new context begins with */
  void *first_arg;
  bool begins, over; /* the context is to begin anew; it is not used any more */
  bool gone[4];      /* the OS thread has ended at the context */
} x;
static jmp_buf anew, ended[4];

static uint32_t model_tls(void) { return x.tls[model_thread()]; }

/* --- contexts --- */

bool nth_switch_direct;
void nth_switch_begin(void) {}
bool nth_valgrind(void) { return false; }
bool nth_os_shadow_stack(void) { return false; }
bool nth_fresh_sanitized(void) { return false; }
void nth_carry_unregister_rseq(uintptr_t pointer) { model_check(pointer == model_tls() + 1); }
uintptr_t nth_switch_pointer(void) { return model_tls() + 1; }

void *nth_switch_make(void *top, void (*f)(void *), void *arg, uint64_t control) {
  (void)top, (void)control;
  x.first = f;
  x.first_arg = arg;
  x.begins = true;
  return (void *)(uintptr_t)(x.context + 1);
}

void nth_switch(void **save, void *to, uintptr_t pointer) {
  uint32_t me = model_thread(), next = (uint32_t)(uintptr_t)to - 1;
  *save = (void *)(uintptr_t)(me + 1);
  x.tls[next] = (uint32_t)pointer - 1;
  nth_model_bridge->park(me);
  nth_model_bridge->go_on(next);
  nth_model_bridge->await();
  if (x.gone[me])
    longjmp(ended[me], 1);
  if (me == x.context && (x.begins || x.over))
    longjmp(anew, 1);
}

static bool model_live(struct nth_held *h) {
  uint32_t me = model_thread();
  if (setjmp(ended[me]) == 0)
    (void)nth_held_main(h);
  return !x.gone[me];
}

/* The OS thread that has this context's thread pointer ends in it. */
_Noreturn void model_pthread_exit(void *result) {
  uint32_t i = model_tls();
  (void)result;
  model_check(model_thread() == x.context);
  end_thread();
  x.gone[i] = true;
  nth_model_bridge->park(x.context);
  nth_model_bridge->go_on(i);
  (void)nth_xchg_rel(&w.ended[i], 1);
  nth_futex_wake(&w.ended[i], 1);
  longjmp(anew, 1);
}

static void context(void) {
  (void)setjmp(anew);
  nth_model_bridge->await();
  if (x.over)
    return;
  x.begins = false;
  x.first(x.first_arg);
}

/* Main has done all. */
static void close_context(void) {
  close_all();
  x.over = true;
  nth_model_bridge->go_on(x.context);
}

/* --- setup --- */

uint32_t model_row;

static void setup_threads(uint32_t os_threads) {
  setup_as(os_threads, 2, true);
  memset(&x, 0, sizeof x);
  model_row = 0;
  for (uint32_t i = 0; i < 4; i++)
    x.tls[i] = i;
}
static void setup_context(uint32_t os_threads) {
  setup_threads(os_threads);
  x.context = os_threads + 1;
  x.tls[x.context] = NOBODY;
  nth_model_bridge->park(x.context);
}
static void setup(void) { setup_context(1); }
static void setup_two(void) { setup_threads(2); }
static void setup_no_sentry(void) {
  setup_context(2);
  model_row = NEVER;
}

/* --- cases --- */

/* Main goes on when n OS threads are in the list of idle ones. */
static void await_idle(uint32_t n) {
  for (bool idle = false; !idle;) {
    model_idle();
    nth_mutex_lock(&nth_held_pool.lock);
    idle = nth_held_pool.idle == n;
    nth_mutex_unlock(&nth_held_pool.lock);
  }
}
static void one_before(void) {
  create_as(0, work);
  join(0);
  await_idle(1);
}

/* The second one is carried, or the OS thread begins it first, woken or as the sentry. */
static void again(void) {
  one_before();
  create_as(1, work);
  join(1);
  close_context();
}

/* Its OS thread ends with it, so it goes home if it is carried. */
static void home(void) {
  one_before();
  nth_store_rlx(&w.stays, false);
  create_as(1, work);
  join(1);
  close_context();
}

static void *raise_flag(void *arg) {
  (void)nth_xchg_rel(&w.flag, 1);
  nth_futex_wake(&w.flag, INT_MAX);
  return work(arg);
}
/* There is no sentry, and two OS threads are idle: one is woken for the third one, and main may run
 * it as the other one, which sleeps without a limit of time. */
static void two_idle(void) {
  nth_store_rlx(&nth_allowed.cpus, 2); /* so that both run */
  create_as(0, raise_flag);
  create_as(1, work);
  join(1);
  join(0);
  await_idle(2);
  nth_store_rlx(&w.stays, false);
  w.ran[1] = 0;
  create_as(1, work);
  join(1);
  close_context();
}

static void await_flag(void) {
  while (nth_load_acq(&w.flag) == 0)
    nth_futex_wait(&w.flag, 0, 0);
}

/* Nobody joins it before it has run. */
static void unjoined(void) {
  one_before();
  create_as(1, raise_flag);
  await_flag();
  join(1);
  close_context();
}

/* Main borrows the OS thread, which may be the sentry, while the second one is queued. That waits
 * for the second one, so another OS thread must begin it. */
static bool awaits(void *arg) { return (void)arg, await_flag(), true; }
static void lent(void) {
  one_before();
  create_as(1, raise_flag);
  (void)nth_lend(awaits, 0, 0);
  await_flag();
  join(1);
  close_all();
}

#undef MODEL_WORLD
#define MODEL_WORLD &nth_held_pool, sizeof nth_held_pool

MODEL_CASES = {
    {"again", 3, 2, MODEL_WORLD, setup, {again, os_thread, context}, finish, SOME},
    {"home", 3, 2, MODEL_WORLD, setup, {home, os_thread, context}, finish, SOME},
    {"two_idle",
     4,
     1,
     MODEL_WORLD,
     setup_no_sentry,
     {two_idle, os_thread, os_thread, context},
     finish,
     SOME},
    {"lent", 3, 2, MODEL_WORLD, setup_two, {lent, os_thread, os_thread}, finish, SOME},
    {"unjoined", 3, 2, MODEL_WORLD, setup, {unjoined, os_thread, context}, finish, SOME},
    {0},
};
