/* overflow.h - a member's stack overflow is said to be one
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Deep recursion ends in the guard page below a member's stack, and the process with
 *             SIGSEGV: nothing tells that OMP_STACKSIZE would have helped. With nano-thread members
 *             the fault may even be on the OS thread of main, whose own stack is fine.
 * How         A handler for SIGSEGV, unless the program has one by then, says so and leaves the
 *             rest to the default: the same signal ends the process, with the same core. Later
 *             handlers of the program's replace it. It needs an alternative stack in each OS thread
 *             that runs members; where the program has set one, that serves.
 * Others      A handler of the program's with SA_ONSTACK would find itself on that stack, too,
 *             where libgomp's threads have none and it would have the thread's own, which may be
 *             larger by far. So there is none where our handler is not in force; and with the first
 *             handler of that kind (handlers.h sees it) OS threads give theirs up, each when it
 *             next switches to another member or begins a region (nth_overflow_look).
 * Tested by   tests/lit/members/stack_overflow.c, signal_stack.c
 */
#ifndef NTH_SCHED_OVERFLOW_H
#define NTH_SCHED_OVERFLOW_H

#include "runtime/sched/nano/carrier.h"

/* Before the first member may be a nano-thread. */
void nth_overflow_begin(void);

/* Whether that is our handler. */
bool nth_overflow_handles(uintptr_t handler);

/* The calling OS thread, c, may run members: from now on it has an alternative stack, of c's for
 * good. */
void nth_overflow_thread(struct nth_carrier *c);
/* It has none of ours any more. */
void nth_overflow_leave(struct nth_carrier *c);

/* By c's OS thread, now and then. */
static inline void nth_overflow_look(struct nth_carrier *c) {
  if (nth_carrier_is(NTH_OWN_STACKS))
    nth_overflow_leave(c);
}

#endif
