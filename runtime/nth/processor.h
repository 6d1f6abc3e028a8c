/* processor.h - a processor: a member that runs nano-threads, one after the other
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         From "A Library Implementation of the Nano-Threads Programming Model" (Euro-Par
 *             1996), section 3: as many kernel threads as there are processors run a scheduling
 *             loop, which looks for nano-threads in the ready queues. "Introducing Batches of
 *             Threads" counts them in `kthreads`. Number 0 is the thread that called nth_init();
 *             the others come from the holder (sched/threads/holder.h).
 * The loop    runs on a stack and calls one nano-thread after the other on it. A nano-thread that
 *             blocks leaves its stack as it is, and the loop goes on on another stack. When a
 *             blocked one can be resumed, the loop's own stack becomes free, with the loop asleep
 *             in it. So at any time one loop of a processor is awake, or the processor's own stack
 *             is in use: of number 0 outside nth_block(), of the others before and after all
 *             nano-threads
 * What next   first the nano-threads that can be resumed. A processor beyond the request stops
 *             here (away.h). Then the own queue; those of the domains on the way to the root; the
 *             other processors' queues, the nearest first; those of the other domains
 *             (sched/wait/ready.h)
 * Finish      The successor's counter is lowered, the descriptor given back. Nano-threads that run
 *             one after the other mostly have the same successor. Their counts are kept back
 *             (`held`), and taken off together before the processor starts anything but one more
 *             predecessor of the same successor. The successor must wait for that one anyway, so it
 *             waits no longer than without this
 * Invariants  I1  runner.current is the nano-thread that runs, or the last one that has blocked
 *             I2  sum of made + made_outside - sum of done = number of nano-threads that are
 *                 queued, running or blocked, that wait for tasks (across.h), or that have ended
 *                 and have not told their successor. made is raised before a nano-thread is queued,
 *                 done before its successors are told: a thread that waits for all nano-threads
 *                 finds the sums equal. It reads done first. So equal sums say that in between
 *                 there was none, except perhaps one whose successor is about to be queued
 *             I3  a processor is never freed: late readers of its queues see valid memory
 * Ownership   all fields are the processor's own but lrq, sleeper, park, the counts, away (its
 *             header), and what nth_init() sets: route, crowded, number, generation
 * Orders      D   made, done: their release -> the acquire of the thread that sums them up: what
 *                 finished nano-threads did to the queues
 *             the queues: lrq.h; pools: mem/pool.h; sleep and wake: park.h
 * Cost        from the end of a nano-thread to the next one's first instruction: no locked
 *             operation, except one lock in NTH_LRQ_TAKE nano-threads
 * Tested by   tests/lit/nth, tests/kernels; its parts: lrq.h, deps.h
 */
#ifndef NTH_NTH_PROCESSOR_H
#define NTH_NTH_PROCESSOR_H

#include "runtime/nth/away.h"
#include "runtime/nth/desc.h"
#include "runtime/nth/lrq.h"
#include "runtime/nth/park.h"
#include "runtime/nth/patience.h"
#include "runtime/sched/nano/stack.h"
#include "runtime/sched/wait/ready.h"
#include "runtime/sched/wait/wait.h"

struct nth_member;

/* The caller of a function of nth.h: a processor, or a thread of the program's own. */
struct nth_runner {
  struct nth_desc *current;
  struct nth_processor *processor; /* NULL: a thread of the program's own */
};

struct nth_processor {
  struct nth_runner runner;
  uint32_t number;
  uint32_t generation;  /* the fork generation in which its machine started */
  bool crowded;         /* more processors than CPUs */
  uint32_t turn, turns; /* nano-threads until others have their turn on this OS thread; from one
                         * turn to the next */
  uint64_t turned_at;   /* when the last turn was, ns */
  struct nth_patience patience;
  struct nth_waiter *waiter;
  struct nth_member *member; /* what it is to OpenMP */
  struct nth_pool *pool;     /* the member's: descriptors and stacks */
  struct nth_node *held;     /* the successor of finished predecessors that are not taken off yet;
                              * NULL: none */
  uint32_t held_count;
  struct nth_stack *stack; /* the stack on which it runs */
  struct nth_stack own;    /* the OS thread's own */
  struct nth_stack *idle;  /* on which a loop sleeps, to go on when a nano-thread blocks; NULL:
                            * none */
  struct nth_stack *spare; /* one too many, to be given back after the switch */
  struct nth_stack *came_from;
  uint64_t control;     /* floating-point control of the thread that called nth_init() */
  uint64_t found;       /* measurements: when it found the current nano-thread */
  struct nth_desc main; /* number 0's: the thread that called nth_init() */
  _Alignas(NTH_APART) _Atomic(uint32_t) made, done; /* w: this processor; r: nth_exit(); I2, D */
  struct nth_route route;                           /* the order in which it looks for work; w:
                                                     * nth_init() */
  struct nth_lrq lrq;
  /* Whom a waker tells; NULL: a plain OS thread. The member may have ended by then, identities stay
   * (identity.h, I5). w: itself, before a sleep; r: wakers; park:W */
  _Atomic(struct nth_identity *) sleeper;
  struct nth_park park;
  struct nth_away away;
};

/* Runs d to its end, and finishes it. False: the process is a forked child. */
bool nth_processor_run(struct nth_processor *k, struct nth_desc *d);

/* Takes the finished predecessors that are kept back off their successor. */
void nth_processor_settle_slow(struct nth_processor *k);
static inline void nth_processor_settle(struct nth_processor *k) {
  if (k->held)
    nth_processor_settle_slow(k);
}

/* n predecessors of a node have finished. If they were the last, its nano-thread is queued or
 * resumed, or its task's event counts them. */
void nth_processor_resolve(struct nth_processor *k, struct nth_node *node, uint32_t n);

/* The current nano-thread has blocked: leaves its stack, and returns when it can go on. After
 * nth_processor_prepare(). */
void nth_processor_leave(struct nth_processor *k);

/* Runs nano-threads until the machine stops. On the OS thread's own stack. */
void nth_processor_serve(struct nth_processor *k);

/* Sleeps at a park of k's: enter, as nth_park_enter(); a look at what it waits for; sleep, unless
 * there is some; nth_park_leave(). In its sleep the OS thread goes on with members of teams and
 * other processors that are ready. */
bool nth_processor_enter(struct nth_processor *k, struct nth_parking *all, struct nth_park *p);
void nth_processor_sleep(struct nth_processor *k, struct nth_park *p, uint64_t timeout_ns);

/* Wakes k if it sleeps because it is idle; if it sleeps at that park of its own. */
bool nth_processor_rouse(struct nth_processor *k);
bool nth_processor_rouse_at(struct nth_processor *k, struct nth_parking *all, struct nth_park *p);

/* Gets a stack to go to, before the processor starts and before a nano-thread blocks; false: no
 * memory. */
bool nth_processor_prepare(struct nth_processor *k);
/* Gives back the stack that it keeps. */
void nth_processor_end(struct nth_processor *k);

static inline void nth_processor_count(_Atomic(uint32_t) *count, uint32_t n) {
  nth_store_rel(count, nth_load_rlx(count) + n); /* D */
}

#endif
