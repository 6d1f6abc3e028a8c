/* wait.h - the only place that spins or yields, and decides when to sleep
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Every wait of the runtime has the same question: go on polling, offer the CPU, or
 *             sleep? The answer depends on how long this kind of wait lasted lately, on the wait
 *             policy, on whether there are more members than CPUs, and on whether somebody else
 *             wants this CPU.
 * Use         struct nth_wait w;  nth_wait_begin(&w, waiter, NTH_WAIT_BARRIER, crowded);
 *             while (!condition) {
 *               if (nth_wait_poll(&w)) continue;     // spun a little, look again
 *               ... sleep on the condition's own word or bell ...
 *             }
 *             nth_wait_end(&w);
 * Policy      - spin for twice the recent wait of the site, between NTH_SPIN_MIN_NS and its cap
 *             - after NTH_YIELD_AFTER_NS offer the CPU now and then
 *             - crowded (more runnable members than CPUs, CPU quota): no spin, a few yields, sleep;
 *               for a while no yields either after one that took long
 *             - a competitor, who has the CPU for a good part of the time, costs the waiter its
 *               spinning for a while, longer each time in a row
 *             - two of our threads that wait on one CPU in turn, though CPUs are enough: the held
 *               one moves (the kernel balances threads that run, not threads that mostly wait)
 *             - OMP_WAIT_POLICY and GOMP_SPINCOUNT set the budget for all sites; policy passive: no
 *               spin, but as long as a wake-up lasts after as much work, while such polls are not
 *               in vain
 * Ownership   struct nth_waiter belongs to one OS thread, which alone reads it but for `waits`;
 *             nth_wait_config is written before threads exist.
 */
#ifndef NTH_SCHED_WAIT_H
#define NTH_SCHED_WAIT_H

#include "runtime/base/atomic.h"
#include "runtime/base/config.h"
#include "runtime/base/os.h"

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
  uint64_t ns;    /* length of the last one */
};

/* What a thread remembers of its waits. */
struct nth_waiter {
  uint32_t recent_ns[NTH_WAIT_SITES]; /* moving average of the waits that lasted over about 1 us */
  uint32_t spread_ns;                 /* dock: moving average of the prediction's error */
  struct nth_penalty spin;            /* no spinning: a competitor has the CPU */
  struct nth_penalty yield;           /* no yields of a crowded wait: one took long */
  _Atomic(bool) waits; /* it has waited for a while by now; r: a thread it has made */
  bool creator;        /* has just made threads, which the kernel starts on this CPU */
  uint8_t patience;    /* with deep looks for tasks; up to NTH_PATIENCE_MOST; task_queue.c */
  bool movable;        /* a held thread: may be moved to another CPU of its mask */
  bool serves;         /* a member's where others may be nano-threads: carry.h. It polls but for
                        * what they need */
  uint64_t moved_at;   /* when it last was, ns */
  uint8_t vain;        /* policy passive: polls in vain in a row, up to NTH_VAIN_MOST; */
  uint8_t skip;        /* waits still without one; */
  uint64_t over_at;    /* and when the last wait was over that had read the clock, ns */
  uint64_t looked_at;  /* when it last looked for competitors, ns; 0: never */
  struct nth_os_usage used; /* what the system said then; since then: */
  uint64_t gaps_ns;         /* gaps between two polls; */
  uint64_t slept_ns;        /* own sleeps, a wait in progress included, */
  int64_t sleeps;           /* and how many of these */
};

/* One wait in progress. */
struct nth_wait {
  struct nth_waiter *waiter;
  uint64_t start, last, yield_at, budget; /* ns */
  uint64_t nap_until;                     /* dock: sleep until then before spinning; 0: no nap */
  uint32_t polls, yields;
  int cpu; /* at the last tick */
  uint8_t site;
  bool crowded, slept;
};

/* Process-wide policy; written by nth_wait_configure before the first thread is made. */
struct nth_wait_config {
  bool passive;        /* no wait spins; */
  bool thrifty;        /* but by policy, not by count: a wake-up's time */
  bool fixed;          /* OMP_WAIT_POLICY or GOMP_SPINCOUNT was given */
  uint64_t fixed_ns;   /* spin budget then, for every site */
  uint64_t crowded_ns; /* and when crowded */
};
extern struct nth_wait_config nth_wait_config;

/* What a wait asks where its member may change its OS thread (waiter->serves); nth_worker_begin()
 * fills it in. t: the member's. */
struct nth_wait_hooks {
  struct nth_waiter *(*os_waiter)(struct nth_waiter *t); /* of the OS thread it runs on */
  bool (*is_guest)(struct nth_waiter *t);                /* that one is another member's */
  bool (*serve)(struct nth_waiter *t); /* another nano-thread's turn; false: none wants it */
  void (*tire)(struct nth_waiter *t);  /* the OS thread has spun enough */
};
extern struct nth_wait_hooks nth_wait_hooks;

/* OMP_WAIT_POLICY. */
enum { NTH_POLICY_UNSET = -1, NTH_POLICY_PASSIVE = 0, NTH_POLICY_ACTIVE = 1 };

/* policy: NTH_POLICY_; spincount in polls, used when given. */
void nth_wait_configure(int policy, bool spincount_given, uint64_t spincount);

static inline void nth_wait_begin(struct nth_wait *w, struct nth_waiter *waiter,
                                  enum nth_wait_site site, bool crowded) {
  w->waiter = waiter;
  w->polls = waiter->serves && (crowded || nth_wait_config.passive) ? NTH_SPIN_POLLS - 1 : 0;
  w->start = 0;
  w->site = (uint8_t)site;
  w->crowded = crowded;
  w->slept = false;
}

/* The same for waits that last until all others of a team have done something: crowded ones of
 * these have little use for polls, since not all of the others can be running. */
static inline void nth_wait_begin_for_team(struct nth_wait *w, struct nth_waiter *waiter,
                                           enum nth_wait_site site, bool crowded) {
  nth_wait_begin(w, waiter, site, crowded);
  if (crowded && !waiter->serves)
    w->polls = NTH_SPIN_POLLS - NTH_CROWDED_POLLS;
}

/* The slow part of nth_wait_poll: reads the clock, yields, decides. */
bool nth_wait_tick(struct nth_wait *w);

/* One poll. True: look at the condition again. False: sleep now (any number of times: after a
 * sleep the caller looks at the condition and polls again, which says false at once). */
static inline bool nth_wait_poll(struct nth_wait *w) {
  if (nth_likely(++w->polls % NTH_SPIN_POLLS != 0)) {
    nth_pause();
    return true;
  }
  return nth_wait_tick(w);
}

/* How long the caller, told to sleep now, may do so in ns; 0: until it is woken. After a nap it
 * polls again until a region that is expected comes. */
uint64_t nth_wait_nap(const struct nth_wait *w);

void nth_wait_learn(struct nth_wait *w);

/* The condition holds. */
static inline void nth_wait_end(struct nth_wait *w) {
  if (nth_unlikely(w->start != 0)) {
    nth_wait_learn(w);
  } else {
    uint32_t *r = &w->waiter->recent_ns[w->site];
    *r -= *r >> 3;
  }
}

#endif
