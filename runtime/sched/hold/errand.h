/* errand.h - what tholder_create() makes: a function that a held OS thread runs, and its result
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A created thread is joined by memory, not by the end of an OS thread: the errand has
 *             its state and its result. A program knows it by a number, so that a number that is
 *             out of date, or was never given out, can be told from a good one.
 * Use         nth_errand_new(); nth_errand_of(number) and the functions of tholder.h;
 *             nth_errand_free() by whoever takes the result, or by the last user of a detached one
 * State       one word: generation << 32 | flags | kind. The generation changes when the errand is
 *             freed. So a CAS on the word fails for whoever has the number of an earlier use.
 *
 *               FREE -> QUEUED -> RUNS -> DONE -> FREE    its OS thread goes on to the next errand
 *                         |         `---> ENDS -> FREE    its OS thread ends, and is joined itself
 *                         `-> FREE                        no thread could be had for it
 *               FREE -> FOREIGN -> FREE                   a thread that was made in another way
 *
 * Invariants  I1  an errand is in the list of free ones exactly while it is FREE
 *             I2  JOINED is set by one thread, which alone frees the errand, or unsets JOINED;
 *                 an errand with DETACHED never gets JOINED
 *             I3  while CANCELLING is set, `thread` is the thread that runs the errand, and that
 *                 thread does not leave RUNS. The canceller may be that thread itself, so no
 *                 cancellation acts on a canceller before it has taken CANCELLING off
 *             I4  memory of errands is never given back: an old number finds an errand, and then
 *                 another generation
 *             I5  of an errand that ENDS, GONE (its thread) and DETACHED (a detacher) are set once
 *                 each; whoever sets the second one frees it, if it is not joined
 * Orders      R   the store of RUNS -> cancellers that read `thread`
 *             D   the change to DONE or ENDS releases `result`, `thread` and what the errand has
 *                 written -> the joiner's acquire
 *             T   the store of `ending` -> a joiner
 *             G   the store of a segment's address -> nth_errand_of()
 *             C   a canceller that takes CANCELLING off releases what it did with `thread` -> the
 *                 change to DONE or ENDS, after which the thread may be gone
 * Cost        two lines an errand; a lock each for new and free
 * Tested by   tests/unit/errand.c, tests/unit/held_threads.c, tests/model/held,
 *             tests/lit/tholder
 */
#ifndef NTH_SCHED_ERRAND_H
#define NTH_SCHED_ERRAND_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/atomic.h"
#include "runtime/base/config.h"
#include "runtime/sched/hold/traits.h"

enum nth_errand_kind {
  NTH_ERRAND_FREE,
  NTH_ERRAND_QUEUED,
  NTH_ERRAND_RUNS,
  NTH_ERRAND_DONE,
  NTH_ERRAND_ENDS,
  NTH_ERRAND_FOREIGN
};
/*   DETACHED    nobody will join it
 *   JOINED      a thread is joining it
 *   AWAITED     that thread may sleep on the word
 *   CANCELLED   its thread was asked to end, or will be when it runs
 *   CANCELLING  the request is under way
 *   GONE        ENDS, and its thread will not look at it any more */
enum {
  NTH_ERRAND_KIND = 7,
  NTH_ERRAND_DETACHED = 8,
  NTH_ERRAND_JOINED = 16,
  NTH_ERRAND_AWAITED = 32,
  NTH_ERRAND_CANCELLED = 64,
  NTH_ERRAND_CANCELLING = 128,
  NTH_ERRAND_GONE = 256
};

struct nth_errand {
  _Alignas(NTH_APART) _Atomic(uint64_t) state; /* its lower half is a futex word; w, r: anybody */
  uint32_t index;                              /* where it lies; set once */
  bool own;                                    /* it has an OS thread for itself; w: its maker */
  bool ends;                                   /* its OS thread ends with it; w: its maker */
  bool carries;                                /* its joiner may run it (carried.h); w: its maker */
  uint64_t made_at;                            /* ns, of one that carries; w: its maker */
  bool timed;                                  /* its end counts for lasts_ns; w: its maker */
  void *(*start)(void *);                      /* w: its maker; r: its thread */
  void *argument;
  void *result;                  /* D; w: its thread */
  pthread_t thread;              /* R, D; w: its thread */
  _Atomic(pthread_t) ending;     /* the OS thread that ends with it, once it has begun; 0: not yet,
                                  * or none; T; w: its thread; r: its joiner */
  _Atomic(uint64_t) joins;       /* the number of the thread that it is joining, 0: none; w: its
                                  * thread; a hint */
  struct nth_traits_given given; /* w: its maker */
  struct nth_errand *next, *previous; /* in the queue (held.h), or the list of free ones */
  bool queued;                        /* it is in the queue; in the lock of held.h */
};

static inline uint32_t nth_errand_kind(uint64_t state) { return state & NTH_ERRAND_KIND; }
static inline uint32_t nth_errand_generation(uint64_t state) { return (uint32_t)(state >> 32); }
/* Whether an errand in this state is the one with this number. */
static inline bool nth_errand_is(uint64_t state, uint64_t number) {
  return nth_errand_kind(state) != NTH_ERRAND_FREE &&
         nth_errand_generation(state) == (uint32_t)(number >> 32);
}

/* The futex word: the lower half of the state. */
static inline _Atomic(uint32_t) *nth_errand_word(struct nth_errand *e) {
  _Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the lower half comes first");
  return (_Atomic(uint32_t) *)(void *)&e->state;
}

/* A new errand of this kind, with these flags; NULL: no memory, or too many. */
struct nth_errand *nth_errand_new(enum nth_errand_kind kind, uint32_t flags);
void nth_errand_free(struct nth_errand *e);

/* The number by which the program knows it, never 0. While it is not free. */
uint64_t nth_errand_number(const struct nth_errand *e);
/* The errand with this number, and its state; NULL: there is none (any more). */
struct nth_errand *nth_errand_of(uint64_t number, uint64_t *state);

/* The calling thread has e and runs it from now on. If e was cancelled before, so is the thread. */
void nth_errand_start(struct nth_errand *e);
/* Its function has returned, and the calling thread goes on to other errands. False: the thread was
 * asked to end, and nothing has changed. A detached errand is free. */
bool nth_errand_done(struct nth_errand *e);
/* The calling thread, which runs e, ends. */
void nth_errand_ends(struct nth_errand *e);

/* Of the calling thread; NULL: it has none yet. */
struct nth_errand *nth_errand_mine(void);
/* Says which errand the calling thread has; NULL: none. At the thread's end it is freed if it is
 * FOREIGN, or ENDS and detached. 0 or an errno value. */
int nth_errand_become(struct nth_errand *e);

/* The calling thread, which runs no errand, has none any more either. */
void nth_errand_forget(void);

/* In the child of a fork: all errands but the calling thread's are gone. */
void nth_errand_forked(void);

#endif
