/* called.h - the CPU on which a held thread that was woken begins
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         The kernel may wake a thread on a CPU that another one keeps, beside one that is idle
 *             or soon will be: the caller's own. There the woken thread waits, or the caller does,
 *             until the kernel balances its queues: 1 to 4 ms. For errands of 10 ms on two CPUs
 *             that was a tenth of the time.
 * Use         The thread that was called last is known until it comes. Then
 *             nth_called_bring  the caller sleeps: the thread is to have its CPU
 *             nth_called_send   the caller goes on with an errand: the thread is to have another
 *             nth_called_comes  the thread comes on the CPU of its caller, which is awake, though
 *                               CPUs are idle: it leaves it
 * Left alone  Short errands (NTH_HOLD_LONG_NS); where calls are slow (held.h)
 * Invariants  nothing but places depends on what is here. While a thread is moved its mask is
 *             another one; the lock of held.h is held then, so that the thread cannot begin an
 *             errand, which might look at its mask
 * Orders      `called` is relaxed: a hint
 * Cost        a line of the pool's; a move: five system calls at most
 * Tested by   tests/unit/held_called.c, tests/lit/tholder/called_cpu.c
 */
#ifndef NTH_SCHED_CALLED_H
#define NTH_SCHED_CALLED_H

#include "runtime/sched/hold/held_inside.h"

/* The caller is about to wake h. In the lock. */
void nth_called(struct nth_held *h);
/* h is awake, and the calling thread. */
void nth_called_comes(const struct nth_held *h);
/* The calling thread is about to sleep; it is about to run an errand. */
void nth_called_bring(void);
void nth_called_send(void);

#endif
