/* machine.h - all processors for nano-threads together: nth_init() to nth_exit()
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         The NthLib's program starts on a fixed number of processors and sees no others. Here
 *             a program may use OpenMP as well, and threads of its own: the machine is something it
 *             has between nth_init() and nth_exit().
 * Use         nth_machine_start(n), by the thread that becomes processor 0; nth_machine_stop() by
 *             the same
 * With OpenMP Processors 1 to n - 1 are the slaves of the caller's next team, which is lent for
 *             that long (team_make.h), and members at level 0, so that a nano-thread may open
 *             regions like any thread. In `auto` the caller's teams may have nano-threads from now
 *             on (members.h): processors and members take turns on as many OS threads as there are
 *             CPUs. Idle, they wait like docked processors: they spin for a while, then sleep
 * Outside     A thread that is no processor gets a descriptor of its own when it asks for it. It
 *             can create, queue and wait, but runs no nano-threads
 * Fork        A child has no machine and may start one. What it returns to of nano-threads ends:
 *             nth_block() of the initial thread returns ECHILD, a processor's thread ends
 * Invariants  I1  running: processors, processor[0 .. processors - 1], the tree and routes stay as
 *                 they are
 *             I2  processor objects serve the next machine, too
 * Orders      M   running: start's release -> acquire in threads outside: processors, processor[]
 *             S   stop: main's release -> the processors' acquire; against sleepers as a put
 *                 (park.h)
 *             L   left: a processor's release, its last act -> main's acquire: it touches nothing
 *                 any more
 *             O   made_outside: release -> acquire of who sums up, as processor:D
 * Tested by   tests/lit/nth
 */
#ifndef NTH_NTH_MACHINE_H
#define NTH_NTH_MACHINE_H

#include "runtime/nth/processor.h"

/* The ready queue of a domain, for whoever of its processors comes first. */
struct nth_domain_queue {
  struct nth_ready ready; /* first: a node of the tree */
  struct nth_lrq lrq;
  uint32_t processors, share; /* in the domain; log2 of these, for nth_lrq_take() */
};

struct nth_machine {
  struct nth_parking parking;
  _Alignas(NTH_APART) uint32_t processors;
  _Atomic(bool) measuring; /* the scheduler notes when it finds something */
  _Atomic(bool) running;   /* M */
  _Atomic(bool) stop;      /* w: nth_exit(); r: idle processors; S */
  struct nth_processor *processor[NTH_MAX_PROCESSORS];
  struct nth_ready_tree ready;                        /* struct nth_domain_queue */
  _Alignas(NTH_APART) _Atomic(uint32_t) made_outside; /* nano-threads queued by other threads; O */
  _Atomic(uint32_t) left; /* processors that have stopped; L; futex word */
};

extern struct nth_machine nth_machine;

/* NULL in a thread that has nothing to do with nano-threads. */
extern _Thread_local struct nth_runner *nth_runner_self __attribute__((tls_model("initial-exec")));

/* The queue at a node of the tree. */
static inline struct nth_domain_queue *nth_machine_domain(uint32_t node) {
  return (struct nth_domain_queue *)nth_machine.ready.node[node];
}

/* 0: as many as a region would have threads. Returns 0 or an errno value. */
int nth_machine_start(int processors);
int nth_machine_stop(void);

/* The calling thread's, made on first need; NULL: no machine runs (ENXIO), no memory (ENOMEM). */
struct nth_runner *nth_runner_make(int *error);
static inline struct nth_runner *nth_runner_get(int *error) {
  struct nth_runner *r = nth_runner_self;
  return nth_likely(r && r->processor) ? r : nth_runner_make(error);
}

/* Something was queued for k: wakes it, or another one that sleeps. Behind the put's fence. */
void nth_machine_wake_slow(struct nth_processor *k);
static inline void nth_machine_wake(struct nth_processor *k) {
  if (nth_park_any(&nth_machine.parking))
    nth_machine_wake_slow(k);
}

#endif
