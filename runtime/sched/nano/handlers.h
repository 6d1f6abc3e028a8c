/* handlers.h - whether the program handles asynchronous signals
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A root's OS thread runs guests while the root waits (identity.h). The kernel prefers
 *             main's OS thread for a signal that is sent to the process, and pthread_kill(main, n)
 *             reaches no other: the handler would find a guest's TLS there. A handler that passes
 *             its signal on to main, unless pthread_self() is main, would do so for ever. So with
 *             the first handler of an asynchronous signal roots' OS threads take no guests any
 *             more, for good (NTH_ROOTS_ALONE); carry.h says how.
 * How         Nothing tells the runtime of a new handler, so it asks the kernel, a system call a
 *             signal:
 *             - for all signals when a root becomes a carrier,
 *             - for the usual ones when a root opens a region and carriers have docked since the
 *               last one, 10 us ago or more; what that may cost is limited (NTH_HANDLERS_LOOKS).
 *               Not where the root is about to run all bodies itself, in less time than a wake-up
 *               takes, and the watchdog is awake,
 *             - for the usual ones, and a few of the others in turn, at each look of the watchdog.
 *             So it knows, too, of handlers with SA_ONSTACK (overflow.h).
 * Which       Not those signals that a thread gets for what it does itself, as SIGSEGV: these find
 *             the identity that did it. Not handlers in libgfortran, which print a trace and end
 *             the process.
 * Hold        A handler that is set inside a region, or just before one, is noticed some ms later.
 *             A guest that is on the root's OS thread by then may be caught in such a handler that
 *             passes its signal on, and never comes to leave. So the watchdog, which sees the guest
 *             at two looks, puts a handler of ours in the place of the program's: on the root's OS
 *             thread, while the guest is there, it only notes the signal; elsewhere it calls the
 *             program's. When the guest has left the program's come back, and the root's OS thread
 *             is sent what was noted. No guest comes there again, so this happens once.
 * Falls short In these ms a handler may find a guest's TLS; and what is noted is late by as long as
 *             the guest does not wait in the runtime.
 * Tested by   tests/lit/members/signal_*.c
 */
#ifndef NTH_SCHED_HANDLERS_H
#define NTH_SCHED_HANDLERS_H

#include "runtime/sched/nano/carrier.h"
#include "runtime/sched/nano/overflow.h"

/* Asks for all signals. */
void nth_handlers_look_all(void);

/* The watchdog's look; carriers: its list. True: it has to look again soon. */
bool nth_handlers_watch(struct nth_carrier *carriers);

/* Handlers in the object that holds this address do not count. */
void nth_handlers_ignore(uintptr_t low, uintptr_t high);

/* The root opens a region, and there was a gap before it. */
void nth_handlers_look_soon(void);

#endif
