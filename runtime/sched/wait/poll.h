/* poll.h - a function outside the runtime that waits call, to learn whether something is over
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Some things end without telling anybody: the messages of MPI are there when somebody
 *             asks MPI for them. A library that has suspended tasks until then (omp/sync/suspend.h)
 *             has no thread of its own. It is called by members that look for tasks and by members
 *             that are about to sleep, and then says what can go on
 * Use         nth_poll_set() once, by the library; nth_poll() where a member looks for a task;
 *             nth_poll_nap() where it is about to sleep, after its announcement and before its last
 *             look
 * Order       Messages pass from task to task over several processes, so a task that holds up the
 *             next message holds up all of them. With a hook a member therefore asks before each
 *             task, runs tasks on that were suspended before it starts others, and starts an untied
 *             task as soon as the task before it ends; tied ones pass the queue (tasks/task.c).
 *             The kernel mpi_stencil reaches 0.92 to 0.97 of its speed without messages, and 0.71
 *             without that order (docs/mpi.md)
 * Hook        May be called by any member at any time, by several at once. sleeps: the caller goes
 *             to sleep next; the hook returns for how long at most, ns, 0: as long as it likes. It
 *             waits for nothing. It may make tasks ready and fulfil events
 * Orders      P   nth_poll_hook: the thread that sets it -> members that call it
 * Cost        no hook: nothing where tasks are looked for (nth_task_find_asks), and a load and a
 *             test before a sleep
 * Tested by   tests/lit/tasks/suspend.c
 */
#ifndef NTH_SCHED_POLL_H
#define NTH_SCHED_POLL_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/atomic.h"
#include "runtime/base/check.h"

typedef uint64_t nth_poll_fn(int sleeps);

/* w: nth_poll_set(); r: members; P */
extern _Atomic(nth_poll_fn *) nth_poll_hook;

void nth_poll_set(nth_poll_fn *hook);

#ifdef NTH_MODEL /* models have no such library */
static inline void nth_poll(void) {}
static inline uint64_t nth_poll_nap(uint64_t timeout_ns) { return timeout_ns; }
#else
static inline void nth_poll(void) {
  nth_poll_fn *hook = nth_load_acq(&nth_poll_hook); /* P */
  if (nth_unlikely(hook != 0))
    (void)hook(false);
}

/* How long a member may sleep that would otherwise sleep for that time (0: until it is woken). */
static inline uint64_t nth_poll_nap(uint64_t timeout_ns) {
  nth_poll_fn *hook = nth_load_acq(&nth_poll_hook); /* P */
  if (nth_likely(!hook))
    return timeout_ns;
  uint64_t most = hook(true);
  return most != 0 && (timeout_ns == 0 || most < timeout_ns) ? most : timeout_ns;
}
#endif

#endif
