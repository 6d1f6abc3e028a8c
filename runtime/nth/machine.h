/* machine.h - all processors for nano-threads together: nth_init() to nth_exit()
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         In the NthLib of the papers a program starts on a fixed number of processors and sees
 *             no other threads. Here a program may also use OpenMP, and threads of its own. So the
 *             machine is something that it has from nth_init() to nth_exit().
 * Use         nth_machine_start(n), by the thread that becomes processor 0; nth_machine_stop(), by
 *             the same thread
 * With OpenMP Processors 1 to n - 1 are the slaves of the caller's next team, which is lent for
 *             that time (team_make.h). They are members at level 0, so a nano-thread may open
 *             regions like any thread. In `auto` the caller's teams may have nano-thread members
 *             from then on (members.h): processors and members take turns on as many OS threads as
 *             there are CPUs. An idle processor waits like a docked worker: it spins for a while,
 *             then sleeps
 * Outside     A thread that is no processor gets a descriptor of its own when it first needs one.
 *             It can create, queue and wait, but runs no nano-threads
 * Fork        A child has no machine and may start one. A nano-thread in which it was forked ends
 *             there: nth_block() of the initial thread returns ECHILD, the thread of another
 *             processor ends
 * Invariants  I1  while running is set, these do not change: processors, processor[0 .. processors
 *                 - 1], the tree, the routes
 *             I2  processor objects serve the next machine, too
 * Orders      M   running: start's release -> acquire in threads outside: processors, processor[]
 *             S   stop: main's release -> the processors' acquire; against sleepers like a put
 *                 (park.h)
 *             L   left: a processor's release, its last act -> main's acquire: the processor
 *                 touches nothing any longer
 *             O   made_outside: release -> the acquire of the thread that sums up, as processor:D
 * Tested by   tests/lit/nth
 */
#ifndef NTH_NTH_MACHINE_H
#define NTH_NTH_MACHINE_H

#include "runtime/nth/processor.h"

/* The ready queue of a domain: the first of its processors that comes takes from it. */
struct nth_domain_queue {
  struct nth_ready ready; /* first, since it is a node of the tree */
  struct nth_lrq lrq;
  uint32_t processors, share; /* of the domain; log2 of their number, for nth_lrq_take() */
};

struct nth_machine {
  struct nth_parking parking; /* idle processors */
  struct nth_parking absent;  /* those beyond the request: away.h */
  _Alignas(NTH_APART) uint32_t processors;
  _Atomic(bool) measuring; /* processors note when they find a nano-thread */
  _Atomic(bool) running;   /* M */
  _Atomic(bool) stop;      /* w: nth_exit(); r: idle processors; S */
  struct nth_processor *processor[NTH_MAX_PROCESSORS];
  struct nth_ready_tree ready;                        /* struct nth_domain_queue */
  _Alignas(NTH_APART) _Atomic(uint32_t) made_outside; /* nano-threads queued by other threads; O */
  _Atomic(uint32_t) left; /* processors that have stopped; L; futex word */
};

extern struct nth_machine nth_machine;

/* The calling thread's; NULL: it has nothing to do with nano-threads. */
extern _Thread_local struct nth_runner *nth_runner_self __attribute__((tls_model("initial-exec")));

/* Whether the calling thread is processor k. */
static inline bool nth_processor_is_mine(const struct nth_processor *k) {
  return nth_runner_self == &k->runner;
}

/* The queue at a node of the tree. */
static inline struct nth_domain_queue *nth_machine_domain(uint32_t node) {
  return (struct nth_domain_queue *)nth_machine.ready.node[node];
}

/* processors 0: as many as a region would have threads. Both return 0 or an errno value. */
int nth_machine_start(int processors);
int nth_machine_stop(void);

/* Whether nano-threads are queued that any processor may start. A hint, as nth_lrq_seen(). */
bool nth_machine_queued(void);

/* The calling thread's runner, made on first need; NULL: no machine runs (ENXIO), or no memory
 * (ENOMEM). */
struct nth_runner *nth_runner_make(int *error);
static inline struct nth_runner *nth_runner_get(int *error) {
  struct nth_runner *r = nth_runner_self;
  return nth_likely(r && r->processor) ? r : nth_runner_make(error);
}

/* Something was queued for k: wakes k if it sleeps, else another processor that sleeps. After the
 * put's fence. */
void nth_machine_wake_slow(struct nth_processor *k);
static inline void nth_machine_wake(struct nth_processor *k) {
  if (nth_park_any(&nth_machine.parking))
    nth_machine_wake_slow(k);
}

#endif
