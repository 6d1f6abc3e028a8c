/* held_inside.h - what the files of held threads share
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The rules are in held.h. held.c has the queue and the lists, and what creators and joiners do;
 * held_thread.c what a held thread does; lend.c what it does for teams.
 */
#ifndef NTH_SCHED_HELD_INSIDE_H
#define NTH_SCHED_HELD_INSIDE_H

#include "runtime/sched/hold/fresh.h"
#include "runtime/sched/hold/held.h"
#include "runtime/sched/wait/wait.h"
#include "runtime/struct/mutex.h"

/* LOOKS: it is idle, and looks at once what has changed. While it is in the list of idle ones the
 * word is written in the lock; the waker, who has taken it out of the list, writes AWAKE last. */
enum {
  NTH_HELD_AWAKE = 0,
  NTH_HELD_IDLE = 1,
  NTH_HELD_LOOKS = 2,
  NTH_HELD_CARRIED = 3, /* a joiner uses its stack and TLS (carried.h) */
  NTH_HELD_RETURNS = 4, /* it goes on with the errand that a joiner has begun */
  NTH_HELD_POLLS = 5    /* it is idle and polls the word: nobody need wake it */
};

/* A held OS thread. */
struct nth_held {
  _Alignas(NTH_APART) _Atomic(uint32_t) word; /* futex word: NTH_HELD_; W */
  bool listed;                                /* in the list of idle ones; in the lock */
  struct nth_held *newer, *older;             /* in that list */
  int tid;                                    /* of its OS thread; w: that; r: in the lock */
  int called_on;                              /* its caller's CPU; w: in the lock; W */
  uint64_t idle_since;                        /* ns; in the lock */
  size_t stack_bytes;                         /* of its stack; this field and the next one:
                                               * w: its maker */
  uint32_t forks;                             /* of the pool, when it was made */
  /* the lender's function, its argument, and what the thread inherits; main NULL: it is not lent.
   * w: in the lock, the thread itself; r: the thread; W */
  bool (*main)(void *);
  void *argument;
  struct nth_traits_given given;
  struct nth_errand *errand; /* that it runs; this field and the next one: its thread's own */
  struct nth_fresh fresh;
  bool served;              /* a team was the last to have it, or it was made for one: the next
                             * root may come soon; w: its maker; this and the next fields: its
                             * thread's own */
  struct nth_waiter waiter; /* its polls while it is idle */
  /* What carried.h needs. pointer: its thread pointer, top: the upper end of a carried errand's
   * stack; 0: it has not been idle yet. Both set once by its thread. */
  uintptr_t pointer;
  void *top;
  bool parked;    /* `mask` is its signal mask before it was idle; w: its thread; r: while
                   * it is IDLE: joiners */
  uint64_t mask;  /* its thread's own */
  bool watches;   /* it sleeps until the sentry's next look; in the lock, as the next ones */
  bool sleeps_on; /* it sleeps longer than the oldest idle one may */
  uint32_t looks, carried; /* looks without a carried errand; pool's `carried` at the last one */
  /* While it is CARRIED, by the joiner's OS thread; at its end RETURNS hands them on: H */
  void *joiner, *sp;        /* saved contexts: the joiner's (NULL: not carried), the errand's */
  uintptr_t joiner_pointer; /* the joiner's thread pointer */
  bool home;                /* the errand is to go on on its own OS thread */
};

/* In the lock, but for what is atomic. */
struct nth_held_pool {
  struct nth_mutex lock;
  struct nth_errand *newest, *oldest; /* the queue */
  struct nth_held *newest_idle, *oldest_idle;
  struct nth_held *sentry; /* looks at the queue at times (carried.h); NULL: none */
  uint32_t carried;        /* errands that joiners have run so far */
  uint32_t held, idle, searchers, lent;
  uint32_t polling;    /* idle ones that poll for the next root */
  uint32_t most;       /* held threads at most so far */
  uint64_t takes;      /* errands taken from the queue so far */
  uint64_t oldest_at;  /* when the oldest one is to be taken, ns */
  uint64_t free_until; /* while takes is below, searchers do not wait for CPUs; */
  uint32_t free_takes; /* for so many takes at the last time */
  uint32_t lost;       /* OS threads that have ended with an errand and have not been missed yet */
  uint32_t napping;    /* searchers that give the running ones time */
  bool refused;        /* the system has refused a thread, and none has been made since */
  bool left;           /* what is queued was left to the threads that run: wake-ups are slow */
  uint64_t guarded;    /* `takes` at the guard's last look at a queue that was left; */
  uint32_t untimed_next; /* and `untimed` after it last found that queue stuck */
  bool over;             /* only held threads are left in the process */
  uint32_t forks;        /* that the process has survived; w: in a child while it has one thread */
  bool has_traits;       /* `traits` are the first creator's */
  uint64_t made;         /* OS threads made so far */
  uint64_t cost_ns;      /* of making one: moving average */
  uint64_t keep_ns;      /* learned from threads that were missed */
  uint64_t gone_at;      /* since when the last one that ended was idle; 0: none, or missed */
  uint32_t unmissed;     /* such ends in a row after which none was missed */
  struct nth_traits traits;
  _Atomic(int) called;        /* the OS thread that was woken last, if it has not come yet, 0: none;
                               * w: in the lock, that thread; r: who waits: a hint */
  _Atomic(uint32_t) wanted;   /* idle threads to make ahead of need; w: in the lock; r: joiners */
  _Atomic(uint32_t) gate;     /* futex word of the napping ones */
  _Atomic(uint32_t) pending;  /* length of the queue; w: in the lock; r: searchers */
  _Atomic(uint32_t) running;  /* errands that run and do not wait; w: in the lock; r: searchers */
  _Atomic(uint32_t) away;     /* members of open regions that wait for a created thread, as far as
                               * they have no errand; w: in the lock; r: searchers */
  _Atomic(uint64_t) lasts_ns; /* how long errands last for which has_cpu() was asked: moving
                               * average; w: held threads; r: creators; a hint */
  _Atomic(uint32_t) wake_ns; /* what a call that wakes one costs, ns; w: callers, the guard; r: all:
                              * a hint */
  _Atomic(uint32_t) untimed; /* the next wake-ups that are not timed; w: the guard, callers */
  _Atomic(uint32_t) at_once; /* the last joins in a row that came at once; w, r: all: a hint */
};
extern struct nth_held_pool nth_held_pool;

/* What the caller does after it has left the lock. */
struct nth_held_call {
  struct nth_held *wake;
  bool make;
};

/* --- for callers in the lock --- */

void nth_held_add_running(int32_t n);
/* The errand that is to run next, out of the queue. */
struct nth_errand *nth_held_take(void);
/* e, which is to run, out of the queue. */
void nth_held_take_this(struct nth_errand *e);
void nth_held_list(struct nth_held *h);
void nth_held_unlist(struct nth_held *h);
/* h, in the list of idle ones, looks again whether it is to end, and how long it may sleep. */
void nth_held_look(struct nth_held *h);
/* One more searcher if errands are queued and there is none (I2). */
struct nth_held_call nth_held_call_if_needed(void);
/* The same, but for errands that are left to the threads that run; for a caller that comes back to
 * the queue soon. */
struct nth_held_call nth_held_call_unless_left(void);
/* Whether h, idle, has to look after errands that were left. It does not end. */
bool nth_held_is_guard(const struct nth_held *h);
/* The guard looks. True: no errand has been taken since its last look, so those that run take long.
 * Then nothing is left to them for a number of wake-ups, which doubles. */
bool nth_held_find_stuck(void);
/* I1 to I3. */
bool nth_held_valid(void);
/* The time after which an idle thread ends. */
uint64_t nth_held_keep_ns(void);
/* A creation, or a master, had to make an OS thread though each one ends with what it runs. */
void nth_held_want_more(void);
/* h ends since it was idle for long. */
void nth_held_learn_ended(const struct nth_held *h);

/* What a held thread does from its begin on; returns at the thread's end. It is a searcher. It
 * leaves the lock. */
void *nth_held_live(struct nth_held *h);

/* --- for callers without the lock --- */

/* Threads that want a CPU: running errands, and members of open regions (lend.h). A hint. */
uint32_t nth_held_busy(void);
/* Whether the call that wakes a thread takes longer than many errands: a hint. */
static inline bool nth_held_wakes_slowly(void) {
  return nth_unlikely(nth_load_rlx(&nth_held_pool.wake_ns) >= NTH_HOLD_SLOW_WAKE_NS);
}
/* Makes or wakes the searcher; 0 or an errno value. */
int nth_held_answer(struct nth_held_call c);
/* The calling thread, with the stack and TLS of h, runs e. False: the thread ends, with this
 * result. */
bool nth_held_run(struct nth_held *h, struct nth_errand *e, void **result);
/* A held thread's first function; arg: its struct nth_held. */
void *nth_held_main(void *arg);
/* Whether the calling thread, that of h, can serve again. It has no errand any longer, and if so it
 * is no member either. */
bool nth_held_is_fresh(struct nth_held *h, uint32_t which);

/* Whether the calling thread, that of h, is the only one of a forked child. The pool does not count
 * it then. */
static inline bool nth_held_is_forked(const struct nth_held *h) {
  return h->forks != nth_held_pool.forks;
}
/* h has been woken: runs what it was lent for. False: its thread ends; true: it is a searcher. */
bool nth_lend_serve(struct nth_held *h);

#endif
