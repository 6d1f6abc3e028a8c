/* taskgroup.c - taskgroup constructs
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenMP 5.2, section 15.4.
 *
 * GOMP_taskgroup_start  opens a group for the tasks that are created from here on
 * GOMP_taskgroup_end    waits for them and their descendants; without a group: nothing
 */
#include "abi_protos.h"

#include "runtime/omp/member/member.h"
#include "runtime/omp/tasks/taskgroup.h"

void GOMP_taskgroup_start(void) { nth_taskgroup_begin(nth_member_get()); }

void GOMP_taskgroup_end(void) { nth_taskgroup_end(nth_member_get()); }
