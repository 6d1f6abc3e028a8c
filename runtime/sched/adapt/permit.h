/* permit.h - how many OS threads of the runtime run at a time, where fewer processors are asked for
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Somebody asks the program to use fewer processors (request.h). The members of its
 *             regions stay, since the program counts on them, but fewer of them are to run at the
 *             same time. The same holds where the CPU allowance has become less than it was
 *             (follow.h): for a quota always, as the kernel would stop all of them by turns; for a
 *             mask once there are nano-threads, for the kernel shares out the CPUs that are left
 * How         An OS thread that runs has a permit. It gives the permit up before it sleeps in the
 *             runtime, and has one again afterwards. Where more permits are out than were asked
 *             for, an OS thread that comes to a safe point gives its own up and rests there, until
 *             another OS thread gives one up or processors are given back. So members that wait for
 *             a resting one sleep sooner or later, and with that let it go on
 * Safe points before a member takes a chunk of a loop of which others may take the chunks too
 *             (worksharing/loop.c); after a task at a barrier; at a taskwait, and there after some
 *             tasks (tasks/task_wait.c); after a part of a taskloop (taskloop/); after
 *             a barrier; before a worker begins a region. There it holds nothing but what the
 *             program has locked around a construct
 * Use         nth_permits_begin() once a request may come; before that, nothing is counted. An OS
 *             thread: nth_permit_start() -> {leave -> back | pass} ... -> nth_permit_end()
 * Nobody hangs
 *             A member may wait for a resting one outside the runtime: it spins on a flag. All that
 *             rest look every NTH_AWAY_LOOK_NS. If no OS thread within the request has come by a
 *             safe point or slept since the last look, one of them stands in: it has a permit
 *             beyond the request until another one comes by. So one more OS thread runs every
 *             NTH_AWAY_LOOK_NS, until one comes by
 * Numbers     The OS threads of the program's own that open regions (roots) count as one, however
 *             many run: some may be elsewhere, and the runtime stops none of them for another's
 *             sake
 * Invariants  I1  held = the workers' OS threads with a permit + the roots with one << 32
 *             I2  permit.held is the present epoch <=> the OS thread is counted in `held`
 *             I3  limit = the least of the request and the lessened allowance. 0: neither is in
 *                 force. Then nobody rests for long
 *             I4  while nth.h's processors exist they alone obey requests, and limit is 0
 *             I5  while `met` is set, limit is NTH_PERMITS_APART in place of 0
 * Orders      W   word: a thread that gives a permit up: held, full fence, resting, then word. One
 *                 that rests: resting, full fence, word, held, then the kernel's look at word. So
 *                 one of the two sees the other
 *             H   held: who gives a permit up -> whoever tells requesters, and by request:A ->
 *                 these: what it did before
 * Cost        no request so far: a load and a test at each safe point. In force: an addition to a
 *             shared line for each safe point, and for each sleep. Resting: 10 wake-ups a second
 * Tested by   tests/model/permit, tests/lit/request, tests/tool/test_share.py
 */
#ifndef NTH_SCHED_PERMIT_H
#define NTH_SCHED_PERMIT_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/atomic.h"
#include "runtime/base/check.h"
#include "runtime/base/config.h"

/* The limit for a while after the CPU allowance has grown, and while the looker sleeps though
 * several may run: nobody rests, but OS threads come by at safe points. They look whether they
 * share a CPU, and wake the looker. */
#define NTH_PERMITS_APART UINT32_MAX

/* An OS thread's part; only that thread reads and writes it. */
struct nth_permit {
  uint32_t held;     /* I2; 0: it has none */
  bool root;         /* it is a thread of the program's own */
  bool stands;       /* it stands in, */
  uint32_t seen;     /* and this was nth_permits.passed when it began to */
  uint32_t moved_at; /* when it last moved to another CPU (apart.h) */
};

struct nth_permits {
  _Alignas(NTH_APART) _Atomic(uint32_t) limit; /* permits that may be out; I3, I4; w:
                                                * nth_permits_changed(); r: all */
  _Atomic(bool) on; /* permits are counted. Set once; the child of a fork begins anew */
  bool off;         /* nth.h's processors exist; lock of permit.c */
  bool met;         /* the looker sleeps, and is woken at safe points; lock of permit.c */
  uint32_t epoch;   /* from 1 on, one more in the child of a fork; I2 */
  _Alignas(NTH_APART) _Atomic(uint64_t) held; /* I1; H; w, r: all that run */
  _Atomic(uint32_t) passed;   /* how often a thread that does not stand in came by a safe point */
  _Atomic(uint32_t) resting;  /* threads that rest; W */
  _Atomic(uint32_t) word;     /* futex word; changes with each permit that a resting thread may
                               * have; W */
  _Atomic(uint64_t) stood_at; /* when a thread last began to stand in, ns */
};
extern struct nth_permits nth_permits;

/* What the runtime's upper rooms know; filled in before the first member. */
struct nth_permit_hooks {
  struct nth_permit *(*mine)(
      void);                     /* of the calling OS thread; NULL: it is none of the runtime's */
  void (*changed)(bool limited); /* another number is asked for; NULL: nobody wants to know */
  bool (*carries)(void);         /* there are nano-threads; NULL: there are none */
  void (*grow)(uint32_t cpus);   /* so many CPUs are allowed; NULL: nobody wants to know */
};
extern struct nth_permit_hooks nth_permit_hooks;

/* Permits are counted from now on; a thread that has run before is counted when it comes by. */
void nth_permits_begin(void);
/* Whether OS threads look whether they share a CPU. */
static inline bool nth_permits_apart(void) {
  return nth_load_rlx(&nth_permits.limit) == NTH_PERMITS_APART;
}
/* Another number is asked for, or the CPU allowance has changed. */
void nth_permits_changed(void);
/* An OS thread comes by at a safe point, or gets a permit: wakes the looker, if that sleeps. */
void nth_permits_seen(void);
/* From now on each OS thread at a safe point wakes the looker, if that sleeps; no longer. */
void nth_permits_meet(bool met);
/* The number of threads has changed. */
void nth_permits_recount_slow(void);
/* There are processors of nth.h (off) or no longer; I4. */
void nth_permits_suspend(bool off);
/* In the child of a fork. */
void nth_permits_forked(void);

void nth_permit_start_slow(struct nth_permit *p, bool root);
void nth_permit_end_slow(struct nth_permit *p);
void nth_permit_leave_slow(struct nth_permit *p);
void nth_permit_back_slow(struct nth_permit *p);
void nth_permit_pass_slow(struct nth_permit *p);

/* For an OS thread that rests elsewhere (nano/carry.c). gone: it is at a safe point; true: it had a
 * permit too many, which it has given up. free: takes one if one is left. */
bool nth_permit_gone(struct nth_permit *p);
bool nth_permit_free(struct nth_permit *p);

#if defined(NTH_MODEL) && !defined(MODEL_PERMIT) /* other models have no requests */
static inline bool nth_permits_count(void) { return false; }
static inline bool nth_permits_limited(void) { return false; }
static inline bool nth_permits_fewer(void) { return false; }
#else
/* Whether permits are counted. */
static inline bool nth_permits_count(void) { return nth_unlikely(nth_load_rlx(&nth_permits.on)); }
/* Whether OS threads come by at safe points. */
static inline bool nth_permits_limited(void) {
  return nth_unlikely(nth_load_rlx(&nth_permits.limit) != 0);
}
/* Whether the limit may keep an OS thread from running. */
static inline bool nth_permits_fewer(void) { return nth_permits_limited() && !nth_permits_apart(); }
#endif
static inline void nth_permits_recount(void) {
  if (nth_permits_count())
    nth_permits_recount_slow();
}
/* Whether more than one OS thread has a permit, or might have one without the limit. */
bool nth_permits_several(void);
/* The calling OS thread polls. True: it should sleep, since another one wants its permit, or it has
 * one too many. */
bool nth_permits_tick(void);

/* The calling OS thread begins, as a worker's or a root's; ends. */
static inline void nth_permit_start(struct nth_permit *p, bool root) {
  p->root = root;
  if (nth_permits_count())
    nth_permit_start_slow(p, root);
}
static inline void nth_permit_end(struct nth_permit *p) {
  if (nth_permits_count())
    nth_permit_end_slow(p);
}

/* The calling OS thread is about to sleep; it runs again. */
static inline void nth_permit_leave(struct nth_permit *p) {
  if (nth_permits_count())
    nth_permit_leave_slow(p);
}
static inline void nth_permit_back(struct nth_permit *p) {
  if (nth_permits_count())
    nth_permit_back_slow(p);
}

/* The calling OS thread is at a safe point. It rests if it is beyond the request. */
static inline void nth_permit_pass(struct nth_permit *p) {
  if (nth_permits_limited())
    nth_permit_pass_slow(p);
}

/* As nth_sleep_counted(), for the calling OS thread, whichever it is. */
bool nth_permit_sleep_slow(_Atomic(uint32_t) *word, uint32_t value, uint64_t timeout_ns);

#endif
