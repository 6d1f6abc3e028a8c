/* runtimes.h - other runtimes in the process that do not go together with nano-threads
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         Collectors of garbage stop all OS threads by signals, and look through the stacks
 *             that these have from the system. They would stop a nano-thread that another one waits
 *             for, and would not see what lies on the stack of a suspended task.
 * Use         nth_runtimes_find() before members become nano-threads; nth_runtimes_know_stacks()
 *             where a function's tasks may get stacks of their own for the first time
 * How         By the names of the process's objects, and by functions that they export
 *             (base/objects.h). One walk answers both questions, and none is made while no
 *             object has been loaded since.
 * Falls short One that is linked statically, or exports nothing, is not seen
 * Tested by   tests/lit/members/refused.c, tests/lit/tasks/untied_refused.c
 */
#ifndef NTH_OMP_RUNTIMES_H
#define NTH_OMP_RUNTIMES_H

#include <stdbool.h>

/* True: the process's objects could be looked at; *why says why members must be OS threads, NULL:
 * there is no reason. */
bool nth_runtimes_find(const char **why);

/* Whether one of them looks through threads' stacks, or keeps to their bounds. */
bool nth_runtimes_know_stacks(void);

#endif
