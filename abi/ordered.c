/* ordered.c - ordered regions
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenMP 5.2, section 15.10.2.
 *
 * GOMP_ordered_start  waits until all earlier iterations of the loop have left their ordered
 *                     region
 * GOMP_ordered_end    lets the next iteration enter
 * Outside of an ordered loop both do nothing.
 */
#include "abi_protos.h"

#include "abi/tool.h"
#include "runtime/omp/member/member.h"
#include "runtime/omp/worksharing/loop.h"

void GOMP_ordered_start(void) {
  if (nth_tool_on())
    nth_told_ordered_begin(nth_member_get(), NTH_RA);
  else
    nth_ordered_begin(nth_member_get());
}

void GOMP_ordered_end(void) {
  if (nth_tool_on())
    nth_told_ordered_end(nth_member_get(), NTH_RA);
  else
    nth_ordered_end(nth_member_get());
}
