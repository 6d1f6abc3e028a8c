/* sought.h - which tasks may begin in a wait of a certain task
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A task that waits for others begins only descendants of its own: OpenMP asks this of
 *             tied tasks, and what begins above a task keeps it from going on. A task that waits
 *             under a lock is choosy: a descendant for which it does not wait may want that lock.
 *             So it begins its children in a taskwait, and the group's tasks at the end of a
 *             taskgroup. The group's tasks may depend on children that are older than the group.
 *             Such children begin, too
 * Use         nth_task_is_sought(), by all that look into queues for a certain task
 * Orders      the marks of a choosy task are its own thread's. A task t that is asked about is in
 *             the caller's hands, or in a list whose lock the caller has. So t has not begun. Its
 *             successors, and theirs, wait and stay where they are. Only `from`, their parent,
 *             gives them more successors
 * Cost        a step for each ancestor between the two. Choosy: a load or two; for a child with
 *             dependences, up to NTH_SOUGHT_EDGES edges
 * Tested by   tests/lit/tasks/lock_waits.c, lock_random.c, untied_random.c
 */
#ifndef NTH_OMP_SOUGHT_H
#define NTH_OMP_SOUGHT_H

#include "runtime/omp/types/task_type.h"

bool nth_task_descends(const struct nth_task *t, const struct nth_task *from);

/* Whether `from`, which waits, leaves alone those of its descendants for which it does not wait. */
static inline bool nth_task_is_choosy(const struct nth_task *from) {
  return nth_unlikely(from->flags & (NTH_TASK_ITS_CHILDREN | NTH_TASK_ITS_GROUP));
}

bool nth_task_is_sought_by_choosy(const struct nth_task *t, const struct nth_task *from);
static inline bool nth_task_is_sought(const struct nth_task *t, const struct nth_task *from) {
  return nth_unlikely(nth_task_is_choosy(from)) ? nth_task_is_sought_by_choosy(t, from)
                                                : nth_task_descends(t, from);
}

#endif
