/* overflow.h - a message that tells when a member's stack has overflowed
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Deep recursion ends in the guard page below a member's stack, and the process with
 *             SIGSEGV. Nothing tells the user that OMP_STACKSIZE would have helped. With
 *             nano-thread members the fault may even be on the OS thread of main, whose own stack
 *             is fine.
 * How         A handler for SIGSEGV, set unless the program has one by then, prints the message and
 *             leaves the rest to the default: the same signal ends the process, with the same core.
 *             A handler that the program sets later replaces it, and may call it for what it does
 *             not handle itself: then, too, the default comes next. The runtime's handler needs an
 *             alternative stack in each OS thread that runs members; if the program has set one,
 *             that one serves.
 * Others      A handler of the program's with SA_ONSTACK would run on that stack too. Under libgomp
 *             it has the thread's own stack, which may be far larger. So an OS thread gets an
 *             alternative stack only while the runtime's handler is in force. From the first
 *             handler of that kind on (handlers.h sees it) OS threads give theirs up, each when it
 *             next switches to another member or begins a region (nth_overflow_look).
 * Tested by   tests/lit/members/stack_overflow.c, fault_chain.c, signal_stack.c, mappings.c
 */
#ifndef NTH_SCHED_OVERFLOW_H
#define NTH_SCHED_OVERFLOW_H

#include "runtime/sched/nano/carrier.h"

/* Sets the handler. Before the first member may be a nano-thread. */
void nth_overflow_begin(void);

/* Whether this is the runtime's handler. */
bool nth_overflow_handles(uintptr_t handler);

/* The calling OS thread, c's, may run members: gives it an alternative stack, which c keeps. */
void nth_overflow_thread(struct nth_carrier *c);
/* Takes the alternative stack of the calling OS thread out of use. */
void nth_overflow_leave(struct nth_carrier *c);

/* Does so if the program wants its own stacks; called by c's OS thread now and then. */
static inline void nth_overflow_look(struct nth_carrier *c) {
  if (nth_carrier_is(NTH_OWN_STACKS))
    nth_overflow_leave(c);
}

#endif
