/* records.c - the held OS threads that a program knows by pthread_t, and the idle ones
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "tools/hold/hold.h"

#include <stddef.h>

#include "runtime/base/clock.h"
#include "runtime/mem/heap.h"

struct hold_pool hold_pool;

/* --- records by pthread_t --- */

enum { BUCKETS = 4096 };
static _Atomic(struct hold_record *) buckets[BUCKETS]; /* w: in the lock; B */

/* pthread_t is an address on the thread's stack: stacks lie pages apart. */
static _Atomic(struct hold_record *) *bucket(pthread_t t) {
  uint64_t mixed = (uint64_t)t * 0x9e3779b97f4a7c15u;
  return &buckets[mixed >> 52];
}

struct hold_record *hold_find(pthread_t t) {
  struct hold_record *r = nth_load_acq(bucket(t)); /* B */
  while (r && r->thread != t)
    r = r->next;
  return r;
}

struct hold_record *hold_find_tid(int32_t tid) {
  for (size_t i = 0; i < BUCKETS; i++)
    for (struct hold_record *r = nth_load_acq(&buckets[i]); r; r = r->next)                /* B */
      if (nth_load_rlx(&r->tid) == tid && hold_kind(nth_load_acq(&r->state)) != HOLD_REAL) /* D */
        return r;
  return NULL;
}

struct hold_record *hold_claim(pthread_t t, const struct hold_errand *e,
                               struct hold_record *spare) {
  nth_mutex_lock(&hold_pool.lock);
  struct hold_record *r = hold_find(t);
  bool is_new = !r;
  if (is_new)
    r = spare;
  uint64_t generation = (nth_load_rlx(&r->state) >> 32) + 1;
  r->thread = t;
  r->errand = *e;
  nth_store_rlx(&r->joins, 0);
  nth_store_rlx(&r->joiner, 0);
  nth_store_rlx(&r->tid, 0);
  nth_store_rlx(&r->cpu, 0);
  nth_store_rlx(&r->order, HOLD_WAIT);
  nth_store_rel(&r->state,
                generation << 32 | HOLD_RUNS | (e->detached ? HOLD_DETACHED : 0)); /* D */
  if (is_new) {
    r->next = nth_load_rlx(bucket(t));
    nth_store_rel(bucket(t), r); /* B */
  }
  nth_mutex_unlock(&hold_pool.lock);
  if (!is_new)
    nth_heap_free(spare);
  return r;
}

/* --- the idle ones --- */

void hold_list(struct hold_record *r) {
  r->listed = true;
  r->older = hold_pool.newest;
  r->newer = NULL;
  *(hold_pool.newest ? &hold_pool.newest->newer : &hold_pool.oldest) = r;
  hold_pool.newest = r;
}

void hold_unlist(struct hold_record *r) {
  r->listed = false;
  *(r->newer ? &r->newer->older : &hold_pool.newest) = r->older;
  *(r->older ? &r->older->newer : &hold_pool.oldest) = r->newer;
}

bool hold_make_idle(struct hold_record *r, uint64_t state) {
  nth_mutex_lock(&hold_pool.lock);
  nth_store_rlx(&r->idle_since, nth_clock_ns());
  bool changed = !nth_load_rlx(&hold_pool.never) &&
                 nth_cas_acqrel(&r->state, &state, hold_with(state, HOLD_IDLE)); /* D */
  if (changed)
    hold_list(r);
  nth_mutex_unlock(&hold_pool.lock);
  return changed;
}

void hold_order_end(struct hold_record *r) {
  nth_store_rel(&r->order, HOLD_END); /* W */
  nth_futex_wake(&r->order, 1);
}

/* The OS thread of r, which the caller owns, ends; returns when it has. */
static void end(struct hold_record *r) {
  int old;
  nth_store_rel(&r->state, hold_with(nth_load_rlx(&r->state), HOLD_REAL)); /* D */
  hold_order_end(r);
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
  hold_real()->join(r->thread, NULL);
  pthread_setcancelstate(old, NULL);
}

struct hold_record *hold_take(const struct hold_errand *e) {
  for (;;) {
    nth_mutex_lock(&hold_pool.lock);
    struct hold_record *r = hold_pool.newest;
    while (r && (r->errand.stack != e->stack || r->errand.guard != e->guard ||
                 r->errand.which != e->which))
      r = r->older;
    if (r)
      hold_unlist(r);
    nth_mutex_unlock(&hold_pool.lock);
    if (!r || !(nth_load_acq(&r->state) & HOLD_SPOILT)) /* D */
      return r;
    end(r);
  }
}

bool hold_shed(void) {
  bool any = false;
  for (;;) {
    nth_mutex_lock(&hold_pool.lock);
    struct hold_record *r = hold_pool.newest;
    if (r)
      hold_unlist(r);
    nth_mutex_unlock(&hold_pool.lock);
    if (!r)
      return any;
    any = true;
    end(r);
  }
}

/* In the child only the calling thread is left. It is an ordinary thread from now on. */
void hold_forked(void) {
  struct hold_record *mine = hold_mine;
  nth_mutex_init(&hold_pool.lock);
  hold_pool.newest = hold_pool.oldest = NULL;
  hold_pool.has_traits = false;
  nth_store_rlx(&hold_pool.created, 0);
  nth_store_rlx(&hold_pool.made, 0);
  for (int i = 0; i < HOLD_REASONS; i++)
    nth_store_rlx(&hold_pool.real[i], 0);
  for (int i = 0; i < HOLD_ENDS; i++)
    nth_store_rlx(&hold_pool.ends[i], 0);
  for (size_t i = 0; i < BUCKETS; i++)
    for (struct hold_record *r = nth_load_acq(&buckets[i]); r; r = r->next) { /* B */
      uint64_t state = nth_load_rlx(&r->state);
      r->listed = false;
      nth_store_rlx(&r->state, hold_with(state & ~(uint64_t)UINT32_MAX, HOLD_REAL));
      if (r == mine && (state & HOLD_DETACHED))
        hold_real()->detach(pthread_self());
    }
}
