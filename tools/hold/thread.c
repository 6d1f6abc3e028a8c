/* thread.c - a held OS thread: it runs created threads, waits, ends
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include <dlfcn.h>
#include <errno.h>
#include <netdb.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#include "runtime/arch/switch.h"
#include "runtime/base/clock.h"
#include "runtime/base/futex.h"
#include "runtime/base/syscall.h"
#include "runtime/mem/heap.h"
#include "tools/hold/hold.h"

__thread struct hold_record *hold_mine;
__thread bool hold_mine_ends;
__thread struct timeval hold_usage[2];

/* An OS thread's own; on its stack. */
struct held {
  struct hold_record *record;
  struct nth_fresh fresh;
  struct nth_traits traits; /* with which it began */
};

void hold_give(struct nth_traits_given *g) {
  g->control = nth_switch_control();
  g->raised = nth_float_flags();
  g->mask = nth_traits_mask();
}

void hold_never(enum hold_reason why) {
  uint32_t none = 0;
  (void)nth_cas_rlx(&hold_pool.never, &none, (uint32_t)why + 1);
}

void hold_touched(struct hold_record *r) {
  uint64_t state = nth_load_acq(&r->state); /* D */
  while (hold_kind(state) > HOLD_RUNS && !(state & HOLD_SPOILT))
    if (nth_cas_acqrel(&r->state, &state, state | HOLD_SPOILT)) /* D */
      return;
}

/* --- the end of a created thread --- */

static void count_end(enum hold_end why) { nth_add_rlx(&hold_pool.ends[why], 1); }

/* From now on the OS thread is the C library's alone. */
static void become_real(struct hold_record *r, enum hold_end why) {
  uint64_t state = nth_load_rlx(&r->state);
  do {
    if (hold_kind(state) == HOLD_REAL) /* in a forked child */
      return;
  } while (!nth_cas_acqrel(&r->state, &state, hold_with(state, HOLD_REAL))); /* D */
  count_end(why);
  if (state & HOLD_DETACHED)
    hold_real()->detach(pthread_self());
  else if (state & HOLD_AWAITED)
    nth_futex_wake(hold_word(r), 1);
}

/* The thread was cancelled, or calls pthread_exit(). */
static void leave(void *arg) {
  struct held *h = arg;
  nth_fresh_end(&h->fresh);
  become_real(h->record, HOLD_END_EXIT);
}

static bool has_signals(void) {
  uint64_t pending = 0;
  nth_syscall(SYS_rt_sigpending, (long)&pending, sizeof pending, 0, 0, 0);
  return (pending & NTH_TRAITS_BLOCKED) != 0;
}

/* What the C library keeps for a thread. */
static void clear_library(void) {
  while (dlerror())
    ;
  h_errno = 0;
}

/* A name of the thread's own can be taken back. */
static void restore_name(const struct held *h, uint32_t which) {
  char now[16] = "";
  if (!(which & NTH_TRAIT_NAME))
    return;
  (void)prctl(PR_GET_NAME, now);
  if (strncmp(now, h->traits.name, sizeof now) != 0)
    (void)prctl(PR_SET_NAME, h->traits.name);
}

/* Why the OS thread cannot run another thread; HOLD_ENDS: it can. */
static enum hold_end why_ends(struct held *h) {
  uint32_t which = nth_fresh_look();
  if (nth_load_rlx(&hold_pool.never) || (which & (NTH_TRAIT_NEVER | NTH_TRAIT_ABROAD)))
    return HOLD_END_NEVER;
  if (hold_mine_ends)
    return HOLD_END_DESTRUCTOR;
  if (has_signals())
    return HOLD_END_SIGNAL;
  if ((which & ~(uint32_t)NTH_TRAITS_THREADS_OWN) != h->record->errand.which)
    return HOLD_END_DATA; /* more can have changed than was looked at before */
  restore_name(h, which);
  if (h->fresh.born[0] || !nth_fresh_again(&h->fresh, which))
    return HOLD_END_DATA;
  clear_library();
  return HOLD_ENDS;
}

/* CLOSES -> DONE, or IDLE if it is detached. False: another thread has spoilt it. */
static bool become_done(struct hold_record *r) {
  nth_store_rlx(&r->order, HOLD_WAIT);
  nth_store_rlx(&r->idle_since, nth_clock_ns());
  uint64_t state = nth_load_rlx(&r->state);
  for (;;) {
    if ((state & HOLD_SPOILT) || hold_kind(state) != HOLD_CLOSES || nth_load_rlx(&hold_pool.never))
      return false;
    if (state & HOLD_DETACHED) { /* nobody else changes it but to spoil it */
      if (hold_make_idle(r, state))
        return true;
      state = nth_load_rlx(&r->state);
      continue;
    }
    uint64_t next = hold_with(state & ~(uint64_t)HOLD_AWAITED, HOLD_DONE);
    if (!nth_cas_acqrel(&r->state, &state, next)) /* D */
      continue;
    if (state & HOLD_AWAITED)
      nth_futex_wake(hold_word(r), 1);
    return true;
  }
}

/* The function has ended. False: the OS thread ends, too. */
static bool close_thread(struct held *h) {
  struct hold_record *r = h->record;
  uint64_t mask = nth_traits_block(), state = nth_load_rlx(&r->state);
  enum hold_end why = HOLD_END_SPOILT;
  bool closes = false;
  while (!closes && hold_kind(state) == HOLD_RUNS && !(state & HOLD_SPOILT))
    closes = nth_cas_acqrel(&r->state, &state, hold_with(state, HOLD_CLOSES)); /* D */
  if (closes)
    why = why_ends(h);
  if (closes && why == HOLD_ENDS) {
    if (become_done(r))
      return true;
    why = HOLD_END_SPOILT;
  }
  nth_fresh_end(&h->fresh);
  become_real(r, why);
  nth_traits_set_mask(mask); /* destructors at the OS thread's end find the thread's own */
  return false;
}

/* --- between two created threads --- */

/* It has waited for too long. True: it ends. */
static bool is_late(struct hold_record *r, uint64_t state) {
  if (hold_kind(state) == HOLD_DONE) {
    if (!nth_cas_acqrel(&r->state, &state, hold_with(state, HOLD_REAL))) /* D */
      return false;
    count_end(HOLD_END_LATE);
    if (state & HOLD_AWAITED)
      nth_futex_wake(hold_word(r), 1);
    return true;
  }
  nth_mutex_lock(&hold_pool.lock);
  bool ends = r->listed;
  if (ends) {
    hold_unlist(r);
    nth_store_rel(&r->state, hold_with(nth_load_rlx(&r->state), HOLD_REAL)); /* D */
  }
  nth_mutex_unlock(&hold_pool.lock);
  if (ends)
    hold_real()->detach(pthread_self());
  return ends;
}

/* Waits for the next created thread; false: the OS thread ends. */
static bool await_order(struct hold_record *r) {
  for (;;) {
    uint32_t order = nth_load_acq(&r->order); /* W */
    if (order != HOLD_WAIT)
      return order == HOLD_RUN;
    uint64_t state = nth_load_acq(&r->state); /* D */
    uint64_t keep = hold_kind(state) == HOLD_DONE ? HOLD_LATE_NS : HOLD_IDLE_NS;
    uint64_t waited = nth_clock_ns() - nth_load_rlx(&r->idle_since);
    if (hold_kind(state) >= HOLD_DONE && waited >= keep) {
      if (is_late(r, state))
        return false;
      waited = keep - HOLD_LATE_NS; /* another thread has just got it, and will say */
    }
    (void)nth_futex_wait(&r->order, HOLD_WAIT, waited < keep ? keep - waited : keep);
  }
}

/* What earlier threads have used of the CPU is not the next one's. */
static void note_used(struct hold_record *r) {
  struct timespec t;
  struct rusage u;
  nth_syscall(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, (long)&t, 0, 0, 0);
  nth_store_rlx(&r->cpu, (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec);
  nth_syscall(SYS_getrusage, RUSAGE_THREAD, (long)&u, 0, 0, 0);
  hold_usage[0] = u.ru_utime;
  hold_usage[1] = u.ru_stime;
}

/* --- the OS thread --- */

static void run(struct held *h) {
  struct hold_record *r = h->record;
  pthread_cleanup_push(leave, h);
  r->result = r->errand.start(r->errand.argument);
  pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, NULL);
  pthread_cleanup_pop(0);
}

void *hold_main(void *birth) {
  struct hold_birth *b = birth;
  struct held h;
  nth_fresh_begin(&h.fresh, &b->traits);
  h.traits = b->traits;
  while (!nth_load_acq(&b->go)) /* W */
    nth_futex_wait(&b->go, 0, 0);
  hold_mine = h.record = b->record;
  nth_heap_free(b);
  nth_store_rlx(&h.record->tid, (int32_t)nth_syscall(SYS_gettid, 0, 0, 0, 0, 0));
  for (;;) {
    run(&h);
    if (!close_thread(&h))
      return h.record->result;
    if (!await_order(h.record))
      break;
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
    note_used(h.record);
    nth_fresh_start(&h.fresh, &h.record->errand.given);
    nth_traits_set_mask(h.record->errand.given.mask);
  }
  nth_fresh_end(&h.fresh);
  return h.record->result;
}
