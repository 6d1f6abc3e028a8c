/* taskgroup.h - taskgroup constructs
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         OpenMP 5.2, section 15.4: its end waits for the tasks made in it, and for all that
 *             descend from them. Who opens one opens it for a task, and ends it there.
 * Use         nth_taskgroup_begin(), nth_taskgroup_end(), by the same member
 * Memory      of the member's pool: most groups use again the line that the last one has left in
 *             the cache. Who refers to a group is a task in it that has not been counted off, or
 *             the member that has it open; so nobody looks at it behind its end, and the next one
 *             may have it at once.
 * Invariants  I1  the groups that a task has open are a list by outer, the innermost one first, up
 *                 to the one that the task was made in, whose end waits for the task
 *             I2  count = unfinished tasks made in the group, by the task itself or those below it
 * Orders      task.h: A, C
 * Cost        begin: a line written; end: two loads, when nothing is left
 * Tested by   tests/lit/tasks, tests/model/chain
 */
#ifndef NTH_OMP_TASKGROUP_H
#define NTH_OMP_TASKGROUP_H

#include "runtime/omp/types/task_type.h"

struct nth_member;

/* A group for the tasks that the current task makes from here on. */
void nth_taskgroup_begin(struct nth_member *m);
/* Waits for all tasks of the current task's group, and closes it. Without one: nothing. */
void nth_taskgroup_end(struct nth_member *m);

#endif
