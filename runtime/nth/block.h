/* block.h - nth_block(): a nano-thread waits for its predecessors
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         From "Introducing Batches of Threads", section 4.1: the main thread suspends itself
 *             and so calls the user-level scheduler. Here any nano-thread may. It goes on where it
 *             was, on its own stack and on the processor that started it. So addresses of TLS stay
 *             good, which compilers take for constant within a function.
 * Kept        errno and the state of C++ exceptions (luggage.h). The nano-threads that run in
 *             between start without any
 * OpenMP      A nano-thread that has a region, a target region or a task of its own open may block,
 *             too. Its state is put aside (aside.h), and the nano-threads in between find their
 *             processor outside of all constructs
 * Outside     A thread that is no processor runs no nano-threads while it waits. A member of a team
 *             runs tasks that descend from its own, and its OS thread goes on with other members
 *             (carry.h)
 */
#ifndef NTH_NTH_BLOCK_H
#define NTH_NTH_BLOCK_H

#include "runtime/nth/processor.h"

/* Returns 0; EINVAL: there is nothing to wait for; ENOMEM: no memory for a stack; ECHILD: the
 * process is a child of the one in which it blocked. */
int nth_processor_block(struct nth_processor *k);
/* The same for a thread that is no processor. */
int nth_block_outside(struct nth_runner *r);

#endif
