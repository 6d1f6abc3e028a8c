/* identity.h - a member's stack and TLS, and the OS threads that run such identities
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         DESIGN, "Nano-thread members": a member beyond the CPUs is a nano-thread. It has a
 *             pthread of its own, and with it a stack and a TLS block, but any OS thread of the
 *             runtime may run it: on that stack, with that thread pointer. It changes OS threads
 *             only where it waits.
 * Words       identity  stack and TLS of one pthread: a held thread, or a program's own
 *             carrier   the OS thread behind a pthread, as something that runs one identity after
 *                       the other
 *             regular   a carrier that looks for identities to run; there are as many in a family
 *                       as CPUs. The OS threads of the others sleep at the upper end of their
 *                       stacks (rest) until they are handed their identity back
 *             family    the carriers that serve one root's teams, however deep
 *             guest     an identity on a root's OS thread, other than the root
 *             helper    a carrier that is not regular, and looks for identities to run in place of
 *                       a root that takes no guests (carry.h, "Signals")
 * Invariants  I1  an identity is run by one carrier, or is in one carrier's queue, or docked out
 *                 (worker.h), or on its way from one of these to the next in the hands of one OS
 *                 thread
 *             I2  a carrier runs one identity or is at rest; so of each group of identities that do
 *                 not run as many OS threads are at rest
 *             I3  pinned identities, of the program's own threads, are run by their own carrier;
 *                 but for the watchdog's help when that one is not free
 *             I4  a carrier runs identities of its own place only, so its mask is theirs
 *             I5  carriers and identities are never freed, but used again
 * Orders      an identity's fields are written by who has it in hand (I1), and handed on by a
 *             queue's lock (mutex:A) or a worker's dock (worker:D); the rest: carrier.h, watchdog.h
 * Cost        a switch (arch/switch.h), a lock taken and left twice, which others touch only to
 *             steal
 */
#ifndef NTH_SCHED_IDENTITY_H
#define NTH_SCHED_IDENTITY_H

#include <assert.h>
#include <stddef.h>

#include "runtime/arch/switch.h"
#include "runtime/sched/wait/wait.h"
#include "runtime/struct/head.h"
#include "runtime/struct/mutex.h"

struct nth_carrier;
struct nth_worker;

struct nth_identity {
  /* next: in a queue; its lock. run: what a held thread does, set once. own: the carrier of its own
   * pthread, set once. It waits for a word, below, and not for others */
  NTH_HEAD(struct nth_identity, void (*run)(void *), struct nth_carrier *own);
  void *sp;                              /* while nobody runs it */
  uintptr_t pointer;                     /* its thread pointer; set once */
  _Atomic(struct nth_carrier *) carrier; /* who runs it, or ran it last; w: who switches to it; r:
                                          * hints */
  _Atomic(bool) pinned; /* I3; w: its maker; itself, when it ends; of a slave its master,
                         * while it is docked */
  bool led;             /* a forked child's, which counts as a root */
  bool orphan;          /* a forked child's: its own OS thread is not here */
  bool docks;           /* what it waits for is work. w: itself */
  uint32_t place;       /* to which it is bound, from 1 on; 0: none. w: its maker, itself */
  /* what it waits for: that *word is not value any more, or that it is `until`, ns, if that is not
   * 0. w: itself */
  _Atomic(uint32_t) *word; /* NULL: nothing, it goes on when it can */
  uint32_t value;
  uint64_t until;
  _Atomic(bool) *also; /* not NULL: it goes on when that is set, too, and nobody would wake
                        * an OS thread for it: it has to announce itself before one sleeps.
                        * w: itself */
  struct nth_identity *previous; /* in a queue; its lock */
  struct nth_carrier *queue;     /* in whose; NULL: none; its lock */
  /* up to here a switch and a look go, in two lines */
  void *arg;                       /* run's; set once */
  uintptr_t stack_low, stack_high; /* a held thread's stack, from a little below its lowest byte to
                                    * its first frame of ours; set once an OS thread */
};
static_assert(offsetof(struct nth_identity, word) == NTH_LINE &&
                  offsetof(struct nth_identity, arg) <= 2 * NTH_LINE,
              "what a switch touches, and behind it what a look does");

struct nth_family {
  _Atomic(uint32_t) asleep;    /* regular carriers that sleep; w: these */
  _Atomic(uint32_t) apart;     /* members wait on OS threads of their own; w: watchdog; r: all */
  uint32_t strikes;            /* looks in a row that found members late; watchdog's, as the
                                * others */
  uint64_t struck_at, calm_at; /* when the last one was, and when that is over, ns */
  uint32_t capacity, room;     /* carriers that it may have, and that there is memory for */
  struct nth_family *older;    /* what the root had before, with less room */
  _Atomic(uint32_t) size;      /* w: who joins, in the holder's lock */
  _Atomic(struct nth_carrier *) carrier[]; /* [0] the root's, or its helper; NULL: it has left */
};

struct nth_carrier {
  /* the queue */
  _Alignas(NTH_APART) struct nth_mutex lock;
  _Atomic(uint32_t) queued; /* identities in it; w: under lock; r: all */
  struct nth_identity *first, *last;
  bool over;                /* it takes no more: its OS thread has ended */
  _Atomic(uint32_t) seen;   /* switches at a thief's last look; w, r: thieves: a hint */
  _Atomic(uint32_t) domain; /* of memory, where its worker is laid; w: its master; r: thieves */
  /* its own; switches: r: thieves, current: r: watchdog, debuggers */
  _Alignas(NTH_APART) _Atomic(struct nth_identity *) current; /* NULL: at rest */
  _Atomic(uint32_t) switches;
  _Atomic(uint32_t) place;   /* its own identity's; I4; w: its maker, that identity; r: all */
  struct nth_identity *left; /* during a switch: who is left, */
  void (*after)(struct nth_identity *); /* and what is done with it then */
  struct nth_identity *rest;            /* where the OS thread sleeps: `base`, or the root itself */
  bool masked;               /* all signals are blocked in the OS thread, mask is what they were
                              * before */
  bool tired;                /* it has spun long enough already */
  bool ending;               /* its own identity has ended */
  _Atomic(bool) on_signals;  /* `signals` is in force */
  _Atomic(bool) regular;     /* set once an OS thread; w: that one; r: all */
  bool root;                 /* its OS thread is a program's own, without a place to rest; set
                              * once an OS thread */
  struct nth_family *family; /* set once an OS thread */
  uint64_t backlog_at;       /* since when more than it can run is ready while others sleep, ns;
                              * 0: not */
  /* up to here a switch goes, in one line */
  struct nth_waiter waiter; /* the OS thread's */
  struct nth_identity base;
  uint64_t mask;
  uint32_t seed; /* for moves, in tests */
  /* not regular: when it looks whether its own identity is still needed, ns, 0: not known; 1 and
   * more: the time until the next look has doubled so often, but for one. w: its OS thread */
  uint64_t look_at;
  uint32_t looks;
  int tid;                /* the OS thread's number */
  void *signals;          /* a stack for its signals (overflow.h), for good; NULL: it has had
                           * none */
  _Atomic(uint64_t) held; /* a root's: signals that are kept for it (handlers.h), 1 << number -
                           * 1; w: its OS thread; r: watchdog */
  /* the watchdog's: switches at its last look, looks without one in a row, those that others had
   * the CPU; the OS thread's CPU time when it was last read, and that time, ns */
  uint32_t switches_seen, stuck, lost;
  uint64_t cpu_ns, cpu_at;
  bool watched;              /* it is in the watchdog's list, */
  struct nth_carrier *known; /* and this is the next one there; set once */
  /* others wake it */
  _Alignas(NTH_APART) _Atomic(uint32_t) alarm; /* futex word; w: any; A */
  _Atomic(uint32_t) asleep;                    /* w: itself; A */
  _Atomic(uint32_t) helps; /* it is its family's helper; w: its OS thread, at rest; r: all */
};

static_assert(offsetof(struct nth_carrier, backlog_at) + sizeof(uint64_t) -
                      offsetof(struct nth_carrier, current) <=
                  NTH_LINE,
              "a switch touches one line of its carrier's own");

/* A pthread, as both. */
struct nth_pthread {
  struct nth_identity self;
  struct nth_carrier carrier;
  struct nth_worker *worker; /* whom it serves; w: its maker; itself, when it leaves that one */
  _Atomic(uint32_t) begun;   /* of a worker that was an OS thread before: it is a carrier now;
                              * futex word; B */
  struct nth_pthread *next;  /* ended ones; holder's lock */
};

#endif
