/* task_flags.h - the flags of GOMP_task and GOMP_taskloop
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_ABI_TASK_FLAGS_H
#define NTH_ABI_TASK_FLAGS_H

#include "runtime/omp/types/icv.h"

enum {
  NTH_FLAG_UNTIED = 1,
  NTH_FLAG_FINAL = 2,
  NTH_FLAG_MERGEABLE = 4,
  NTH_FLAG_DEPEND = 8,
  NTH_FLAG_PRIORITY = 0x10,
  NTH_FLAG_UP = 0x100,
  NTH_FLAG_GRAINSIZE = 0x200,
  NTH_FLAG_IF = 0x400,
  NTH_FLAG_NOGROUP = 0x800,
  NTH_FLAG_REDUCTION = 0x1000,
  NTH_FLAG_DETACH = 0x2000,
  NTH_FLAG_STRICT = 0x4000
};

/* The priority clause, if flags say that there is one: from 0 to max-task-priority-var (section
 * 12.4). */
static inline uint32_t nth_abi_priority(unsigned flags, int priority) {
  if (!(flags & NTH_FLAG_PRIORITY) || priority <= 0)
    return 0;
  return (uint32_t)(priority < nth_env.max_task_priority ? priority : nth_env.max_task_priority);
}

#endif
