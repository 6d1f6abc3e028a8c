/* crowd.c - how many threads of the process may run, and whether that is more than the CPUs
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/sched/wait/crowd.h"

#include "runtime/place/places/allowed.h"

struct nth_crowd nth_crowd;

bool nth_crowded(void) {
  return nth_load_rlx(&nth_crowd.roots) > 1 && nth_load_rlx(&nth_crowd.active) > nth_allowed_soon();
}
