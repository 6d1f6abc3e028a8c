/* hold.h - serves an unmodified program's threads from OS threads that are held
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         `nanogomp run --hold-threads` gives a program of pthread_create() what programs of
 *             nanogomp/tholder.h have. The program knows its threads by pthread_t, and passes it to
 *             any function of the C library. So a created thread is a real OS thread from its
 *             creation to its join, and has that OS thread's pthread_t.
 * How         This library is preloaded. pthread_create() takes an idle OS thread of the pool, or
 *             makes one. When the thread's function has ended, the OS thread waits until it has
 *             been joined, or goes back to the pool at once if it is detached. The runtime's
 *             fresh.h makes it as new. Where that cannot be done, it ends, and is joined as any
 *             thread.
 * Records     one for each pthread_t that a held OS thread has ever had; found by pthread_t without
 *             a lock, as pthread_kill() may be called by a signal handler. Never freed
 * State       generation << 32 | flags | kind; the lower half is the joiner's futex word
 *
 *               REAL     not ours: every call goes to the C library
 *               RUNS     runs a created thread
 *               CLOSES   its function has ended; the OS thread looks whether it can be used again
 *               DONE     it can, but has not been joined
 *               IDLE     in the pool
 *
 *               IDLE -> RUNS -> CLOSES -> DONE -> IDLE    detached: CLOSES -> IDLE
 *               each of them -> REAL                      the OS thread ends
 *
 * Invariants  I1  a change to REAL is made by the OS thread itself, by the joiner (DONE), or by
 *                 whoever takes it from the pool (IDLE); who makes it sees to it that the OS thread
 *                 is joined or detached in the C library
 *             I2  an OS thread in the pool's list is IDLE; who takes it off the list owns it
 *             I3  JOINED is set by one thread, which alone takes the result
 * Signals     From CLOSES to RUNS all are blocked but the C library's own two: none may reach a
 *             thread that does not exist for the program
 * Late        A thread that is DONE for HOLD_LATE_NS ends. So one that is joined behind our back
 *             (by an object that was bound without this library) is joined, too, if a little later
 * Orders      D   the state's changes release, its readers acquire
 *             W   `order` releases the errand -> the OS thread
 *             B   a bucket's head releases the record
 *             K   known -> its readers: the C library's functions have been looked up
 *             J   `joins` is written before the other's is read: two threads that join each other
 *                 do not both miss it [one fence: each of the two passes this one]
 * Tested by   tests/lit/hold, tests/tool/test_hold.py
 */
#ifndef NTH_HOLD_H
#define NTH_HOLD_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/time.h>

#include "runtime/base/atomic.h"
#include "runtime/sched/hold/fresh.h"
#include "runtime/struct/mutex.h"

enum hold_kind { HOLD_REAL, HOLD_RUNS, HOLD_CLOSES, HOLD_DONE, HOLD_IDLE };
enum {
  HOLD_KIND = 7,
  HOLD_DETACHED = 8,
  HOLD_JOINED = 16,
  HOLD_AWAITED = 32, /* its joiner may sleep on the word */
  HOLD_SPOILT = 64   /* the OS thread must not be used again */
};
enum { HOLD_WAIT, HOLD_RUN, HOLD_END };

/* Time after which a thread that nobody joins, and an idle one, end. About 1000 times what a new
 * thread costs: then ends and new threads cost 0.1 % of the time. */
#define HOLD_LATE_NS 500000000u
#define HOLD_IDLE_NS 1000000000u
/* A smaller stack is not used again: this library needs some of it. */
#define HOLD_LEAST_STACK 65536u

/* What a held thread is asked to do, and with what attributes its OS thread was made. */
struct hold_errand {
  void *(*start)(void *);
  void *argument;
  struct nth_traits_given given;
  size_t stack, guard;
  uint32_t which; /* NTH_TRAIT_ bits that its creator's traits were read with */
  bool detached;
};

struct hold_record {
  _Alignas(NTH_APART) _Atomic(uint64_t) state; /* D */
  _Atomic(uint32_t) order;                     /* futex word of its OS thread; W */
  _Atomic(int32_t) tid;                        /* w: its OS thread */
  _Atomic(pthread_t) joins, joiner;  /* whom it joins; who joins it, 0: none. Hints for EDEADLK */
  pthread_t thread;                  /* set once */
  struct hold_record *next;          /* in its bucket; set once */
  struct hold_record *older, *newer; /* in the pool's list; in its lock */
  bool listed;                       /* in the lock */
  _Atomic(uint64_t) idle_since;      /* ns; w: who makes it DONE or IDLE */
  struct hold_errand errand;         /* W */
  void *result;                      /* D */
  _Atomic(uint64_t) cpu;             /* CPU time of earlier threads on the OS thread, ns */
};

/* Why a created thread got an OS thread for itself. */
enum hold_reason {
  HOLD_ATTRIBUTES,
  HOLD_CREATOR,
  HOLD_IMPORTS,
  HOLD_CALLED,
  HOLD_MAIN_OVER,
  HOLD_MEMORY,
  HOLD_TOOL,
  HOLD_NO_ROOM,
  HOLD_FORKED,
  HOLD_REASONS
};
/* Why an OS thread ended after a created thread. */
enum hold_end {
  HOLD_END_EXIT,
  HOLD_END_DATA,
  HOLD_END_DESTRUCTOR,
  HOLD_END_SPOILT,
  HOLD_END_SIGNAL,
  HOLD_END_NEVER,
  HOLD_END_LATE,
  HOLD_ENDS
};

struct hold_pool {
  struct nth_mutex lock;
  struct hold_record *newest, *oldest; /* idle ones; in the lock */
  uint32_t which;                      /* NTH_TRAIT_ bits with which `traits` were read */
  bool has_traits;
  struct nth_traits traits; /* of the first creator that had these bits */
  _Atomic(uint32_t) never;  /* enum hold_reason + 1: no thread is held from now on; 0: none */
  _Atomic(uint64_t) created, made;
  _Atomic(uint64_t) real[HOLD_REASONS], ends[HOLD_ENDS];
};
extern struct hold_pool hold_pool;

/* The C library's functions of these names. */
struct hold_real {
  int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  int (*join)(pthread_t, void **);
  int (*tryjoin)(pthread_t, void **);
  int (*timedjoin)(pthread_t, void **, const struct timespec *);
  int (*clockjoin)(pthread_t, void **, clockid_t, const struct timespec *);
  int (*detach)(pthread_t);
};
const struct hold_real *hold_real(void);

static inline enum hold_kind hold_kind(uint64_t state) { return state & HOLD_KIND; }
static inline uint64_t hold_with(uint64_t state, enum hold_kind kind) {
  return (state & ~(uint64_t)HOLD_KIND) | kind;
}
static inline _Atomic(uint32_t) *hold_word(struct hold_record *r) {
  _Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the lower half comes first");
  return (_Atomic(uint32_t) *)(void *)&r->state;
}

/* --- records.c --- */

/* NULL: none. Without a lock. */
struct hold_record *hold_find(pthread_t t);
/* The record of a new OS thread, which will run e. spare: memory for it, which is freed if there is
 * one from an earlier OS thread. */
struct hold_record *hold_claim(pthread_t t, const struct hold_errand *e, struct hold_record *spare);
/* An idle one that was made with e's attributes; NULL: none. The caller owns it. */
struct hold_record *hold_take(const struct hold_errand *e);
/* r goes into the list of idle ones, or out of it. In the lock. */
void hold_list(struct hold_record *r);
void hold_unlist(struct hold_record *r);
/* r becomes IDLE; false: its state has changed, or no thread is held any more. */
bool hold_make_idle(struct hold_record *r, uint64_t state);
/* The OS thread of r, which is REAL by the caller, ends soon. */
void hold_order_end(struct hold_record *r);
/* Ends all idle OS threads; false: there was none. */
bool hold_shed(void);
void hold_forked(void);
/* By its number (gettid). */
struct hold_record *hold_find_tid(int32_t tid);

/* --- thread.c --- */

extern __thread struct hold_record *hold_mine; /* of the calling thread; NULL: it is not held */
extern __thread bool hold_mine_ends;           /* it has destructors for its end */
extern __thread struct timeval hold_usage[2];  /* user, system time of earlier threads on it */

/* From the creator of an OS thread to that OS thread, which frees it. */
struct hold_birth {
  _Atomic(uint32_t) go; /* futex word; 1: `record` is there, and the program knows the pthread_t */
  struct hold_record *record;
  struct nth_traits traits;
};
void *hold_main(void *birth);
/* What the caller's new threads inherit. */
void hold_give(struct nth_traits_given *g);
/* No thread is held from now on. */
void hold_never(enum hold_reason why);
/* The OS thread of r, unless it still runs a created thread, has been changed by another one. */
void hold_touched(struct hold_record *r);

#endif
