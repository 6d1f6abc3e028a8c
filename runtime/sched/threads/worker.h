/* worker.h - an OS thread in the runtime's service
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Workers are made once and held: between regions they wait docked, at their own array
 *             of work descriptors, whoever the next master is.
 * Use         nth_worker_start() makes an OS thread that runs descriptors until it is told to end;
 *             nth_holder_adopt() gives a program's own thread an object too (it never docks).
 *             The layer above gives the function that runs a descriptor.
 * Invariants  I1  lwd is written by one producer at a time (wdarray.h)
 *             I2  dock is ASLEEP only while the worker is in, or on its way into or out of, futex
 *             I3  dock is LEFT: no OS thread runs p, and all that was put has been taken. What is
 *                 put next is found by the thread that whoever puts it then makes
 *             I4  dock is OUT: p is carried and docked, and nobody runs its identity: it goes into
 *                 a queue with its next work (sched/nano/carry.h)
 * Orders      F   waker: puts, full fence, reads dock; sleeper: writes dock, full fence, reads
 *                 lwd/gwd
 *             D   dock: waker's exchange releases -> sleeper's acquires: what came before the
 *                 wake-up
 *             L   dock: the leaving thread's CAS releases -> the exchange of who makes the next one
 *                 acquires: what the old thread wrote to p
 *             B   begun: what a worker has written when it becomes a carrier -> the master that has
 *                 told it to
 *             worker objects are never freed: a pointer to one stays good (they are reused)
 * Cost        a put and one shared, unchanged line (dock) a worker and region
 * Tested by   tests/model/dock, tests/model/carried
 */
#ifndef NTH_SCHED_WORKER_H
#define NTH_SCHED_WORKER_H

#include <pthread.h>
#include <stddef.h>

#include "runtime/sched/nano/carry.h"
#include "runtime/sched/wait/wait.h"
#include "runtime/struct/wdarray.h"

/* owner word of a descriptor: a team's address, or one of these control words (never an
 * address). */
#define NTH_WD_END 1u    /* the OS thread ends */
#define NTH_WD_ATTACH 3u /* data: the group's GWD; fn's value: where to start reading */
#define NTH_WD_CARRY 5u  /* the OS thread becomes a carrier, p->thread tells of which */
#define NTH_WD_HELP 1u   /* low bit of a team's address: run tasks of that team, then arrive */

enum { NTH_DOCK_AWAKE = 0, NTH_DOCK_ASLEEP = 1, NTH_DOCK_LEFT = 2, NTH_DOCK_OUT = 3 };

struct nth_group;

struct nth_worker {
  struct nth_wdarray lwd;                     /* w: masters; r: this worker */
  _Alignas(NTH_APART) _Atomic(uint32_t) dock; /* futex word; w: this worker, wakers; F, L */
  _Atomic(struct nth_group *) group; /* for whom it works; w: in the holder's lock; r: hints, but
                                      * for its own master */
  struct nth_group *home;            /* its root's; NULL: none (yet). w: its maker, its root */
  _Alignas(NTH_APART) struct nth_waiter waiter; /* this worker's own from here on */
  uint32_t lwd_position, gwd_position;
  struct nth_wdarray *gwd; /* the group's array, NULL with LWD */
  uint32_t number;         /* member number in the group (GWD) */
  bool crowded;            /* the last region had more members than CPUs */
  bool started;            /* has had its first descriptor */
  bool ending;             /* set in run(): the OS thread ends */
  bool bound;              /* it started on the CPUs it was to start on; w: its maker */
  uint32_t place;          /* where its OS thread is bound, from 1 on; 0: nowhere. w: its maker,
                            * itself */
  void (*run)(struct nth_worker *p, const struct nth_wd *wd);
  void *identity;             /* for the layer above: this thread's member; NULL: LEFT, or not made
                               * yet */
  bool spared;                /* for the layer above: its thread may end when it is idle; */
  uint32_t rank, leaf;        /* its number at home, its pool of descriptors; w: its maker, master
                               * before the first work */
  struct nth_worker *next;    /* list of ended ones; holder's lock */
  bool carried;               /* its identity may be run by others; w: its maker, itself; without a
                               * thread its master */
  bool active;                /* it counts as one that may run; holder's lock */
  size_t stack_bytes;         /* of its OS thread's stack, at least; w: its maker */
  int born_on;                /* the creator's CPU */
  struct nth_waiter *creator; /* good until the first descriptor has been run; NULL: not known */
  _Atomic(struct nth_pthread *)
      thread; /* carried ones, and roots where members may be nano-threads: who serves it, or
               * did last; w: its maker, in the holder's lock */
  struct nth_family *family; /* carried ones; w: its maker */
  struct nth_family *led;    /* as a root's, now or once */
};

/* The worker of an identity, which the caller has in hand. */
static inline struct nth_worker *nth_worker_of(struct nth_identity *x) {
  return ((struct nth_pthread *)((char *)x - offsetof(struct nth_pthread, self)))->worker;
}

static inline struct nth_identity *nth_worker_self(const struct nth_worker *p) {
  return &nth_load_rlx(&p->thread)->self;
}
static inline struct nth_carrier *nth_worker_carrier(const struct nth_worker *p) {
  return &nth_load_rlx(&p->thread)->carrier;
}

/* Whether p has no OS thread that waits for it alone. */
static inline bool nth_worker_nano(const struct nth_worker *p) {
  return p->carried && !nth_load_rlx(&nth_worker_carrier(p)->regular);
}

/* The CPUs that a new thread is bound to from its first instruction on. */
struct nth_start {
  const uint64_t *cpus;
  uint32_t words;
  uint32_t count; /* of these CPUs */
  uint32_t place; /* from 1 on; 0: none */
};

/* Before the first member: fills in nth_wait_hooks. */
void nth_worker_begin(void);

/* Makes an OS thread with the given stack size (bytes, 0: default), which leaves the caller's CPU
 * before it works (worker.c), as far as it may. 0 or an errno value. start NULL: it is not
 * bound; where binding is refused, neither. */
int nth_worker_start(struct nth_worker *p, struct nth_waiter *creator, uint64_t stacksize,
                     const struct nth_start *start,
                     void (*run)(struct nth_worker *, const struct nth_wd *));

/* The same for one that is LEFT and has been taken out of that state: it goes on where the thread
 * before it stopped. creator NULL: it works at once, on whatever CPU. */
int nth_worker_start_again(struct nth_worker *p, struct nth_waiter *creator, uint64_t stacksize,
                           const struct nth_start *start);

/* A zeroed worker object from the heap or from those that ended; NULL without memory. */
struct nth_worker *nth_worker_new(void);
void nth_worker_recycle(struct nth_worker *p);

/* Wakes p if it sleeps, and gives it a thread if it has none. The caller has put a full fence after
 * its puts. */
void nth_worker_wake_slow(struct nth_worker *p);
static inline void nth_worker_wake(struct nth_worker *p) {
  if (nth_unlikely(nth_load_rlx(&p->dock) != NTH_DOCK_AWAKE)) /* F */
    nth_worker_wake_slow(p);
}

/* p, carried and docked, has work, and a full fence lies between. Its identity, if it is out of all
 * queues: then it is the caller's to put into one; else NULL. quietly: no OS thread is woken for
 * it; somebody of the team will look. */
struct nth_identity *nth_worker_take_out(struct nth_worker *p, bool quietly);

/* p, docked, becomes one whose identity may be run by others: p->thread has been enrolled. Returns
 * when it is; false: it had no OS thread any more. By its master, while no region runs. */
bool nth_worker_carry(struct nth_worker *p);

/* Wakes p if it sleeps; true when it had left: it is the caller's to start again, or to recycle. */
bool nth_worker_rouse(struct nth_worker *p);

/* Nobody runs x, whose worker is docked, any more: it stays out of all queues, unless it has got
 * work by now. By a carrier that has just left it (carry.h). */
void nth_worker_stay_docked(struct nth_identity *x);
/* x, of the caller's OS thread, is to look whether it is needed: it is the caller's to run if it is
 * out of all queues. */
bool nth_worker_look(struct nth_identity *x);

/* A hint, exact for who gives it work when none is pending. */
static inline bool nth_worker_left(struct nth_worker *p) {
  return nth_load_rlx(&p->dock) == NTH_DOCK_LEFT;
}

#endif
