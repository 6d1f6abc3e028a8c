/* worker.h - a thread that the runtime made and holds: its start, its dock, its work, its end
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Workers are made once and held. Between regions they wait docked, each at its own
 *             array of work descriptors, whichever master is next.
 * Use         nth_worker_start() makes an OS thread that runs descriptors until it is told to end.
 *             nth_holder_adopt() gives a program's own thread an object too (it never docks).
 *             The layer above gives the function that runs a descriptor.
 *             Once the program has created threads (nanogomp/tholder.h), or a root has ended, an
 *             idle held OS thread serves in place of a new one, and one that ends becomes a held
 *             one, if they fit
 *             (sched/hold/lend.h).
 * Invariants  I1  lwd is written by one producer at a time (wdarray.h)
 *             I2  dock is ASLEEP only while the worker is in, or on its way into or out of, a
 *                 sleep of its OS thread, or a wait of its identity in a queue. A nano-thread's new
 *                 thread begins with it, too
 *             I3  dock is LEFT: no OS thread runs p, and all descriptors that were put have been
 *                 taken. Whoever puts the next one makes a thread, which finds it
 *             I4  dock is OUT: p is carried and docked, and nobody runs its identity, which goes
 *                 into a queue with its next work (sched/nano/carry.h)
 *             I5  worker objects are never freed, but used again: a pointer to one stays good
 * Orders      F   waker: puts, full fence, reads dock; sleeper: writes dock, full fence, reads
 *                 lwd/gwd
 *             D   dock: waker's exchange releases -> sleeper's acquires: what came before the
 *                 wake-up
 *             L   dock: the leaving thread's CAS releases -> the exchange of whoever makes the next
 *                 thread acquires: what the old thread wrote to p
 *             B   begun: what a worker has written when it becomes a carrier -> the master that has
 *                 told it to
 * Cost        a put and one shared, unchanged line (dock) for each worker and region
 * Tested by   tests/model/dock, tests/model/carried
 */
#ifndef NTH_SCHED_WORKER_H
#define NTH_SCHED_WORKER_H

#include <pthread.h>
#include <stddef.h>

#include "runtime/sched/adapt/permit.h"
#include "runtime/sched/nano/carry.h"
#include "runtime/sched/wait/summons.h"
#include "runtime/sched/wait/wait.h"
#include "runtime/struct/wdarray.h"

/* owner word of a descriptor: a team's address, or one of these control words (never an
 * address). */
#define NTH_WD_END 1u    /* the OS thread ends */
#define NTH_WD_ATTACH 3u /* data: the group's GWD; fn's value: where to start reading */
#define NTH_WD_CARRY 5u  /* the OS thread becomes the carrier of p->thread */
/* Low bits of a team's address: */
#define NTH_WD_HELP 1u  /* run tasks of that team, then arrive */
#define NTH_WD_TOLD 2u  /* a tool watches the region (team.h) */
#define NTH_WD_LOOP 4u  /* with the former: the region begins with the loop of its construct */
#define NTH_WD_MARKS 7u /* all of them */

enum { NTH_DOCK_AWAKE = 0, NTH_DOCK_ASLEEP = 1, NTH_DOCK_LEFT = 2, NTH_DOCK_OUT = 3 };

struct nth_group;

struct nth_worker {
  struct nth_wdarray lwd;                     /* w: masters; r: this worker */
  _Alignas(NTH_APART) _Atomic(uint32_t) dock; /* futex word; w: this worker, wakers; D, F, L */
  _Atomic(struct nth_group *) group; /* for which it works; w: in the holder's lock; r: that group's
                                      * master; for others a hint */
  struct nth_gaps_stamp stamp;       /* w: its masters, when they wake it */
  struct nth_group *home;            /* its root's group; NULL: none (yet). w: its maker, its
                                      * root */
  _Alignas(NTH_APART) struct nth_waiter waiter; /* from here on the worker's own */
  struct nth_gaps gaps;
  uint32_t lwd_position, gwd_position;
  struct nth_permit permit; /* of its OS thread, unless that is a carrier */
  struct nth_wdarray *gwd;  /* the group's array, NULL with LWD */
  uint32_t number;          /* member number in the group (GWD) */
  bool crowded;             /* the last region had more members than CPUs */
  bool started;             /* it has had its first descriptor */
  bool ending;              /* the OS thread ends */
  bool bound;               /* it was started on the CPUs that its maker asked for; w: its maker */
  uint32_t place;           /* to which its OS thread is bound, from 1 on; 0: none. w: its maker,
                             * itself */
  void (*run)(struct nth_worker *p, const struct nth_wd *wd);
  void *identity;           /* the layer above's: this thread's member; NULL: LEFT, or not made
                             * yet */
  bool may_leave;           /* the layer above's: the thread may end when it is idle */
  int tid;                  /* of a master's OS thread; 0: it changes. w: itself, before it takes
                             * workers */
  uint32_t rank, leaf;      /* its number at home; its memory domain, and so its pool of
                             * descriptors. w: its maker, master before the first work */
  struct nth_worker *next;  /* in the list of ended ones; holder's lock */
  struct nth_worker *older; /* in the list of all; holder's lock */
  bool listed;              /* it is in that list; in a forked child once it is used again; holder's
                             * lock */
  bool leaving;             /* it is told to end, or leaves its worker; holder's lock */
  _Atomic(uint32_t) heard;  /* the summons that it has answered; w: itself; r: who has summoned;
                             * summons:S */
  bool carried;             /* any carrier may run its identity; w: its maker, itself; while it
                             * has no thread, its master */
  bool active;              /* it counts as a thread that may run; holder's lock */
  bool lent;                /* a held OS thread runs it; w: its maker */
  bool created;             /* a root that runs a created thread on a held OS thread; its own */
  size_t stack_bytes;       /* of its OS thread's stack, at least; w: its maker */
  struct nth_os_birth birth;  /* the creator's CPU; w: its maker */
  struct nth_waiter *creator; /* good until the first descriptor has been run; NULL: not known */
  _Atomic(struct nth_pthread *)
      thread; /* of a carried worker, or of a root that is a carrier: the pthread that serves it, or
               * did last; w: its maker, in the holder's lock */
  struct nth_family *family; /* of a carried worker; w: its maker */
  struct nth_family *led;    /* the family of a root with this object, now or earlier */
};

/* The worker of identity x, which the caller has in hand. */
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

/* The CPUs to which a new thread is bound from its first instruction on. */
struct nth_start {
  const uint64_t *cpus;
  uint32_t words;
  uint32_t count; /* number of these CPUs */
  uint32_t place; /* from 1 on; 0: none */
};

/* Before the first member: fills in nth_wait_hooks. */
void nth_worker_begin(void);

/* Makes an OS thread with the given stack size (bytes, 0: default). It is sent off to another CPU
 * than the caller's, if it may (nth_os_send_off()). Returns 0 or an errno value. start NULL:
 * the thread is not bound; nor is it if the system refuses these CPUs. */
int nth_worker_start(struct nth_worker *p, struct nth_waiter *creator, uint64_t stacksize,
                     const struct nth_start *start,
                     void (*run)(struct nth_worker *, const struct nth_wd *));

/* Makes another OS thread for p, which was LEFT and which the caller has taken out of that state.
 * It goes on where the thread before it stopped. creator NULL: it works at once, on whatever
 * CPU. */
int nth_worker_start_again(struct nth_worker *p, struct nth_waiter *creator, uint64_t stacksize,
                           const struct nth_start *start);

/* Wakes p if it sleeps, and gives it a thread if it has none. The caller has issued a full fence
 * after its puts. */
void nth_worker_wake_slow(struct nth_worker *p);
static inline void nth_worker_wake(struct nth_worker *p) {
  if (nth_unlikely(nth_load_rlx(&p->dock) != NTH_DOCK_AWAKE)) /* F */
    nth_worker_wake_slow(p);
}

/* The same by the master of a region, whose waiter this is, if nth_worker_sleeps(): the worker
 * learns when the region came. */
void nth_worker_wake_for(struct nth_worker *p, struct nth_waiter *master);
static inline bool nth_worker_sleeps(struct nth_worker *p) {
  return nth_load_rlx(&p->dock) != NTH_DOCK_AWAKE; /* F */
}

/* p, carried and docked, has been given work, and a full fence came after that. Returns its
 * identity if it is out of all queues: the caller then puts it into one; else NULL. quietly: no OS
 * thread is woken for it, since another one of the team will look. */
struct nth_identity *nth_worker_take_out(struct nth_worker *p, bool quietly);

/* p, docked, becomes carried: p->thread has been enrolled. Returns when that is done; false: p no
 * longer had an OS thread. By its master, while no region runs. */
bool nth_worker_carry(struct nth_worker *p);

/* Makes p look around where it is docked. By any thread, after a full fence. */
void nth_worker_nudge(struct nth_worker *p);

/* Wakes p if it sleeps. True: p had LEFT; the caller starts it again, or recycles it. */
bool nth_worker_rouse(struct nth_worker *p);
/* Takes p out of its dock, and wakes it if it sleeps; returns what dock was. */
uint32_t nth_worker_get_up(struct nth_worker *p);

/* Keeps x, whose worker is docked, out of all queues, unless it has been given work by now. By a
 * carrier that has just left x (carry.h). */
void nth_worker_stay_docked(struct nth_identity *x);
/* x, the identity of the caller's OS thread, is to look whether it is needed. True: x was out of
 * all queues, and the caller runs it. */
bool nth_worker_look(struct nth_identity *x);

/* Whether p has no OS thread. A hint; exact for a master that gives p work while none is
 * pending. */
static inline bool nth_worker_left(struct nth_worker *p) {
  return nth_load_rlx(&p->dock) == NTH_DOCK_LEFT;
}

#endif
