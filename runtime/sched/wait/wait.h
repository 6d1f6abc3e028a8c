/* wait.h - decides how a member waits: it spins, yields or sleeps
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Every wait of a member has the same question: go on polling, offer the CPU, or
 *             sleep? The answer depends on how long this kind of wait lasted lately, on the wait
 *             policy, on whether there are more members than CPUs, and on whether another thread
 *             wants this CPU.
 * Use         struct nth_wait w;  nth_wait_begin(&w, waiter, NTH_WAIT_BARRIER, crowded);
 *             while (!condition) {
 *               if (nth_wait_poll(&w)) continue;     // spun a little, look again
 *               ... sleep on the condition's own word or bell ...
 *             }
 *             nth_wait_end(&w);
 * Policy      - spin for twice the recent wait of the site, between NTH_SPIN_MIN_NS and its cap
 *             - after NTH_YIELD_AFTER_NS offer the CPU now and then
 *             - crowded (more runnable members than CPUs, or a CPU quota): no spin, a few yields,
 *               sleep; for a while no yields either, after a yield that took long
 *             - a competitor that has the CPU for a good part of the time costs the waiter its
 *               spinning for a while, longer each time in a row; but only if the waiter polls so
 *               much that sleeps would save more than they cost
 *             - two waiters of the runtime that share a CPU, though CPUs are enough: a worker's
 *               thread moves away (the kernel balances threads that run, not threads that mostly
 *               wait); the others yield at once
 *             - OMP_WAIT_POLICY and GOMP_SPINCOUNT set the budget for all sites. Policy passive: no
 *               spin. But after as much work as a wake-up lasts a waiter polls for that long, while
 *               such polls are not in vain
 * Others      Short spins of their own: locks (struct/mutex.h, omp/sync/lock.c), held threads
 *             (hold/), carriers that are docked (threads/worker.c)
 * Ownership   struct nth_waiter belongs to one member, or to one OS thread (a carrier's). Whoever
 *             runs that alone reads and writes it, but for `waits`. nth_wait_config is written
 *             when the library is loaded.
 */
#ifndef NTH_SCHED_WAIT_H
#define NTH_SCHED_WAIT_H

#include "runtime/base/atomic.h"
#include "runtime/base/check.h"
#include "runtime/base/config.h"
#include "runtime/base/os.h"
#include "runtime/sched/adapt/apart.h"
#include "runtime/sched/wait/gaps.h"

enum nth_wait_site {
  NTH_WAIT_JOIN,
  NTH_WAIT_BARRIER,
  NTH_WAIT_TASK,
  NTH_WAIT_LOCK,
  NTH_WAIT_ORDERED,
  NTH_WAIT_DOCK, /* between regions */
  NTH_WAIT_SITES
};

/* Something that does not pay for a while. */
struct nth_penalty {
  uint64_t until; /* ns */
  uint64_t ns;    /* length of the last such while */
};

/* What a thread remembers of its waits. */
struct nth_waiter {
  uint32_t recent_ns[NTH_WAIT_SITES]; /* moving average of the waits that lasted over about 1 us */
  uint32_t spread_ns;                 /* dock: moving average of the prediction's error */
  struct nth_gaps *gaps;              /* dock: what is known of them */
  struct nth_penalty spin;            /* no spinning: a competitor has the CPU */
  struct nth_penalty yield;           /* no yields of a crowded wait: one took long */
  _Atomic(bool) waits; /* it has waited for a while by now; r: a thread that it has made */
  bool starter;        /* it has just woken threads, which the kernel may run on this CPU */
  bool waker;          /* it has just slept and woken a worker, which the kernel mostly runs on this
                        * CPU: its next wait offers the CPU at its first poll */
  uint8_t patience;    /* with deep looks for tasks; up to NTH_PATIENCE_MOST; task_queue.c */
  bool serves;         /* a member's, where members may be nano-threads (carry.h): its waits also
                        * let others run */
  bool newborn;        /* it runs its first descriptor, and began to do so on its creator's CPU */
  struct nth_apart apart; /* its moves to other CPUs */
  uint32_t locks;         /* waits for locks of a member that takes turns (NTH_LOCK_TURN) */
  uint8_t vain;           /* policy passive: polls in vain in a row, up to NTH_VAIN_MOST; */
  uint8_t skip;           /* how many of the next waits do not poll; */
  uint64_t over_at;       /* when the last wait ended that had read the clock, ns */
  uint64_t stamped_at, stamped_cpu; /* a master's: its CPU time at that time (nth_gaps_stamp()) */
  uint64_t looked_at;               /* when it last looked for competitors, ns; 0: never */
  struct nth_os_usage used;         /* what the system said then; since then: */
  uint64_t gaps_ns;                 /* the gaps between polls; */
  uint64_t polled_ns;               /* its polls, but for the first ones of each wait; */
  uint64_t spins;                   /* the waits that read the clock; */
  uint64_t slept_ns;                /* its own sleeps, a wait in progress included; */
  int64_t sleeps;                   /* and the number of these */
};

/* One wait in progress. */
struct nth_wait {
  struct nth_waiter *waiter;
  uint64_t start, last, yield_at, budget; /* ns */
  uint64_t nap_until;                     /* dock: sleep until then before spinning; 0: no nap */
  uint64_t window;  /* dock, a predicted gap: when its spin window closes; 0: no gap is predicted */
  uint64_t look_at; /* dock: when to look whether the master sleeps; 0: not */
  uint64_t came_at; /* dock: when it was woken for a region; 0: it was not */
  struct nth_gaps_site *gap;    /* dock: where its gap is kept; NULL: it is not */
  void (*const *after)(void *); /* dock: the function of the region before the wait */
  uint32_t polls, yields;
  int cpu; /* at the last tick; -1: not known */
  uint8_t site;
  bool crowded, slept;
};

/* Process-wide policy; nth_wait_configure writes it when the library is loaded. Zeros: none. */
struct nth_wait_config {
  bool passive;        /* no wait spins; */
  bool thrifty;        /* but if that is by policy, not by count, some poll for a wake-up's time */
  bool fixed;          /* OMP_WAIT_POLICY or GOMP_SPINCOUNT was given; */
  uint64_t fixed_ns;   /* the spin budget then, for every site, */
  uint64_t crowded_ns; /* and when crowded */
};
extern struct nth_wait_config nth_wait_config;

/* What a wait asks where its member may change its OS thread (waiter->serves); nth_worker_begin()
 * fills it in. t: the member's. */
struct nth_wait_hooks {
  struct nth_waiter *(*os_waiter)(struct nth_waiter *t); /* of the OS thread it runs on */
  bool (*is_guest)(struct nth_waiter *t);                /* that one is another member's */
  void (*try_home)(struct nth_waiter *t);                /* a guest goes to its own, if it can */
  bool (*serve)(struct nth_waiter *t); /* another nano-thread's turn; false: none wants it */
  void (*tire)(struct nth_waiter *t);  /* the OS thread has spun enough */
};
extern struct nth_wait_hooks nth_wait_hooks;

/* OMP_WAIT_POLICY. */
enum { NTH_POLICY_UNSET = -1, NTH_POLICY_PASSIVE = 0, NTH_POLICY_ACTIVE = 1 };

/* Sets nth_wait_config. policy: NTH_POLICY_; spincount: in polls, used if given. */
void nth_wait_configure(int policy, bool spincount_given, uint64_t spincount);

static inline void nth_wait_begin(struct nth_wait *w, struct nth_waiter *waiter,
                                  enum nth_wait_site site, bool crowded) {
  nth_assert(waiter && site < NTH_WAIT_SITES);
  w->waiter = waiter;
  bool at_once = waiter->serves ? crowded || nth_wait_config.passive : waiter->waker;
  w->polls = at_once ? NTH_SPIN_POLLS - 1 : 0;
  w->start = 0;
  if (site == NTH_WAIT_DOCK)
    w->after = 0;
  w->site = (uint8_t)site;
  w->crowded = crowded;
  w->slept = false;
}

/* For a wait that lasts until all others of a team have done something. If it is crowded, it polls
 * less: not all of the others can be running. */
static inline void nth_wait_begin_for_team(struct nth_wait *w, struct nth_waiter *waiter,
                                           enum nth_wait_site site, bool crowded) {
  nth_wait_begin(w, waiter, site, crowded);
  if (crowded && !waiter->serves)
    w->polls = NTH_SPIN_POLLS - NTH_CROWDED_POLLS;
}

/* For a worker between regions. after: the function that it has run; good while the wait lasts. */
static inline void nth_wait_begin_docked(struct nth_wait *w, struct nth_waiter *waiter,
                                         bool crowded, void (*const *after)(void *)) {
  nth_wait_begin_for_team(w, waiter, NTH_WAIT_DOCK, crowded);
  w->after = after;
  if (nth_gaps_sleep_at_once(waiter->gaps, *after))
    w->polls = NTH_SPIN_POLLS - 1;
}

/* The slow part of nth_wait_poll: reads the clock, yields, decides. */
bool nth_wait_tick(struct nth_wait *w);

/* One poll. True: look at the condition again. False: sleep now. After a sleep the caller looks at
 * the condition and polls again, which is false at once. */
static inline bool nth_wait_poll(struct nth_wait *w) {
  if (nth_likely(++w->polls % NTH_SPIN_POLLS != 0)) {
    nth_pause();
    return true;
  }
  return nth_wait_tick(w);
}

/* How long the caller, told to sleep now, may sleep, ns; 0: until it is woken. After such a nap it
 * polls again, since the next region is expected. */
uint64_t nth_wait_nap(const struct nth_wait *w);

/* The slow part of nth_wait_end: learns from the length of a wait that has read the clock. */
void nth_wait_learn(struct nth_wait *w);

/* Ends the wait: the condition holds. */
static inline void nth_wait_end(struct nth_wait *w) {
  nth_assert(w->waiter && w->site < NTH_WAIT_SITES);
  if (nth_unlikely(w->start != 0)) {
    nth_wait_learn(w);
  } else {
    uint32_t *r = &w->waiter->recent_ns[w->site];
    *r -= *r >> 3;
  }
}

#endif
