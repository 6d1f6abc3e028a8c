/* taskgroup_type.h - the struct of a taskgroup; operations: taskgroup.h
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_OMP_TASKGROUP_TYPE_H
#define NTH_OMP_TASKGROUP_TYPE_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "runtime/mem/pool.h"
#include "runtime/struct/tally.h"

struct nth_berth;
struct nth_member;

struct nth_taskgroup {
  NTH_POOL_NOT_OURS;
  struct nth_taskgroup *outer;
  uintptr_t *reductions;              /* registered arrays, NULL: none; reduction.h */
  bool workshare;                     /* it belongs to a construct with reduction(task): a cancel
                                       * means the group around */
  _Atomic(bool) cancelled;            /* tasks of it that have not started are discarded; task:C */
  _Atomic(struct nth_member *) owner; /* the member that opened it; w: that member; NULL while
                                       * its task is suspended at the group's end */
  struct nth_berth *waiter;           /* the berth of that suspended task */
  struct nth_workshare *share;        /* workshare: the construct's descriptor */
  struct nth_tally count;             /* unfinished tasks; task:A */
};

static_assert(sizeof(struct nth_taskgroup) <= NTH_LINE, "one line");

#endif
