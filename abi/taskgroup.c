/* taskgroup.c - taskgroup constructs
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenMP 5.2, section 15.4.
 *
 * GOMP_taskgroup_start  opens a taskgroup for the tasks that are created from now on
 * GOMP_taskgroup_end    waits for the taskgroup's tasks and their descendants; does nothing if
 *                       there is no taskgroup
 */
#include "abi_protos.h"

#include "abi/tool.h"
#include "runtime/omp/member/member.h"
#include "runtime/omp/tasks/taskgroup.h"

void GOMP_taskgroup_start(void) {
  if (nth_tool_on())
    nth_told_taskgroup_begin(nth_member_get(), NTH_RA);
  else
    nth_taskgroup_begin(nth_member_get());
}

void GOMP_taskgroup_end(void) {
  if (nth_tool_on())
    nth_told_taskgroup_end(nth_member_get(), NTH_RA);
  else
    nth_taskgroup_end(nth_member_get());
}
