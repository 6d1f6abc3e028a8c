/* taskgroup.h - taskgroup constructs
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         OpenMP 5.2, section 15.4: its end waits for the tasks made in it, and for all that descend
 *             from them. Who opens one opens it for a task, and ends it there.
 * Use         nth_taskgroup_begin(), nth_taskgroup_end(), by the same member
 * Tested by   tests/lit/tasks, tests/model/chain
 */
#ifndef NTH_OMP_TASKGROUP_H
#define NTH_OMP_TASKGROUP_H

#include "runtime/struct/tally.h"

struct nth_member;

struct nth_taskgroup {
  struct nth_taskgroup *outer;
  uintptr_t *reductions;        /* registered arrays, NULL: none; reduction.h */
  bool workshare;               /* of a construct with reduction(task): a cancel means the one around */
  _Atomic(bool) cancelled;      /* its tasks that have not started are discarded; task:C */
  struct nth_member *owner;     /* who opened it; set once */
  struct nth_tally count;       /* unfinished tasks; task:A */
};

void nth_taskgroup_begin(struct nth_member *m);
void nth_taskgroup_end(struct nth_member *m);

#endif
