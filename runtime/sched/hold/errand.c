/* errand.c - what tholder_create() makes: a function that a held OS thread runs, and its result
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/sched/hold/errand.h"

#include <stddef.h>

#include "runtime/arch/section.h"
#include "runtime/base/check.h"
#include "runtime/base/futex.h"
#include "runtime/mem/heap.h"
#include "runtime/struct/mutex.h"

/* Errands lie in segments, so that their numbers lead to them. */
static struct {
  struct nth_mutex lock;
  struct nth_errand *unused; /* in the lock */
  uint32_t segments;         /* in the lock */
} errands;
static _Atomic(struct nth_errand *) segment[NTH_ERRAND_SEGMENTS] NTH_SPARSE; /* w: in the lock; G */

static pthread_key_t key;
static int key_error;
static pthread_once_t key_once = PTHREAD_ONCE_INIT;

/* The end of a thread. */
static void leave(void *arg) {
  struct nth_errand *e = arg;
  uint64_t state = nth_load_rlx(&e->state);
  bool over = nth_errand_kind(state) == NTH_ERRAND_FOREIGN;
  if (nth_errand_kind(state) == NTH_ERRAND_ENDS)                            /* I5 */
    over = nth_or_acqrel(&e->state, NTH_ERRAND_GONE) & NTH_ERRAND_DETACHED; /* D */
  if (over)
    nth_errand_free(e);
}

static void make_key(void) { key_error = pthread_key_create(&key, leave); }

/* One more segment of free errands; false: no memory, or too many. In the lock. */
static bool grow(void) {
  nth_assert(nth_mutex_is_held(&errands.lock) && !errands.unused);
  if (errands.segments == NTH_ERRAND_SEGMENTS)
    return false;
  struct nth_errand *all = nth_heap_alloc(NTH_ERRAND_SEGMENT * sizeof *all);
  if (!all)
    return false;
  uint32_t first = errands.segments * NTH_ERRAND_SEGMENT;
  for (uint32_t i = NTH_ERRAND_SEGMENT; i-- > 0;) {
    all[i].index = first + i;
    all[i].next = errands.unused;
    errands.unused = &all[i];
  }
  nth_store_rel(&segment[errands.segments], all); /* G */
  errands.segments++;
  return true;
}

struct nth_errand *nth_errand_new(enum nth_errand_kind kind, uint32_t flags) {
  nth_assert(kind != NTH_ERRAND_FREE && !(flags & NTH_ERRAND_KIND));
  nth_mutex_lock(&errands.lock);
  struct nth_errand *e = errands.unused || grow() ? errands.unused : 0;
  if (e)
    errands.unused = e->next;
  nth_mutex_unlock(&errands.lock);
  if (!e)
    return 0;
  uint64_t free = nth_load_rlx(&e->state);
  nth_assert(nth_errand_kind(free) == NTH_ERRAND_FREE); /* I1 */
  e->next = e->previous = 0;
  e->own = e->ends = e->queued = e->carries = e->timed = false;
  nth_store_rlx(&e->ending, 0);
  nth_store_rlx(&e->joins, 0);
  nth_store_rlx(&e->state, free | kind | flags);
  return e;
}

void nth_errand_free(struct nth_errand *e) {
  uint64_t state = nth_load_rlx(&e->state);
  nth_assert(nth_errand_kind(state) != NTH_ERRAND_FREE && !(state & NTH_ERRAND_CANCELLING));
  nth_store_rlx(&e->state, (uint64_t)(nth_errand_generation(state) + 1) << 32);
  nth_mutex_lock(&errands.lock);
  e->next = errands.unused;
  errands.unused = e;
  nth_mutex_unlock(&errands.lock);
}

uint64_t nth_errand_number(const struct nth_errand *e) {
  uint64_t state = nth_load_rlx(&e->state);
  nth_assert(nth_errand_kind(state) != NTH_ERRAND_FREE);
  return (uint64_t)nth_errand_generation(state) << 32 | (e->index + 1);
}

struct nth_errand *nth_errand_of(uint64_t number, uint64_t *state) {
  uint32_t index = (uint32_t)number - 1; /* of 0: too large */
  if (index >= NTH_ERRAND_SEGMENT * NTH_ERRAND_SEGMENTS)
    return 0;
  struct nth_errand *all = nth_load_acq(&segment[index / NTH_ERRAND_SEGMENT]); /* G */
  struct nth_errand *e = all ? &all[index % NTH_ERRAND_SEGMENT] : 0;
  if (!e)
    return 0;
  *state = nth_load_acq(&e->state); /* D */
  return nth_errand_is(*state, number) ? e : 0;
}

enum { MANY_LOOKS = 100 };

/* Changes the kind, and leaves the flags. Returns the state before. */
static uint64_t change(struct nth_errand *e, uint32_t from, uint32_t to) {
  uint64_t state = nth_load_rlx(&e->state);
  do {
    for (int looks = 0; state & NTH_ERRAND_CANCELLING; looks++) { /* I3 */
      nth_pause();
      if (looks >= MANY_LOOKS) /* this thread may be on the CPU that the canceller waits for */
        nth_futex_wait(nth_errand_word(e), (uint32_t)state, NTH_UNSURE_NS);
      state = nth_load_rlx(&e->state);
    }
    nth_assert(nth_errand_kind(state) == from);
  } while (!nth_cas_acqrel(&e->state, &state, state + to - from)); /* R, D, C */
  return state;
}

void nth_errand_start(struct nth_errand *e) {
  nth_assert(e->start && !e->queued);
  (void)nth_errand_become(e);
  e->thread = pthread_self();
  if (e->ends)
    nth_store_rel(&e->ending, e->thread); /* T */
  if (change(e, NTH_ERRAND_QUEUED, NTH_ERRAND_RUNS) & NTH_ERRAND_CANCELLED)
    (void)pthread_cancel(e->thread);
}

bool nth_errand_done(struct nth_errand *e) {
  uint64_t state = nth_load_rlx(&e->state);
  do {
    if (state & NTH_ERRAND_CANCELLED)
      return false;
    nth_assert(nth_errand_kind(state) == NTH_ERRAND_RUNS);
  } while (!nth_cas_rel(&e->state, &state, state + NTH_ERRAND_DONE - NTH_ERRAND_RUNS)); /* D */
  if (state & NTH_ERRAND_DETACHED)
    nth_errand_free(e);
  else if (state & NTH_ERRAND_AWAITED)
    nth_futex_wake(nth_errand_word(e), 1);
  return true;
}

void nth_errand_ends(struct nth_errand *e) {
  nth_assert(pthread_equal(e->thread, pthread_self()));
  uint64_t state = change(e, NTH_ERRAND_RUNS, NTH_ERRAND_ENDS);
  if (state & NTH_ERRAND_DETACHED)
    (void)pthread_detach(pthread_self());
  else if (state & NTH_ERRAND_AWAITED)
    nth_futex_wake(nth_errand_word(e), 1);
}

struct nth_errand *nth_errand_mine(void) {
  pthread_once(&key_once, make_key);
  return key_error == 0 ? pthread_getspecific(key) : 0;
}

int nth_errand_become(struct nth_errand *e) {
  pthread_once(&key_once, make_key);
  return key_error == 0 ? pthread_setspecific(key, e) : key_error;
}

void nth_errand_forget(void) {
  struct nth_errand *e = nth_errand_mine();
  if (!e)
    return;
  nth_assert(nth_errand_kind(nth_load_rlx(&e->state)) == NTH_ERRAND_FOREIGN);
  (void)nth_errand_become(0);
  nth_errand_free(e);
}

NTH_IN_CHILD void nth_errand_forked(void) {
  nth_mutex_init(&errands.lock);
  errands.unused = 0;
  if (errands.segments == 0)
    return;
  struct nth_errand *mine = nth_errand_mine(), *all;
  errands.segments = 0; /* as many as are there: another thread may have been adding one */
  while (errands.segments < NTH_ERRAND_SEGMENTS &&
         (all = nth_load_rlx(&segment[errands.segments])) != 0) {
    errands.segments++;
    for (uint32_t i = 0; i < NTH_ERRAND_SEGMENT; i++) {
      struct nth_errand *e = &all[i];
      uint64_t state = nth_load_rlx(&e->state);
      if (e == mine) { /* its canceller is gone */
        nth_store_rlx(&e->state, state & ~(uint64_t)NTH_ERRAND_CANCELLING);
        continue;
      }
      uint64_t gone = nth_errand_kind(state) != NTH_ERRAND_FREE;
      nth_store_rlx(&e->state, (nth_errand_generation(state) + gone) << 32);
      e->next = errands.unused;
      errands.unused = e;
    }
  }
}
