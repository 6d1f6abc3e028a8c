/* cancel.c - cancel and cancellation point
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenMP 5.2, chapter 16. which: 1 parallel, 2 for, 4 sections, 8 taskgroup.
 */
#include "abi_protos.h"

#include "abi/tool.h"
#include "runtime/omp/team/cancel.h"

/* The cancel construct; do_cancel: its if clause. True: the caller leaves the region. Always false
 * unless OMP_CANCELLATION is true. */
bool GOMP_cancel(int which, bool do_cancel) {
  struct nth_member *m = nth_member_get();
  if (nth_tool_on())
    return nth_told_cancel(m, (uint32_t)which, do_cancel, NTH_RA);
  return do_cancel ? nth_cancel(m, (uint32_t)which) : nth_cancellation_point(m, (uint32_t)which);
}

/* The cancellation point construct. True: the region is cancelled, the caller leaves it. */
bool GOMP_cancellation_point(int which) {
  if (nth_tool_on())
    return nth_told_cancel(nth_member_get(), (uint32_t)which, false, NTH_RA);
  return nth_cancellation_point(nth_member_get(), (uint32_t)which);
}
