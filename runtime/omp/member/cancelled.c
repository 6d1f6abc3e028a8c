/* cancelled.c - whether a region is cancelled
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/member/cancelled.h"
#include "runtime/omp/types/taskgroup_type.h"

bool nth_cancelled_slow(struct nth_team *t, const struct nth_taskgroup *g) {
  if (t && nth_load_acq(&t->cancel.region)) /* cancel:C */
    return true;
  for (; g; g = g->outer) {
    if (nth_load_acq(&g->cancelled)) /* task:C */
      return true;
  }
  return false;
}
