/* suspend.h - suspends the current task until any thread says that it may go on
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * In nanogomp's libgomp.so.1 at version node NTH_1.0. For libraries whose calls block: such a call
 * starts its work without blocking, suspends the task that called it, and the member that ran the
 * task goes on with other tasks. libnanogomp-mpi.so does that with the calls of MPI (docs/mpi.md).
 *
 *   struct nth_suspension s;
 *   start the work;
 *   if (nth_suspend_begin(&s)) {
 *     show s to whoever will learn that the work is over;   // and calls nth_suspend_over(&s)
 *     nth_suspend_wait(&s);
 *   } else
 *     wait in place;
 *
 * An untied task can be suspended when it has a stack of its own, and so can members of a region in
 * which members are nano-threads (NTH_MEMBERS, docs/members.md). Nothing else can.
 */
#ifndef NANOGOMP_SUSPEND_H
#define NANOGOMP_SUSPEND_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Of one wait. It lies in the waiting call's memory until nth_suspend_wait() has returned. */
struct nth_suspension {
  void *opaque[4];
};

/* Whether the caller could be suspended where it is. */
int nth_suspend_here(void);
/* The caller is about to wait. 0: it cannot be suspended where it is. Otherwise nth_suspend_wait()
 * must follow, and until then the caller calls nothing else of OpenMP but nth_suspend_poll(). */
int nth_suspend_begin(struct nth_suspension *s);
/* Returns when some thread has called nth_suspend_over(s), before or meanwhile. The task goes on in
 * the same OpenMP thread. */
void nth_suspend_wait(struct nth_suspension *s);
/* Once for each wait, by any thread. *s may be gone when it returns. */
void nth_suspend_over(struct nth_suspension *s);

/* From now on each untied task in a parallel region starts on a stack of its own, as far as there
 * are stacks (docs/design/tasks.md). Otherwise the library learns which functions wait, and the
 * first wait of a task may find that it cannot be suspended. Costs some 150 instructions a task. */
void nth_suspend_always(void);

/* poll(sleeps) is called from now on by OpenMP threads that look for tasks or are about to sleep
 * (sleeps: 1), at any time and by several at once. It must not wait. It may call nth_suspend_over()
 * and omp_fulfill_event(). It returns how long a caller that sleeps may do so, in ns; 0: as long as
 * it likes. NULL: nobody is called any longer; calls in progress go on. There is one such function;
 * the last one set counts. The child of a fork has it too. Each call also wakes the threads of the
 * caller's region that wait for tasks. A poll that had nothing to look after has let them sleep
 * without a limit: so a library calls this function again when there is something to poll for. It
 * may do so between nth_suspend_begin() and nth_suspend_wait(). */
void nth_suspend_poll(uint64_t (*poll)(int sleeps));

#ifdef __cplusplus
}
#endif

#endif
