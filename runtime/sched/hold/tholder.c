/* tholder.c - the operations of nanogomp/tholder.h on created threads
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/sched/hold/tholder.h"

#include <errno.h>
#include <sched.h>

#include "runtime/base/check.h"
#include "runtime/base/clock.h"
#include "runtime/base/futex.h"
#include "runtime/base/msg.h"
#include "runtime/sched/hold/carried.h"
#include "runtime/sched/hold/fresh.h"
#include "runtime/sched/hold/held_inside.h"
#include "runtime/sched/hold/lend.h"
#include "runtime/sched/nano/self.h"

static _Atomic(uint64_t) created, own_created;

/* A mistake of the program's: a build with asserts names it. Returns the error. */
static int refuse(int error, const char *call, const char *why) {
  if (NTH_CHECK)
    nth_msg("tholder_%s: %s", call, why);
  return error;
}

static const char no_thread[] = "there is no such thread; it was joined, or detached, or never was",
                  not_joinable[] = "the thread is detached, or another thread joins it",
                  not_ours[] = "the thread was not made by tholder_create";

/* Whether the errand in this state is the one with this number, and may be joined or detached; 0 or
 * an errno value. */
static int joinable(uint64_t state, uint64_t number, const char *call) {
  if (!nth_errand_is(state, number))
    return refuse(ESRCH, call, no_thread);
  if (state & (NTH_ERRAND_DETACHED | NTH_ERRAND_JOINED))
    return refuse(EINVAL, call, not_joinable);
  if (nth_errand_kind(state) == NTH_ERRAND_FOREIGN)
    return refuse(EINVAL, call, not_ours);
  return 0;
}

/* --- creation --- */

/* Whether the attributes ask for nothing that a held thread lacks: a larger stack or guard, the
 * caller's own stack, a scheduling policy, CPUs, a signal mask. */
static bool attributes_fit(const pthread_attr_t *a) {
  pthread_attr_t usual;
  size_t size, guard, usual_size, usual_guard;
  if (!nth_traits_attributes(a, &size, &guard) || pthread_attr_init(&usual) != 0)
    return false;
  bool fit = pthread_attr_getstacksize(&usual, &usual_size) == 0 &&
             pthread_attr_getguardsize(&usual, &usual_guard) == 0 && size <= usual_size &&
             guard <= usual_guard;
  (void)pthread_attr_destroy(&usual);
  return fit;
}

static void own_ends(void *arg) { nth_errand_ends(arg); }

/* The OS thread of one errand. */
static void *own_main(void *arg) {
  struct nth_errand *e = arg;
  nth_assert(e->own);
  void *result;
  nth_errand_start(e);
  pthread_cleanup_push(own_ends, e);
  result = e->start(e->argument);
  pthread_cleanup_pop(1);
  return result;
}

static int start_own(struct nth_errand *e, const pthread_attr_t *attributes) {
  nth_assert(!e->queued && e->start);
  pthread_t thread;
  e->own = e->ends = true;
  int error = pthread_create(&thread, attributes, own_main, e);
  if (!error)
    nth_add_rlx(&own_created, 1);
  return error;
}

int nth_tholder_create(uint64_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                       void *argument) {
  if (!thread || !start)
    return refuse(EINVAL, "create", "no room for the thread's name, or no function");
  int detached = PTHREAD_CREATE_JOINABLE;
  if (attributes && pthread_attr_getdetachstate(attributes, &detached) != 0)
    return EINVAL;
  struct nth_errand *e = nth_errand_new(
      NTH_ERRAND_QUEUED, detached == PTHREAD_CREATE_DETACHED ? NTH_ERRAND_DETACHED : 0);
  if (!e)
    return EAGAIN;
  e->start = start;
  e->argument = argument;
  uint32_t which = nth_fresh_look();
  uint32_t own = which & NTH_TRAITS_OWN;
  bool fits = (own == 0 || own == NTH_TRAIT_ENDS) && (!attributes || attributes_fit(attributes)) &&
              nth_held_fits_creator(which);
  e->given = nth_fresh_given(fits ? which : 0);
  e->carries = fits && nth_carried_may(which);
  e->made_at = e->carries ? nth_clock_ns() : 0;
  *thread = nth_errand_number(e);
  int error = 0;
  e->ends = own != 0;
  if (fits && !own)
    error = nth_held_give(e);
  else if (!fits || !nth_held_give_idle(e))
    error = start_own(e, attributes);
  if (error)
    nth_errand_free(e);
  else
    nth_add_rlx(&created, 1);
  return error;
}

struct nth_tholder_counts nth_tholder_count(void) {
  return (struct nth_tholder_counts){nth_load_rlx(&created), nth_load_rlx(&own_created)};
}

/* --- the calling thread --- */

/* Its errand; one is made for a thread that was made in another way. NULL: no memory. */
static struct nth_errand *mine(void) {
  struct nth_errand *e = nth_errand_mine();
  if (e)
    return e;
  e = nth_errand_new(NTH_ERRAND_FOREIGN, 0);
  if (e)
    e->thread = pthread_self();
  if (e && nth_errand_become(e) != 0) {
    nth_errand_free(e);
    e = 0;
  }
  return e;
}

uint64_t nth_tholder_self(void) {
  struct nth_errand *e = mine();
  return e ? nth_errand_number(e) : 0;
}

/* --- joining --- */

struct join {
  struct nth_errand *target, *self; /* self NULL: there was no memory for one */
  bool runs;                        /* self counts as one that has a CPU (held.h) */
  bool told;                        /* held.h knows that it waits */
};

static bool is_over(uint64_t state) {
  return nth_errand_kind(state) == NTH_ERRAND_DONE || nth_errand_kind(state) == NTH_ERRAND_ENDS;
}

/* The caller waits no longer. */
static void stop_waiting(struct join *j) {
  if (j->self)
    nth_store_rlx(&j->self->joins, 0);
  if (j->told && j->runs)
    nth_held_goes_on();
  j->told = false;
}

/* The caller was cancelled: the target can be joined again. */
static void unjoin(void *arg) {
  struct join *j = arg;
  uint64_t state = nth_load_rlx(&j->target->state);
  nth_assert(state & NTH_ERRAND_JOINED); /* errand.h I2 */
  while (!nth_cas_rlx(&j->target->state, &state,
                      state & ~(uint64_t)(NTH_ERRAND_JOINED | NTH_ERRAND_AWAITED)))
    ;
  stop_waiting(j);
}

/* Sleeps while the state is this one. A cancellation point: the system call is left by the signal
 * that cancels. */
static void sleep_for_join(struct join *j, uint64_t state, uint64_t limit) {
  int type;
  pthread_testcancel();
  (void)pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &type);
  nth_futex_wait(nth_errand_word(j->target), (uint32_t)state, limit);
  (void)pthread_setcanceltype(type, 0);
}

/* Runs the target, if it is still queued. An object may have been loaded since its creation. */
static void carry(struct join *j) {
  nth_carried_learn(j->target->made_at);
  bool queued = nth_errand_kind(nth_load_rlx(&j->target->state)) == NTH_ERRAND_QUEUED;
  if (queued && !nth_self && nth_carried_may(nth_fresh_look()) &&
      nth_carried_run(j->target, j->runs) == NTH_CARRIED_HOME)
    j->told = j->runs; /* the target counts as running in the caller's place */
}

/* Waits until the target's function has ended. */
static void await(struct join *j) {
  struct nth_errand *e = j->target;
  if (e->carries)
    carry(j);
  uint64_t state = nth_load_acq(&e->state); /* errand:D */
  for (int i = 0; i < NTH_HOLD_POLLS && !is_over(state) && nth_held_polls(); i++) {
    nth_pause();
    state = nth_load_acq(&e->state); /* errand:D */
  }
  while (!is_over(state)) {
    if (!(state & NTH_ERRAND_AWAITED)) {
      (void)nth_cas_acq(&e->state, &state, state | NTH_ERRAND_AWAITED); /* errand:D */
      continue;
    }
    uint64_t limit = nth_held_waits(j->runs && !j->told);
    j->told = true;
    sleep_for_join(j, state, limit);
    state = nth_load_acq(&e->state); /* errand:D */
  }
}

/* Whether the target waits for the thread that would wait for it. */
static bool is_circle(const struct join *j) {
  return j->self && nth_load_rlx(&j->target->joins) == nth_errand_number(j->self);
}

/* Both threads of a circle may have seen it: the first one here does not join. False: the target
 * was here before. */
static bool leaves_circle(struct join *j) {
  nth_mutex_lock(&nth_held_pool.lock);
  bool still = is_circle(j);
  if (still)
    unjoin(j);
  nth_mutex_unlock(&nth_held_pool.lock);
  return still;
}

/* The caller, and no other thread, joins the target; 0 or an errno value. */
static int claim(struct join *j, uint64_t number, uint64_t state) {
  do {
    int error = joinable(state, number, "join");
    if (error)
      return error;
  } while (!nth_cas_rlx(&j->target->state, &state, state | NTH_ERRAND_JOINED));
  if (j->self)
    nth_store_rlx(&j->self->joins, number);
  nth_fence_full(); /* J */
  return is_circle(j) && leaves_circle(j) ? refuse(EDEADLK, "join", "two threads join each other")
                                          : 0;
}

/* The OS thread that ends with the target; 0: there is none, or it has not begun after a while. The
 * yields let a new thread on this CPU begin, or even end. */
static pthread_t ending(struct join *j) {
  pthread_t thread = 0;
  for (int i = 0; i < NTH_HOLD_YIELDS && j->target->ends && !thread; i++) {
    thread = nth_load_acq(&j->target->ending); /* errand:T */
    if (!thread)
      sched_yield();
  }
  return thread;
}

/* Waits for the target's end, and gives its result; 0 or an errno value. Where its OS thread ends,
 * that is all that need be awaited. */
static int await_result(struct join *j, void **value) {
  if (!is_over(nth_load_rlx(&j->target->state)))
    nth_held_make_ahead(false);
  pthread_t thread = ending(j);
  if (thread &&
      (is_over(nth_load_rlx(&j->target->state)) || (j->told = true, nth_held_waits(j->runs) == 0)))
    return pthread_join(thread, value);
  await(j);
  if (nth_errand_kind(nth_load_rlx(&j->target->state)) == NTH_ERRAND_ENDS)
    return pthread_join(j->target->thread, value);
  *value = j->target->result;
  return 0;
}

int nth_tholder_join(uint64_t thread, void **result) {
  uint64_t state;
  void *value = 0;
  struct join j = {0, mine(), false, false};
  j.target = nth_errand_of(thread, &state); /* after mine(), which may take an errand just freed */
  if (!j.target)
    return refuse(ESRCH, "join", no_thread);
  j.runs = nth_lend_runs_me() || nth_lend_hooks.in_region();
  if (j.target == j.self)
    return refuse(EDEADLK, "join", "a thread joins itself");
  int error = claim(&j, thread, state);
  if (error)
    return error;
  pthread_cleanup_push(unjoin, &j);
  error = await_result(&j, &value);
  pthread_cleanup_pop(0);
  stop_waiting(&j);
  nth_assert(is_over(nth_load_rlx(&j.target->state)) || error);
  nth_errand_free(j.target);
  if (result)
    *result = value;
  return error;
}

/* --- the others --- */

int nth_tholder_detach(uint64_t thread) {
  uint64_t state;
  struct nth_errand *e = nth_errand_of(thread, &state);
  if (!e)
    return refuse(ESRCH, "detach", no_thread);
  pthread_t ending = 0;
  do {
    int error = joinable(state, thread, "detach");
    if (error)
      return error;
    if (nth_errand_kind(state) == NTH_ERRAND_ENDS)
      ending = e->thread; /* afterwards e is its thread's, which may free it */
  } while (!nth_cas_acq(&e->state, &state, state | NTH_ERRAND_DETACHED)); /* errand:D */
  if (nth_errand_kind(state) == NTH_ERRAND_ENDS)
    (void)pthread_detach(ending);
  if (nth_errand_kind(state) == NTH_ERRAND_DONE || (state & NTH_ERRAND_GONE)) /* errand.h I5 */
    nth_errand_free(e);
  return 0;
}

/* Cancels the errand with this number, last seen in this state; 0 or an errno value. By a thread
 * that no request stops before the end: nobody else would take CANCELLING off. */
static int cancel(struct nth_errand *e, uint64_t number, uint64_t state) {
  uint32_t runs;
  do {
    if (!nth_errand_is(state, number))
      return refuse(ESRCH, "cancel", no_thread);
    if (nth_errand_kind(state) == NTH_ERRAND_FOREIGN)
      return refuse(EINVAL, "cancel", not_ours);
    if (is_over(state) || (state & NTH_ERRAND_CANCELLED))
      return 0;
    runs = nth_errand_kind(state) == NTH_ERRAND_RUNS ? NTH_ERRAND_CANCELLING : 0;
  } while (!nth_cas_acq(&e->state, &state, state | NTH_ERRAND_CANCELLED | runs)); /* errand:R */
  if (!runs)
    return 0;
  int error = pthread_cancel(e->thread); /* errand.h I3: it runs until the flag is gone */
  state = nth_load_rlx(&e->state);
  while (!nth_cas_rel(&e->state, &state, state & ~(uint64_t)NTH_ERRAND_CANCELLING)) /* errand:C */
    ;
  return error;
}

/* A caller with PTHREAD_CANCEL_ASYNCHRONOUS that is cancelled meanwhile, perhaps by itself, ends
 * when it has its type back. */
int nth_tholder_cancel(uint64_t thread) {
  int type;
  uint64_t state;
  struct nth_errand *e = nth_errand_of(thread, &state);
  if (!e)
    return refuse(ESRCH, "cancel", no_thread);
  (void)pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &type);
  int error = cancel(e, thread, state);
  (void)pthread_setcanceltype(type, 0);
  return error;
}
