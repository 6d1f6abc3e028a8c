/* cancelled.c - whether a region is cancelled
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/member/cancelled.h"
#include "runtime/omp/types/taskgroup_type.h"

/* The innermost group counts, as in libgomp; that of a work-sharing construct means the one around.
 */
bool nth_cancelled_slow(struct nth_team *t, const struct nth_taskgroup *g) {
  if (t && nth_load_acq(&t->cancel.region)) /* cancel:C */
    return true;
  for (; g; g = g->workshare ? g->outer : 0) {
    if (nth_load_acq(&g->cancelled)) /* task:C */
      return true;
  }
  return false;
}
