/* barrier.c - barriers
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenMP 5.2, section 15.3.1.
 *
 * GOMP_barrier         waits for all members, and runs pending tasks of the team
 * GOMP_barrier_cancel  a barrier of a region that may be cancelled. True: the region is cancelled,
 *                      the caller goes to its end
 * GOMP_barrier_ext, GOMP_barrier_cancel_ext
 *                      the same for gcc 17 and later, which say what the barrier is: 0: it is
 *                      before a firstprivate variable that is lastprivate too, 1: the end of a
 *                      work-sharing construct, 2: of the program
 */
#include "abi_protos.h"

#include "abi/tool.h"
#include "runtime/omp/sync/barrier.h"
#include "runtime/omp/team/cancel.h"

enum { BEFORE_COPY, AT_END, EXPLICIT }; /* what gcc 17 says */

static ompt_sync_region_t kind_of(int what) {
  switch (what) {
  case BEFORE_COPY: return ompt_sync_region_barrier_implementation;
  case AT_END: return ompt_sync_region_barrier_implicit_workshare;
  default: return ompt_sync_region_barrier_explicit;
  }
}

/* A barrier when a tool watches. */
NTH_APART_FROM_ENTRY void barrier_told(int what) {
  nth_told_barrier(nth_member_get(), kind_of(what), NTH_RA);
}

void GOMP_barrier(void) {
  if (nth_tool_on())
    barrier_told(EXPLICIT);
  else
    nth_barrier(nth_member_get());
}

bool GOMP_barrier_cancel(void) {
  if (nth_tool_on())
    return nth_told_barrier_cancel(nth_member_get(), ompt_sync_region_barrier_explicit, NTH_RA);
  return nth_barrier_cancel(nth_member_get());
}

void GOMP_barrier_ext(int what) {
  if (nth_tool_on())
    barrier_told(what);
  else
    nth_barrier(nth_member_get());
}

bool GOMP_barrier_cancel_ext(int what) {
  if (nth_tool_on())
    return nth_told_barrier_cancel(nth_member_get(), kind_of(what), NTH_RA);
  return nth_barrier_cancel(nth_member_get());
}
