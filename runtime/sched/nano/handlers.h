/* handlers.h - finds out whether the program handles asynchronous signals
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A root's OS thread runs guests while the root waits (identity.h). The kernel prefers
 *             main's OS thread for a signal that is sent to the process, and pthread_kill(main, n)
 *             reaches no other one. There the handler would find a guest's TLS. A handler that
 *             passes its signal on to main, unless pthread_self() is main, would do so for ever. So
 *             from the first handler of an asynchronous signal on, roots' OS threads take no guests
 *             (NTH_ROOTS_ALONE); carry.h says how.
 * How         Nothing tells the runtime of a new handler, so it asks the kernel, with one system
 *             call for each signal:
 *             - for all signals when a root becomes a carrier,
 *             - for the usual ones when a root opens a region, if carriers have docked since the
 *               last one, 10 us ago or more, or one carrier serves all members.
 *               NTH_HANDLERS_LOOKS limits what that may cost. Not if the root is about to run all
 *               bodies itself, in less time than a wake-up takes, and the watchdog is awake,
 *             - for the usual ones, and a few of the others in turn, at each look of the watchdog
 *               but its last one before it sleeps: that follows another one within a moment. It
 *               does not sleep while a guest is on a root's OS thread: the guest may set a handler.
 *             So it also learns of handlers with SA_ONSTACK (overflow.h).
 * Which       Signals that a thread gets for what it does itself, such as SIGSEGV, do not count:
 *             their handlers find the identity that did it. Nor do handlers in libgfortran, which
 *             print a trace and end the process.
 * Hold        A handler that is set inside a region, or just before one, is noticed some ms later.
 *             A guest that is on the root's OS thread by then may be caught in such a handler that
 *             passes its signal on, and never comes to leave. So when the watchdog has seen the
 *             guest at two looks, it puts a handler of the runtime in the place of the program's.
 *             On the root's OS thread, while the guest is there, that handler only notes the
 *             signal; elsewhere it calls the program's. When the guest has left, the program's
 *             handlers come back, and the root's OS thread is sent the noted signals, those of the
 *             real-time ones each by itself, with what came with them. No guest comes there again,
 *             except one that was on its way. So the watchdog looks for guests for 0.4 s more.
 * Chains      A program that sets another handler meanwhile is told of the runtime's as the one
 *             before it, and its new handler may call that one, at any later time. So the runtime's
 *             handler always calls the same handler of the program's, and notes a signal only where
 *             the kernel calls the runtime's handler. The program's new handler is replaced, too,
 *             by a second one of the runtime's: else it could be caught as the first one could. A
 *             third is left alone.
 * Falls short In these ms a handler may find a guest's TLS. A noted signal is late: it comes after
 *             the guest's next wait in the runtime. One from kill(), or from the kernel, then comes
 *             from the process itself (SI_TKILL). Of the signals beyond the first 64, one is left
 *             for each number. The third handler that the program sets for the same signal while
 *             one guest is there may be caught.
 * Orders      K   what came with a signal: the root's OS thread, which notes it -> the watchdog
 * Tested by   tests/lit/members/signal_*.c
 */
#ifndef NTH_SCHED_HANDLERS_H
#define NTH_SCHED_HANDLERS_H

#include <signal.h>

#include "runtime/sched/nano/carrier.h"
#include "runtime/sched/nano/overflow.h"

/* A signal in a mask of the kernel's. */
#define NTH_SIGNAL_BIT(number) (1ull << ((number) - 1))
/* Those of faults of the code that a thread runs. */
#define NTH_SIGNALS_OF_FAULTS                                                                      \
  (NTH_SIGNAL_BIT(SIGSEGV) | NTH_SIGNAL_BIT(SIGBUS) | NTH_SIGNAL_BIT(SIGFPE) |                     \
   NTH_SIGNAL_BIT(SIGILL) | NTH_SIGNAL_BIT(SIGTRAP) | NTH_SIGNAL_BIT(SIGSYS))

/* Asks the kernel about all signals. */
void nth_handlers_look_all(void);

/* The watchdog's part, at each of its looks; carriers: its list; ask: the kernel, too. True: it has
 * to look again soon. */
bool nth_handlers_watch(struct nth_carrier *carriers, bool ask);

/* In the child of a fork, which gets none of the signals that were noted for the parent's roots. */
void nth_handlers_forked(struct nth_carrier *carriers);

/* Handlers at these addresses, low included and high not, do not count. */
void nth_handlers_ignore(uintptr_t low, uintptr_t high);

/* Asks about the usual signals: the root opens a region, after a gap. */
void nth_handlers_look_soon(void);

#endif
