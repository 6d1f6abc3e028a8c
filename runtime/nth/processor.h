/* processor.h - a processor that runs nano-threads
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         "A Library Implementation of the Nano-Threads Programming Model" (Euro-Par 1996),
 *             section 3: a scheduling loop, run by as many kernel threads as there are processors,
 *             looks for nano-threads in the ready queues. "Introducing Batches of Threads" counts
 *             them in `kthreads`. Number 0 is the thread that called nth_init(); the others come
 *             from the holder (sched/threads/holder.h).
 * The loop    runs on a stack and calls one nano-thread after the other on it. A nano-thread that
 *             blocks leaves its stack as it is, and the loop goes on on another one. When a blocked
 *             one can be resumed the loop's own stack becomes free, with the loop asleep in it. So
 *             at each time one loop of a processor is awake, or its own stack is in use (number 0
 *             outside nth_block(), the others before and after all)
 * What next   nano-threads that can be resumed; the own queue; the domains' on the way to the root;
 *             the others' queues, the nearest first; the other domains' (sched/wait/ready.h)
 * Finish      the successor's counter is lowered, the descriptor recycled. Nano-threads that run
 *             one after the other mostly have the same successor. Their counts are kept back
 *             (`held`) and taken off at once before anything else is started than one more
 *             predecessor of the same successor: that one the successor has to wait for anyway, so
 *             it waits no longer than without this
 * Invariants  I1  runner.current is the nano-thread that runs, or the one that is blocked last
 *             I2  sum of made + made_outside - sum of done = nano-threads that are queued, run, are
 *                 blocked, are behind tasks (across.h), or have ended and their successor has not
 *                 been told. made is raised before a nano-thread is queued, done before its
 *                 successors are told: who waits for all finds the sums equal. done is read first,
 *                 so that equal sums say: in between was none, but perhaps one whose successor is
 *                 about to be queued
 *             I3  a processor is never freed: late readers of its queues see valid memory
 * Ownership   all but lrq, park and the counts is the processor's own
 * Orders      D   made, done: their release -> the acquire of who sums them up: what finished
 *                 nano-threads did to the queues
 *             the queues: lrq.h; pools: mem/pool.h; sleep and wake: park.h
 * Cost        from the end of a nano-thread to the next one's first instruction: no locked
 *             operation, but one lock in NTH_LRQ_TAKE
 * Tested by   tests/lit/nth, tests/kernels; its parts: lrq.h, deps.h
 */
#ifndef NTH_NTH_PROCESSOR_H
#define NTH_NTH_PROCESSOR_H

#include "runtime/nth/desc.h"
#include "runtime/nth/lrq.h"
#include "runtime/nth/park.h"
#include "runtime/sched/nano/stack.h"
#include "runtime/sched/wait/ready.h"
#include "runtime/sched/wait/wait.h"

struct nth_member;

/* Who calls: a processor, or a thread of the program's own. */
struct nth_runner {
  struct nth_desc *current;
  struct nth_processor *processor; /* NULL: a thread of the program's own */
};

struct nth_processor {
  struct nth_runner runner;
  uint32_t number;
  uint32_t generation;  /* of fork(), when its machine started */
  bool crowded;         /* more processors than CPUs */
  uint32_t turn, turns; /* nano-threads until others have their turn on this OS thread; and from
                         * one turn to the next */
  uint64_t turned_at;   /* when the last one was, ns */
  struct nth_waiter *waiter;
  struct nth_member *member; /* OpenMP's view of it, and its identity; w: itself, before it first
                              * sleeps; r: wakers */
  struct nth_pool *pool;     /* the member's: descriptors and stacks */
  struct nth_node *held;     /* finished predecessors of this one are not taken off yet; NULL:
                              * none */
  uint32_t held_count;
  struct nth_stack *stack; /* where it runs */
  struct nth_stack own;    /* the OS thread's */
  struct nth_stack *idle;  /* where a loop sleeps, for when the current one blocks; NULL: none */
  struct nth_stack *spare; /* one too many, given away after the switch */
  struct nth_stack *came_from;
  uint64_t control;     /* floating-point control of who called nth_init() */
  uint64_t found;       /* measurements: when the scheduler had found the current nano-thread */
  struct nth_desc main; /* number 0's: the thread that called nth_init() */
  _Alignas(NTH_APART) _Atomic(uint32_t) made, done; /* w: this processor; r: nth_exit(); I2, D */
  struct nth_route route;                           /* where it looks for work; w: nth_init() */
  struct nth_lrq lrq;
  struct nth_park park;
};

/* Calls `d` that has been found, and finishes it. False: the process is a forked child. */
bool nth_processor_run(struct nth_processor *k, struct nth_desc *d);

/* Finished predecessors that are kept back are taken off their successor. */
void nth_processor_settle_slow(struct nth_processor *k);
static inline void nth_processor_settle(struct nth_processor *k) {
  if (k->held)
    nth_processor_settle_slow(k);
}

/* n predecessors have finished: if they were the last, what waits for them is queued or resumed. */
void nth_processor_resolve(struct nth_processor *k, struct nth_node *node, uint32_t n);

/* The current nano-thread has blocked: goes away from its stack, and comes back when it can go on.
 * Behind nth_processor_prepare(). */
void nth_processor_leave(struct nth_processor *k);

/* On the processor's own stack, in the thread's first function: runs nano-threads until the machine
 * stops. */
void nth_processor_serve(struct nth_processor *k);

/* Wakes k if it sleeps. */
bool nth_processor_rouse(struct nth_processor *k);

/* A stack to go to, before it starts and before anything blocks; false: no memory. */
bool nth_processor_prepare(struct nth_processor *k);
/* Gives the stack back that it keeps. */
void nth_processor_end(struct nth_processor *k);

static inline void nth_processor_count(_Atomic(uint32_t) *count, uint32_t n) {
  nth_store_rel(count, nth_load_rlx(count) + n); /* D */
}

#endif
