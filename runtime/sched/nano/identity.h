/* identity.h - a member's stack and TLS (its identity), and the OS threads that run identities
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         docs/design/carriers.md: members beyond the CPUs are nano-threads. Such a member has
 *             a pthread of its own, and with it a stack and a TLS block. But any OS thread of its
 *             family may run it, on that stack and with that thread pointer. It changes its OS
 *             thread only where it waits.
 * Words       identity  the stack and TLS of one pthread: a worker's, or a thread's of the program
 *             carrier   the OS thread of a pthread, seen as what runs one identity after the other
 *             regular   said of a carrier that looks for identities to run. A family has as many of
 *                       these as it has CPUs
 *             at rest   said of an OS thread that runs no identity and sleeps at the upper end of
 *                       its stack. Carriers that are not regular stay there until they are handed
 *                       their own identity
 *             family    the carriers that serve the teams of one root, however deep these nest
 *             guest     an identity that runs on a root's OS thread and is not the root's
 *             helper    a carrier that is not regular, but looks for identities to run in place of
 *                       a root that takes no guests (carry.h, "Signals")
 * Invariants  I1  an identity is in one of four states: run by one carrier; in one carrier's queue;
 *                 docked out (worker.h); or in the hands of one OS thread, on its way between two
 *                 of these
 *             I2  a carrier runs one identity or is at rest. So in each group of identities of
 *                 which none runs, as many OS threads are at rest
 *             I3  a pinned identity is run by its own carrier only. The watchdog alone moves it,
 *                 when that carrier is busy. Identities of the program's own threads are pinned
 *             I4  a carrier runs identities of its own place only, so their CPU mask is its own
 *             I5  carriers and identities are never freed; they are used again
 * Orders      The fields of an identity are written by the OS thread that has it in hand (I1). They
 *             are handed on by a queue's lock (mutex:A) or by a worker's dock (worker:D). For the
 *             others see carrier.h and watchdog.h
 * Cost        a wait: a switch (arch/switch.h), and a lock taken and left twice, which others touch
 *             only to steal
 */
#ifndef NTH_SCHED_IDENTITY_H
#define NTH_SCHED_IDENTITY_H

#include <assert.h>
#include <setjmp.h>
#include <stddef.h>

#include "runtime/arch/switch.h"
#include "runtime/sched/adapt/permit.h"
#include "runtime/sched/wait/wait.h"
#include "runtime/struct/head.h"
#include "runtime/struct/mutex.h"

struct nth_carrier;
struct nth_worker;

struct nth_identity {
  /* next: the next one in the queue; queue's lock. run: what a worker's thread does; set once.
   * own: the carrier of its own pthread; set once. `deps` is unused: it waits for a word, below */
  NTH_HEAD(struct nth_identity, void (*run)(void *), struct nth_carrier *own);
  void *sp;                              /* its stack pointer while nobody runs it */
  uintptr_t pointer;                     /* its thread pointer; set once */
  _Atomic(struct nth_carrier *) carrier; /* that runs it, or ran it last; w: that one, as it
                                          * switches to it; r: hints */
  _Atomic(bool) pinned; /* I3; w: its maker; itself, when it ends; a slave's master while the
                         * slave is docked */
  bool led;             /* in a forked child: this worker's identity counts as a root */
  bool orphan;          /* in a forked child: its own OS thread is not in this process */
  bool docks;           /* it waits for work. w: itself */
  uint32_t place; /* the place that it is bound to, from 1 on; 0: none. w: its maker, itself */
  /* It waits until *word is no longer `value`, or until the clock says `until`, ns (0: no limit).
   * w: itself */
  _Atomic(uint32_t) *word; /* NULL: it waits for nothing, and goes on when it can */
  uint32_t value;
  uint64_t until;
  _Atomic(bool) *also; /* not NULL: it polls. It also goes on when *also is set, but nobody wakes
                        * an OS thread for that: it has to announce itself before its carrier
                        * sleeps. w: itself */
  struct nth_identity *previous; /* the one before it in the queue; queue's lock */
  struct nth_carrier *queue;     /* whose queue it is in; NULL: none; that one's lock */
  /* a switch, and a look at whether it can go on, read the fields up to here: two lines */
  void *arg;                       /* run's; set once */
  jmp_buf *end;                    /* a worker's: the frame in which its pthread ends; set once */
  uintptr_t stack_low, stack_high; /* a worker's stack, from a little below its lowest byte to the
                                    * runtime's first frame there; set once by each OS thread */
};
static_assert(offsetof(struct nth_identity, word) == NTH_LINE &&
                  offsetof(struct nth_identity, arg) <= 2 * NTH_LINE,
              "what a switch touches, then what a look touches");

struct nth_family {
  _Atomic(uint32_t) asleep;   /* carriers that serve and sleep; w: these */
  _Atomic(uint32_t) apart;    /* members wait on OS threads of their own; w: watchdog; r: all */
  uint32_t strikes;           /* looks in a row that found members late; w, r: watchdog, as the
                               * next four */
  uint32_t struck_in;         /* the number of the look with the last strike */
  uint64_t calm_at;           /* when strikes are forgotten, ns */
  uint64_t calmed_at;         /* when they were forgotten last, */
  uint32_t before;            /* and how many there were */
  _Atomic(uint32_t) capacity; /* how many carriers it may have; grows with the allowance; w: its
                               * root, nth_watch_grow(); r: who joins */
  uint32_t room;              /* how many carrier[] holds */
  struct nth_family *older;   /* the root's family before this one, with less room */
  _Atomic(uint32_t) size;     /* entries of carrier[] that have been in use; w: carriers that have
                               * joined, by CAS; its root, which begins anew */
  _Atomic(struct nth_carrier *) carrier[]; /* [0] the root's, or its helper; NULL: it has left, or
                                            * was never there; w: who joins, by CAS from NULL */
};

struct nth_carrier {
  /* The queue. */
  _Alignas(NTH_APART) struct nth_mutex lock;
  _Atomic(uint32_t) queued; /* identities in the queue; w: under lock; r: all */
  struct nth_identity *first, *last;
  bool over;                /* the queue takes no more: the OS thread has ended; lock */
  _Atomic(uint32_t) seen;   /* its `switches` at a thief's last look; w, r: thieves: a hint */
  _Atomic(uint32_t) domain; /* the memory domain of its worker; w: its master; r: thieves */
  /* Written by its OS thread. switches: r: thieves; current: r: watchdog, debuggers */
  _Alignas(NTH_APART) _Atomic(struct nth_identity *) current; /* that it runs; NULL: at rest */
  _Atomic(uint32_t) switches;                                 /* that it has made so far */
  _Atomic(uint32_t) place;   /* of its own identity; I4; w: its maker, that identity; r: all */
  struct nth_identity *left; /* during a switch: the identity that is left, */
  void (*after)(struct nth_identity *); /* and what is done with it after the switch */
  struct nth_identity *rest; /* on whose stack the OS thread sleeps: `base`, or the root */
  bool masked;               /* signals are blocked in the OS thread, but for faults; `mask` is its
                              * mask before that */
  bool tired;                /* it has spun long enough already */
  bool ending;               /* its own identity has ended */
  _Atomic(bool) on_signals;  /* `signals` is in force */
  _Atomic(bool) regular;     /* it is in its family's list. w: its maker, then its OS thread, and
                              * the child of a fork; r: all */
  bool root;                 /* its OS thread is the program's, without a place to rest; set once
                              * by each OS thread */
  struct nth_family *family; /* w: its maker, or its OS thread when the family adopts it */
  uint64_t backlog_at;       /* since when more is ready than it can run while others sleep, ns;
                              * 0: there is no backlog */
  /* a switch touches the fields from current to here: one line */
  struct nth_waiter waiter; /* the OS thread's */
  struct nth_permit permit; /* the OS thread's */
  struct nth_identity base; /* the OS thread at rest, as something to switch to */
  uint64_t mask;            /* of signals; see masked */
  uint32_t seed;            /* for random moves, in tests */
  /* A carrier that is not regular looks at times whether its own identity is still needed. look_at:
   * when, ns; 0: not known. looks: 0 for the first look; from 1 on, one more than the number of
   * times that the interval has doubled. w: its OS thread; an identity's look */
  uint64_t look_at;
  uint32_t looks;
  int tid;                /* the OS thread's number */
  void *signals;          /* its stack for signals (overflow.h), kept; NULL: it has had none */
  _Atomic(uint64_t) held; /* signals kept for a root (handlers.h), 1 << (number - 1) each; w: its OS
                           * thread, watchdog */
  /* The watchdog's: `switches` at its last look; looks in a row that found no switch; how many of
   * these were forgiven because others had the CPU; the OS thread's CPU time when it was last read,
   * and the time of that reading, ns */
  uint32_t switches_seen, stuck, lost;
  _Atomic(uint32_t) summed; /* `switches` that its sum has; w: watchdog; r: reports */
  uint64_t cpu_ns, cpu_at;
  uint32_t dozes_seen;       /* `dozes` at its last look; */
  uint8_t spare;             /* looks that found it to switch, and yet to leave its CPU unused, each
                              * with its weight (NTH_WATCH_SPARE) */
  bool watched;              /* it is in the watchdog's list, */
  struct nth_carrier *known; /* and this is the next one there; set once */
  /* Others wake it by these. */
  _Alignas(NTH_APART) _Atomic(uint32_t) alarm; /* futex word; w: any; A */
  _Atomic(uint32_t) asleep;                    /* it sleeps, or is about to; w: itself; A */
  _Atomic(uint32_t) dozes;                     /* its sleeps so far; w: itself; r: watchdog */
  _Atomic(uint32_t) helps; /* it is its family's helper; w: its OS thread, at rest; r: all */
  _Atomic(bool) called;    /* it is to become regular, since there are more CPUs; w:
                            * nth_watch_grow(), its OS thread at rest; r: all */
  _Atomic(bool)
      away; /* it is regular, and beyond the request (carry.h); w: its OS thread; r: all */
};

static_assert(sizeof(struct nth_carrier) <= 6 * NTH_APART,
              "another line: a region of 8 members takes 15 % longer");
static_assert(offsetof(struct nth_carrier, backlog_at) + sizeof(uint64_t) -
                      offsetof(struct nth_carrier, current) <=
                  NTH_LINE,
              "a switch touches one line of its carrier's own");

/* A pthread, as the pair of its identity and its carrier. */
struct nth_pthread {
  struct nth_identity self;
  struct nth_carrier carrier;
  struct nth_worker *worker; /* that it serves; w: its maker; itself, when it leaves that worker */
  _Atomic(uint32_t) begun;  /* a worker that was a plain OS thread has become a carrier; futex word;
                             * worker.h B */
  struct nth_pthread *next; /* in the list of ended ones; holder's lock */
};

#endif
