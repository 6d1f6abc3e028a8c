/* overflow.h - a member's stack overflow is said to be one
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Deep recursion ends in the guard page below a member's stack, and the process with SIGSEGV: nothing
 *             tells that OMP_STACKSIZE would have helped. With nano-thread members the fault may even be on the
 *             OS thread of main, whose own stack is fine.
 * How         A handler for SIGSEGV, unless the program has one by then, says so and leaves the rest to the
 *             default: the same signal ends the process, with the same core. Later handlers of the program's
 *             replace it. It needs an alternative stack in each OS thread that runs members; where the program has
 *             set one, that serves.
 */
#ifndef NTH_SCHED_OVERFLOW_H
#define NTH_SCHED_OVERFLOW_H

#include "runtime/sched/identity.h"

/* Before the first member may be a nano-thread. */
void nth_overflow_begin(void);

/* The calling OS thread may run members; x is its own identity, whose stack's bounds are noted if it is a held
 * thread. stack: NTH_OVERFLOW_BYTES that stay as long as the thread. */
void nth_overflow_thread(struct nth_identity *x, void *stack, bool held);
/* The thread goes on, but not that stack. */
void nth_overflow_leave(void *stack);

#endif
