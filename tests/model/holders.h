/* holders.h - the world of the models of created threads
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Part of held.c and joiner.c. Thread 0 is the program's main thread. Threads 1 and 2 are the OS
 * threads that the runtime makes, as far as a case has them. model_tls() says whose thread-specific
 * data a thread of the model has, model_live() is the life of an OS thread.
 */
#ifndef NTH_MODEL_HOLDERS_H
#define NTH_MODEL_HOLDERS_H

#include "tests/model/model.h"

/* Its state is static; each execution begins anew. */
#include "runtime/sched/hold/errand.c"

#include "runtime/place/places/allowed.h"
#include "runtime/sched/adapt/crowd.h"
#include "runtime/sched/hold/carried.h"
#include "runtime/sched/hold/held_inside.h"
#include "runtime/sched/hold/lend.h"
#include "runtime/sched/hold/tholder.h"
#include "runtime/sched/nano/self.h"

static uint32_t model_tls(void);
static bool model_live(struct nth_held *h);

enum { OS_THREADS = 2, ERRANDS = 2, NEVER = 2, SOME = 4000 };

/* Not watched: each word is atomic, or one thread's. What is watched is nth_held_pool (the world),
 * errands, thread-specific data, and what errands write for their joiners. */
static struct {
  _Atomic(uint32_t) made, limit;           /* OS threads */
  _Atomic(uint32_t) tries, refused;        /* to make one; the number of the one refused */
  _Atomic(uint32_t) begun[OS_THREADS + 1]; /* 1: it runs; NEVER: it is not made */
  _Atomic(uint32_t) ended[OS_THREADS + 1]; /* its destructors have run */
  void *(*run[OS_THREADS + 1])(void *);    /* what it runs */
  void *of[OS_THREADS + 1];
  void **mine;              /* [4]; watched; thread-specific data */
  int *ran;                 /* [ERRANDS]; watched; w: an errand; r: its joiner */
  uint64_t number[ERRANDS]; /* of the created threads */
  _Atomic(uint32_t) told[ERRANDS], cancels, flag;
  _Atomic(bool) stays;     /* OS threads are fresh again after an errand */
  _Atomic(uint32_t) which; /* what objects can change: NTH_TRAIT_ bits */
} w;

uint32_t model_sure;
struct nth_allowed nth_allowed;
struct nth_crowd nth_crowd;
_Thread_local struct nth_member *nth_self;

#include "tests/model/stubs_held.h"

/* --- the threads --- */

/* The end of an OS thread. */
static void end_thread(void) {
  void *mine = w.mine[model_tls()];
  if (mine)
    leave(mine);
}

static void os_thread(void) {
  uint32_t i = model_thread(), begun;
  while ((begun = nth_load_acq(&w.begun[i])) == 0)
    nth_futex_wait(&w.begun[i], 0, 0);
  if (begun == NEVER)
    return;
  if (w.run[i] != nth_held_main)
    (void)w.run[i](w.of[i]); /* for one created thread */
  else if (!model_live(w.of[i]))
    return; /* it has gone on elsewhere, and ended there */
  end_thread();
  (void)nth_xchg_rel(&w.ended[i], 1);
  nth_futex_wake(&w.ended[i], 1);
}

/* Main has done all: held threads end as soon as they are idle. */
static void close_all(void) {
  nth_mutex_lock(&nth_held_pool.lock);
  model_check(nth_held_valid());
  nth_held_pool.over = true;
  for (struct nth_held *h = nth_held_pool.oldest_idle; h; h = h->newer)
    nth_held_look(h);
  bool left = nth_held_pool.held > 0;
  nth_mutex_unlock(&nth_held_pool.lock);
  while (left) {
    model_idle();
    nth_mutex_lock(&nth_held_pool.lock);
    left = nth_held_pool.held > 0;
    nth_mutex_unlock(&nth_held_pool.lock);
  }
  for (uint32_t i = 1; i <= OS_THREADS; i++)
    if (nth_load_rlx(&w.begun[i]) == 0) {
      (void)nth_xchg_rel(&w.begun[i], NEVER);
      nth_futex_wake(&w.begun[i], 1);
    }
  end_thread();
}

static void *work(void *arg) {
  ++*(int *)arg;
  return arg;
}

static void create_as(uint32_t i, void *(*f)(void *)) {
  model_check(nth_tholder_create(&w.number[i], 0, f, &w.ran[i]) == 0);
}
static void join(uint32_t i) {
  void *result = 0;
  model_check(nth_tholder_join(w.number[i], &result) == 0 && w.ran[i] == 1);
  model_check(result == &w.ran[i] || !nth_load_rlx(&w.stays));
  model_check(nth_tholder_join(w.number[i], 0) != 0);
}

/* --- setup and finish --- */

static void setup_as(uint32_t os_threads, uint32_t sure, bool stays) {
  memset(&w, 0, sizeof w);
  memset(&errands, 0, sizeof errands);
  memset(segment, 0, sizeof segment);
  MODEL_NAME(nth_held_pool);
  MODEL_ATOM(errands.lock.word);
  MODEL_ATOM(segment[0]);
  MODEL_ATOM(nth_held_pool.lock.word);
  MODEL_ATOM(nth_held_pool.gate);
  MODEL_ATOM(nth_held_pool.pending);
  MODEL_ATOM(nth_held_pool.running);
  MODEL_ATOM(nth_held_pool.wanted);
  MODEL_ATOM(nth_held_pool.away);
  MODEL_ATOM(nth_lend_any);
  MODEL_ATOM(nth_crowd.roots);
  MODEL_ATOM(nth_held_settings.idle_ns);
  MODEL_ATOM(nth_held_settings.idle_most);
  MODEL_ATOM(nth_allowed.cpus);
  MODEL_ATOM(nth_allowed.all);
  MODEL_ATOM(w.made);
  MODEL_ATOM(w.limit);
  MODEL_ATOM(w.tries);
  MODEL_ATOM(w.refused);
  MODEL_ATOM(w.cancels);
  MODEL_ATOM(w.flag);
  MODEL_ATOM(w.stays);
  MODEL_ATOM(w.which);
  MODEL_ATOM(nth_held_pool.at_once);
  MODEL_ATOM(nth_held_pool.wake_ns);
  MODEL_ATOM(nth_held_pool.untimed);
  for (uint32_t i = 0; i <= OS_THREADS; i++) {
    MODEL_ATOM_AT(i, w.begun[i]);
    MODEL_ATOM_AT(i, w.ended[i]);
  }
  for (uint32_t i = 0; i < ERRANDS; i++)
    MODEL_ATOM_AT(i, w.told[i]);
  (void)nth_tholder_count();
  nth_store_rlx(&nth_held_settings.idle_ns, UINT64_MAX);
  nth_store_rlx(&nth_held_settings.idle_most, UINT32_MAX);
  nth_store_rlx(&nth_allowed.cpus, 1);
  nth_store_rlx(&nth_allowed.all, 1);
  nth_store_rlx(&w.limit, os_threads);
  nth_store_rlx(&w.stays, stays);
  nth_store_rlx(&w.which, 0);
  model_sure = sure;
  w.ran = nth_heap_alloc(ERRANDS * sizeof *w.ran);
  w.mine = nth_heap_alloc(4 * sizeof *w.mine);
  nth_mutex_lock(&errands.lock);
  model_check(grow());
  nth_mutex_unlock(&errands.lock);
  for (uint32_t i = 0; i < NTH_ERRAND_SEGMENT; i++) {
    MODEL_ATOM_AT(i, errands.unused[i].state);
    MODEL_ATOM_AT(i, errands.unused[i].joins);
  }
}

/* All is as it was before the first creation. */
static void finish(void) {
  model_check(nth_held_valid());
  model_check(nth_held_pool.held == 0 && nth_held_pool.searchers == 0 && nth_held_pool.idle == 0);
  model_check(nth_held_pool.lent == 0);
  model_check(nth_load_rlx(&nth_held_pool.running) == 0 && !nth_held_pool.newest);
  uint32_t unused = 0;
  for (const struct nth_errand *e = errands.unused; e; e = e->next)
    unused++;
  model_check(unused == NTH_ERRAND_SEGMENT);
  model_check(model_kept() == 3); /* errands, w.ran, w.mine */
}

#endif
