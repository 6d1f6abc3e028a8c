/* taskgroup.h - taskgroup constructs
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         OpenMP 5.2, section 15.4: the end of a taskgroup waits for the tasks made in it, and
 *             for all that descend from them. A taskgroup belongs to the task that opens it, and
 *             ends in that task.
 * Use         nth_taskgroup_begin(), nth_taskgroup_end(), by the same member
 * Memory      comes from the member's pool: most groups use again the line that the last one has
 *             left in the cache. A group is referred to by its tasks that have not been counted
 *             off, and by the member that has it open. So nobody looks at it after its end, and
 *             the next group may use its memory at once.
 * Invariants  I1  the groups that a task has open are a list by `outer`, the innermost first. The
 *                 list ends with the group in which the task was made; that group's end waits for
 *                 the task
 *             I2  count = unfinished tasks made in the group, by its task or by tasks below that
 * Orders      task.h: A, C
 * Cost        begin: a line written; end: two loads, when nothing is left
 * Tested by   tests/lit/tasks, tests/model/chain
 */
#ifndef NTH_OMP_TASKGROUP_H
#define NTH_OMP_TASKGROUP_H

#include "runtime/omp/types/task_type.h"

struct nth_member;

/* Opens a group for the tasks that the current task makes from here on. */
void nth_taskgroup_begin(struct nth_member *m);
/* Waits for all tasks of the current task's group, and closes it. Does nothing if there is none. */
void nth_taskgroup_end(struct nth_member *m);

#endif
