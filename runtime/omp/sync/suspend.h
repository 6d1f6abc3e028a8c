/* suspend.h - suspends the current task until any thread says that it may go on
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A call that blocks, say one of MPI, keeps its OS thread from ready work. A library
 *             around such calls suspends the task in place of that, and resumes it later. The
 *             public header nanogomp/suspend.h shows it to that library
 * Where       An untied task on a stack of its own (task_berth.h), and a member that is a
 *             nano-thread or takes turns with some (nano/members.h). Elsewhere nothing can be
 *             suspended, and nth_suspended_begin() says so
 * Use         begin(s) -> s is shown to whoever resumes it -> wait(s); over(s) once, by any thread.
 *             Between begin and wait the caller calls nothing else of the runtime
 * Habits      Whether an untied task gets a stack of its own is learned by function, so it may have
 *             none when it waits for the first time. Where a wait without one may never end,
 *             nth_suspended_always() gives one to all of them
 * Invariants  I1  s lives until wait() has returned. over() reads it before it says so, and after
 *                 that only passes an address to the kernel
 * Orders      O   over: the resuming thread -> the member that waits. A suspended task's: that of
 *                 berth_list:W
 * Cost        a task: two steps between stacks; a member: a switch for each turn of the others
 * Tested by   tests/model/suspend, tests/model/berth, tests/lit/tasks/suspend.c,
 *             tests/lit/ompt/suspended.c, tests/mpi/test_tasks.py
 */
#ifndef NTH_OMP_SUSPEND_H
#define NTH_OMP_SUSPEND_H

#include <stdbool.h>

#include "runtime/base/atomic.h"
#include "runtime/sched/wait/poll.h"

struct nth_berth;

struct nth_suspended {
  struct nth_berth *berth; /* NULL: it is a member that waits. w: begin; r: over, wait; published
                            * by whatever shows s to others */
  _Atomic(uint32_t) over;  /* futex word, of a member: 1: it may go on; w: over; r: the member; O */
};

/* Whether the caller could be suspended where it is. */
bool nth_suspended_here(void);
/* The caller is about to wait. False: it cannot be suspended where it is. */
bool nth_suspended_begin(struct nth_suspended *s);
/* Returns when some thread has called nth_suspended_over(s), before or meanwhile. */
void nth_suspended_wait(struct nth_suspended *s);
void nth_suspended_over(struct nth_suspended *s);

/* From now on each untied task of a team starts on a stack of its own. */
void nth_suspended_always(void);

/* Sets the function that waits poll (sched/wait/poll.h). Members of the caller's teams that sleep
 * in waits for tasks call it at once: they may sleep without a limit if it had nothing to look
 * after. */
void nth_suspended_poll(nth_poll_fn *poll);

#endif
