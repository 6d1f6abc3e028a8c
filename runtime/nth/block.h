/* block.h - nth_block(): a nano-thread waits for its predecessors
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         "Introducing Batches of Threads", section 4.1: the main thread suspends itself, hence calling
 *             the user-level scheduler. Any nano-thread may. It goes on where it was, on its own stack and
 *             on the OS thread that started it, so that addresses of TLS stay good, which compilers
 *             take for constant within a function.
 * Kept        what lies in the OS thread's TLS and belongs to a flow of control: errno, and C++'s caught
 *             and uncaught exceptions. The nano-threads in between start without any
 * OpenMP      A nano-thread that has a region, a target region or a task of its own open may not block:
 *             what nano-threads in between open and what it closes would not nest. Processor 0's thread
 *             may, for what runs in between begins and ends while it waits: it waits in a fresh initial
 *             task (omp/context.h)
 */
#ifndef NTH_NTH_BLOCK_H
#define NTH_NTH_BLOCK_H

#include "runtime/nth/kthread.h"

/* 0, or EINVAL: there is nothing to wait for; EPERM: inside an OpenMP construct; ENOMEM: for a stack; ECHILD: the process is
 * a child of the one in which it blocked. */
int nth_kthread_block(struct nth_kthread *k);

/* Where the calling OS thread is outside of OpenMP's constructs. */
void nth_kthread_at_rest(struct nth_kthread *k);

/* Looks for the C++ library. */
void nth_block_begin(void);

#endif
