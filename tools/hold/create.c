/* create.c - pthread_create() that takes held OS threads
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include <dlfcn.h>
#include <errno.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>

#include "runtime/base/futex.h"
#include "runtime/mem/heap.h"
#include "tools/hold/entry.h"
#include "tools/hold/hold.h"

const struct hold_real *hold_real(void) {
  static struct hold_real real;
  static _Atomic(bool) known;
  if (nth_load_acq(&known)) /* K */
    return &real;
  real.join = (__typeof__(real.join))dlsym(RTLD_NEXT, "pthread_join");
  real.tryjoin = (__typeof__(real.tryjoin))dlsym(RTLD_NEXT, "pthread_tryjoin_np");
  real.timedjoin = (__typeof__(real.timedjoin))dlsym(RTLD_NEXT, "pthread_timedjoin_np");
  real.clockjoin = (__typeof__(real.clockjoin))dlsym(RTLD_NEXT, "pthread_clockjoin_np");
  real.detach = (__typeof__(real.detach))dlsym(RTLD_NEXT, "pthread_detach");
  real.create = (__typeof__(real.create))dlsym(RTLD_NEXT, "pthread_create");
  nth_store_rel(&known, true); /* K */
  return &real;
}

/* --- whether a held OS thread is as the new one would be --- */

/* What the attributes ask for, into e; false: for more than a stack, a guard and a detach state. */
static bool read_attributes(const pthread_attr_t *a, struct hold_errand *e) {
  int detached = PTHREAD_CREATE_JOINABLE;
  bool fit = pthread_attr_getdetachstate(a, &detached) == 0 &&
             nth_traits_attributes(a, &e->stack, &e->guard);
  e->detached = detached == PTHREAD_CREATE_DETACHED;
  return fit && e->stack >= HOLD_LEAST_STACK;
}

static bool attributes_fit(const pthread_attr_t *a, struct hold_errand *e) {
  if (a)
    return read_attributes(a, e);
  pthread_attr_t usual;
  if (pthread_getattr_default_np(&usual) != 0)
    return false;
  bool fit = read_attributes(&usual, e);
  (void)pthread_attr_destroy(&usual);
  return fit;
}

/* Whether the pool's OS threads have what the caller's new thread would inherit. Traits that can
 * change only since now are asked for anew: the OS threads of before end. */
static bool creator_fits(uint32_t which, struct nth_traits *t) {
  nth_traits_read(t, which);
  nth_mutex_lock(&hold_pool.lock);
  bool old = hold_pool.has_traits && hold_pool.which != which;
  if (!hold_pool.has_traits || old) {
    hold_pool.traits = *t;
    hold_pool.which = which;
    hold_pool.has_traits = true;
  }
  bool same = memcmp(&hold_pool.traits, t, sizeof *t) == 0;
  nth_mutex_unlock(&hold_pool.lock);
  if (old)
    (void)hold_shed();
  return same;
}

/* Why the thread must have an OS thread for itself; HOLD_REASONS: it need not. */
static enum hold_reason why_real(const pthread_attr_t *a, struct hold_errand *e,
                                 struct nth_traits *t) {
  uint32_t never = nth_load_rlx(&hold_pool.never);
  if (never)
    return (enum hold_reason)(never - 1);
  uint32_t which = nth_fresh_look();
  if (which & (NTH_TRAIT_NEVER | NTH_TRAIT_ABROAD))
    return HOLD_IMPORTS;
  if (!attributes_fit(a, e))
    return HOLD_ATTRIBUTES;
  e->which = which & ~(uint32_t)NTH_TRAITS_THREADS_OWN;
  return creator_fits(e->which, t) ? HOLD_REASONS : HOLD_CREATOR;
}

/* Stacks of idle OS threads would take what a limit on memory leaves. */
static bool has_memory_limit(void) {
  struct rlimit space, data;
  return getrlimit(RLIMIT_AS, &space) != 0 || getrlimit(RLIMIT_DATA, &data) != 0 ||
         space.rlim_cur != RLIM_INFINITY || data.rlim_cur != RLIM_INFINITY;
}

/* --- creation --- */

/* Idle OS threads count in limits of the system: they end before a thread is refused. */
static int create_real(pthread_t *t, const pthread_attr_t *a, void *(*start)(void *), void *arg) {
  int error = hold_real()->create(t, a, start, arg);
  while (error == EAGAIN && hold_shed())
    error = hold_real()->create(t, a, start, arg);
  return error;
}

static int create_alone(enum hold_reason why, pthread_t *t, const pthread_attr_t *a,
                        void *(*start)(void *), void *arg) {
  int error = create_real(t, a, start, arg);
  if (error == 0) {
    nth_add_rlx(&hold_pool.created, 1);
    nth_add_rlx(&hold_pool.real[why], 1);
  }
  return error;
}

/* Makes a held OS thread that begins with e. */
static int make(const struct hold_errand *e, const struct nth_traits *traits, pthread_t *t,
                const pthread_attr_t *a) {
  struct hold_birth *b = nth_heap_alloc(sizeof *b);
  struct hold_record *spare = nth_heap_alloc(sizeof *spare);
  pthread_attr_t joinable;
  if (a) {
    joinable = *a; /* the copy shares what a fitting one does not have */
    (void)pthread_attr_setdetachstate(&joinable, PTHREAD_CREATE_JOINABLE);
  }
  pthread_t made;
  if (b)
    b->traits = *traits;
  int error = b && spare ? create_real(&made, a ? &joinable : NULL, hold_main, b) : EAGAIN;
  if (error) {
    nth_heap_free(b);
    nth_heap_free(spare);
    return error;
  }
  nth_add_rlx(&hold_pool.made, 1);
  b->record = hold_claim(made, e, spare);
  *t = made;
  nth_store_rel(&b->go, 1); /* W */
  nth_futex_wake(&b->go, 1);
  return 0;
}

/* r, which the caller owns, runs e. */
static void send(struct hold_record *r, const struct hold_errand *e, pthread_t *t) {
  uint64_t generation = (nth_load_rlx(&r->state) >> 32) + 1;
  r->errand = *e;
  nth_store_rlx(&r->joins, 0);
  nth_store_rlx(&r->joiner, 0);
  *t = r->thread;
  nth_store_rel(&r->state,
                generation << 32 | HOLD_RUNS | (e->detached ? HOLD_DETACHED : 0)); /* D */
  nth_store_rel(&r->order, HOLD_RUN);                                              /* W */
  nth_futex_wake(&r->order, 1);
}

HOLD_ENTRY int pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*start)(void *),
                              void *arg) {
  int saved = errno, error = 0;
  struct hold_errand e = {.start = start, .argument = arg};
  struct nth_traits traits;
  enum hold_reason why = why_real(a, &e, &traits);
  if (why != HOLD_REASONS)
    return create_alone(why, t, a, start, arg);
  hold_give(&e.given);
  struct hold_record *r = hold_take(&e);
  if (r)
    send(r, &e, t);
  else if (has_memory_limit())
    return create_alone(HOLD_MEMORY, t, a, start, arg);
  else
    error = make(&e, &traits, t, a);
  if (error)
    return create_alone(HOLD_NO_ROOM, t, a, start, arg);
  nth_add_rlx(&hold_pool.created, 1);
  errno = saved;
  return 0;
}
