/* deps.h - what a descriptor waits for: a counter of dependences and a state, in one word
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         From "A Library Implementation of the Nano-Threads Programming Model" (Euro-Par
 *             1996), section 3: a nano-thread has a counter of unresolved dependences. The thread
 *             that resolves the last one must learn what to do next, and exactly one thread must:
 *             queue a nano-thread that has not started, resume one that is blocked, or wake a
 *             thread of the program's own that sleeps. That depends on the state. So state and
 *             counter are one word, and the change that makes the counter zero also reads the state
 *             and takes it.
 * Use         maker:     set(MADE, n). With n == 0 the thread that has the descriptor queues it:
 *                        set(READY, 0)
 *             OpenMP:    set(MADE, n) for a task, then last(): the runtime itself counts a task's
 *                        predecessors, and exactly
 *             anybody:   add() before the predecessors are made that resolve it; sub() when some
 *                        have finished
 *             runner:    set(RUNS, 0). block(), after which it goes on when it is resumed. At its
 *                        end set(FREE, 0)
 *             outside:   a thread of the program's own calls await(); until done() it polls, or
 *                        calls sleep(); then set(RUNS, 0)
 *             event:     set(COUNTS, n). The caller whose sub() returns READY does what the event
 *                        stands for
 * Extra one   block() and await() take one dependence off. It is the additional one of figures 4
 *             and 5 in the batches paper, which keeps the counter above zero while its owner runs.
 * Invariants  I1  a counter is at least the number of its unfinished predecessors, if the program
 *                 has counted these rightly. It never wraps: a sub() below zero is the program's
 *                 mistake, leaves zero and returns NOTHING
 *             I2  BLOCKED with counter 0 is never seen, and MADE with counter 0 only after last():
 *                 the change that would make them makes READY instead
 *             I3  of all sub(), last(), block() and await(), exactly one finds the counter at zero
 * Orders      A   word: sub's release -> the acquire of the last sub, block, await and done: what
 *                 the predecessors did; block's release -> sub's acquire: where to resume it. All
 *                 changes are read-modify-writes, so a later one carries an earlier one on. Only
 *                 last() stores, when all dependences that are left are its own: no other change
 *                 follows
 * Cost        sub: one compare-and-swap for any number of predecessors; last: a store, or one
 *             subtraction; set: a store
 * Tested by   tests/model/deps, tests/unit/nth.c
 */
#ifndef NTH_STRUCT_DEPS_H
#define NTH_STRUCT_DEPS_H

#include <errno.h>

#include "runtime/base/atomic.h"
#include "runtime/base/check.h"
#include "runtime/base/sleep.h"

enum nth_state {
  NTH_FREE,    /* in a pool */
  NTH_GOT,     /* in a batch, not created yet */
  NTH_MADE,    /* created, in no queue; if it waits, it is queued when its counter is zero */
  NTH_READY,   /* in a queue, or on its way to one */
  NTH_RUNS,    /* on a processor. A thread of the program's own, unless it waits */
  NTH_BLOCKED, /* it waits, and its processor runs others */
  NTH_AWAITS,  /* a thread of the program's own waits, awake */
  NTH_SLEEPS,  /* the same, asleep */
  NTH_COUNTS,  /* an event: nothing to run; it happens when the counter is zero */
};

enum { NTH_DEPS_SHIFT = 28 };
#define NTH_DEPS_MOST ((UINT32_C(1) << NTH_DEPS_SHIFT) - 1)

struct nth_deps {
  _Atomic(uint32_t) word; /* state << 28 | counter; w, r: all; A; futex word */
};

/* What the caller that found the counter at zero has to do. */
enum nth_deps_news {
  NTH_DEPS_NOTHING,
  NTH_DEPS_READY,  /* queue it: it has not started */
  NTH_DEPS_RESUME, /* resume it where it was */
  NTH_DEPS_WAKE,   /* wake its thread: nth_deps_sub() has done that */
};

static inline uint32_t nth_deps_pack(enum nth_state state, uint32_t count) {
  nth_assert(state <= NTH_COUNTS && count <= NTH_DEPS_MOST);
  return (uint32_t)state << NTH_DEPS_SHIFT | count;
}
static inline uint32_t nth_deps_count(uint32_t word) { return word & NTH_DEPS_MOST; }

static inline enum nth_state nth_deps_state(const struct nth_deps *d) {
  return (enum nth_state)(nth_load_rlx(&d->word) >> NTH_DEPS_SHIFT);
}

/* I2, and a state that cannot wait has no counter. */
static inline bool nth_deps_valid(const struct nth_deps *d) {
  uint32_t word = nth_load_rlx(&d->word), count = nth_deps_count(word);
  enum nth_state state = (enum nth_state)(word >> NTH_DEPS_SHIFT);
  return state <= NTH_COUNTS && (count == 0 || state >= NTH_MADE) &&
         (count != 0 || state != NTH_BLOCKED);
}

/* By the only thread that has it. */
static inline void nth_deps_set(struct nth_deps *d, enum nth_state state, uint32_t count) {
  nth_store_rlx(&d->word, nth_deps_pack(state, count));
}

/* Whether it is in this state and waits for nothing. */
static inline bool nth_deps_is(const struct nth_deps *d, enum nth_state state) {
  return nth_load_rlx(&d->word) == nth_deps_pack(state, 0);
}

/* It waits for n more. Returns 0; EINVAL: it is free, not created, or in a queue; EOVERFLOW. */
static inline int nth_deps_add(struct nth_deps *d, uint32_t n) {
  uint32_t word = nth_load_rlx(&d->word);
  do {
    uint32_t state = word >> NTH_DEPS_SHIFT;
    if (state < NTH_MADE || state == NTH_READY)
      return EINVAL;
    if (n > NTH_DEPS_MOST - nth_deps_count(word))
      return EOVERFLOW;
  } while (!nth_cas_rlx(&d->word, &word, word + n));
  return 0;
}

/* The counter has come to zero: changes *word, and returns what is to be done. */
static inline enum nth_deps_news nth_deps_at_zero(uint32_t *word) {
  switch ((enum nth_state)(*word >> NTH_DEPS_SHIFT)) {
  case NTH_MADE:
  case NTH_COUNTS: *word = nth_deps_pack(NTH_READY, 0); return NTH_DEPS_READY;
  case NTH_BLOCKED: *word = nth_deps_pack(NTH_READY, 0); return NTH_DEPS_RESUME;
  case NTH_SLEEPS: return NTH_DEPS_WAKE;
  default:
    return NTH_DEPS_NOTHING; /* a thread that is awake looks itself; all other states: a mistake of
                              * the program's */
  }
}

/* n predecessors have finished. Unless it returns READY or RESUME the descriptor may be gone. */
static inline enum nth_deps_news nth_deps_sub(struct nth_deps *d, uint32_t n) {
  nth_assert(n > 0);
  uint32_t word = nth_load_rlx(&d->word), next;
  enum nth_deps_news news;
  do {
    uint32_t count = nth_deps_count(word);
    if (count == 0)
      return NTH_DEPS_NOTHING; /* I1 */
    next = word - (n < count ? n : count);
    news = nth_deps_count(next) == 0 ? nth_deps_at_zero(&next) : NTH_DEPS_NOTHING;
  } while (!nth_cas_acqrel(&d->word, &word, next)); /* A */
  if (news == NTH_DEPS_WAKE)
    nth_rouse(&d->word, 1);
  return news;
}

/* n predecessors have finished, of a descriptor whose predecessors the runtime alone counts, and
 * exactly. True: they were the last. If not, or if a thread waits for the zero, the descriptor may
 * be gone. */
static inline bool nth_deps_last(struct nth_deps *d, uint32_t n) {
  uint32_t word = nth_load_acq(&d->word); /* A */
  nth_assert(n > 0 && nth_deps_count(word) >= n);
  if (nth_deps_count(word) == n) {
    nth_store_rel(&d->word, word - n); /* A */
    return true;
  }
  return nth_deps_count(nth_sub_acqrel(&d->word, n)) == n; /* A */
}

/* Owner, while it runs: takes the extra dependence off, and waits for the others in the given
 * state. 0: it waits; EALREADY: there are no others, it goes on; EINVAL: there was not even the
 * extra one. */
static inline int nth_deps_leave(struct nth_deps *d, enum nth_state state) {
  uint32_t word = nth_load_rlx(&d->word), next;
  do {
    nth_assert(word >> NTH_DEPS_SHIFT == NTH_RUNS); /* its owner alone changes that */
    uint32_t left = nth_deps_count(word);
    if (left == 0)
      return EINVAL;
    next = left == 1 ? nth_deps_pack(NTH_RUNS, 0) : nth_deps_pack(state, left - 1);
  } while (!nth_cas_acqrel(&d->word, &word, next)); /* A */
  return next == nth_deps_pack(NTH_RUNS, 0) ? EALREADY : 0;
}

/* A nano-thread is about to leave its processor. From now on it may be in the list of those to
 * resume. */
static inline int nth_deps_block(struct nth_deps *d) { return nth_deps_leave(d, NTH_BLOCKED); }

/* --- a thread of the program's own, which keeps its OS thread --- */

static inline int nth_deps_await(struct nth_deps *d) { return nth_deps_leave(d, NTH_AWAITS); }

static inline bool nth_deps_done(struct nth_deps *d) {
  return nth_deps_count(nth_load_acq(&d->word)) == 0; /* A */
}

/* Sleeps until it may be done, or the time is over. timeout: ns, 0: no limit. */
static inline void nth_deps_sleep(struct nth_deps *d, uint64_t timeout_ns) {
  uint32_t word = nth_load_rlx(&d->word), asleep;
  do {
    if (nth_deps_count(word) == 0)
      return;
    nth_assert(word >> NTH_DEPS_SHIFT == NTH_AWAITS || word >> NTH_DEPS_SHIFT == NTH_SLEEPS);
    asleep = nth_deps_pack(NTH_SLEEPS, nth_deps_count(word));
  } while (!nth_cas_rlx(&d->word, &word, asleep));
  nth_sleep(&d->word, asleep, timeout_ns);
}

#endif
