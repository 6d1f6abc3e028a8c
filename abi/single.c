/* single.c - single constructs
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenMP 5.2, section 11.1.
 *
 * GOMP_single_start       true in the one member that runs the block
 * GOMP_single_start_with_end, GOMP_single_end
 *                         the same, and for tools its end, in programs of gcc 17 and later that are
 *                         compiled with -fopenmp-ompt
 * GOMP_single_copy_start  with copyprivate: NULL in the member that runs the block; the others wait
 *                         in it and get the address that this member passes to
 *                         GOMP_single_copy_end
 * GOMP_single_copy_end    passes an address to the others, and waits until all have it
 *
 * In a cancelled region each member that comes here runs the block. The member that should have run
 * it may have left the region, and no member waits for an address.
 */
#include "abi_protos.h"

#include "abi/tool.h"
#include "runtime/omp/sync/barrier.h"
#include "runtime/omp/team/cancel.h"
#include "runtime/omp/worksharing/single.h"

/* Inlined, so that the address is the program's. */
static NTH_HOT bool begin(void) {
  if (nth_tool_on())
    return nth_told_single(nth_member_get(), NTH_RA);
  return nth_single_begin(nth_member_get());
}

bool GOMP_single_start(void) { return begin(); }

bool GOMP_single_start_with_end(void) { return begin(); }

/* The member that ran the block has told its end if a barrier came before. */
void GOMP_single_end(void) {
  if (nth_tool_on())
    nth_told_construct_end(nth_member_get());
}

void *GOMP_single_copy_start(void) {
  struct nth_member *m = nth_member_get();
  if (nth_tool_on() ? nth_told_single(m, NTH_RA) : nth_single_begin(m))
    return 0;
  NTH_END_BARRIER(m);
  /* The barriers of a cancelled region are open: copyprivate may be an old construct's. */
  return nth_cancelled_team(m->now.team) ? 0 : m->now.team->shares.copyprivate;
}

void GOMP_single_copy_end(void *data) {
  struct nth_member *m = nth_self;
  if (m->now.team_size == 1 || nth_cancelled_team(m->now.team))
    return;
  m->now.team->shares.copyprivate = data;
  NTH_END_BARRIER(m);
}
