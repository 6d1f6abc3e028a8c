/* barrier.c - barriers
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenMP 5.2, section 15.3.1.
 *
 * GOMP_barrier         waits for all members, and runs pending tasks of the team
 * GOMP_barrier_cancel  a barrier of a region that may be cancelled. True: the region is cancelled,
 *                      the caller goes to its end
 */
#include "abi_protos.h"

#include "abi/tool.h"
#include "runtime/omp/sync/barrier.h"
#include "runtime/omp/team/cancel.h"

/* GOMP_barrier when a tool watches; the call is a jump. */
static __attribute__((noinline)) void barrier_told(void) {
  nth_told_barrier(nth_member_get(), ompt_sync_region_barrier_explicit, NTH_RA);
}

void GOMP_barrier(void) {
  if (nth_tool_on())
    barrier_told();
  else
    nth_barrier(nth_member_get());
}

bool GOMP_barrier_cancel(void) {
  if (nth_tool_on())
    return nth_told_barrier_cancel(nth_member_get(), ompt_sync_region_barrier_explicit, NTH_RA);
  return nth_barrier_cancel(nth_member_get());
}
