/* ordered.c - ordered regions
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenMP 5.2, section 15.10.2.
 *
 * GOMP_ordered_start  waits until all earlier iterations of the loop have left their ordered
 *                     region
 * GOMP_ordered_end    lets the next iteration enter
 * Outside of an ordered loop both do nothing, but a tool hears of them.
 */
#include "abi_protos.h"

#include "abi/tool.h"
#include "runtime/omp/member/member.h"
#include "runtime/omp/types/team_type.h"
#include "runtime/omp/worksharing/loop.h"

/* The member, if it is in a loop that is ordered in a team of several, or if a tool hears of it;
 * NULL: there is nothing to do. */
static inline struct nth_member *in_order(void) {
  if (nth_tool_on())
    return nth_member_get();
  struct nth_member *m = nth_member_known();
  return nth_likely(m != 0) && nth_unlikely(m->now.slot->loop.special) ? m : 0;
}

/* Apart, and called last: an entry that has nothing to do needs no frame. */
__attribute__((noinline)) static void start(struct nth_member *m, const void *returns) {
  if (nth_tool_on())
    nth_told_ordered_begin(m, nth_told_site(returns));
  else
    nth_ordered_begin(m);
}

__attribute__((noinline)) static void end(struct nth_member *m, const void *returns) {
  if (nth_tool_on())
    nth_told_ordered_end(m, nth_told_site(returns));
  else
    nth_ordered_end(m);
}

void GOMP_ordered_start(void) {
  struct nth_member *m = in_order();
  if (m)
    start(m, NTH_RETURNS);
}

void GOMP_ordered_end(void) {
  struct nth_member *m = in_order();
  if (m)
    end(m, NTH_RETURNS);
}
