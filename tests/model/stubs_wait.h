/* stubs_wait.h - waits that only let others run, and gaps that nobody learns
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_MODEL_STUBS_WAIT_H
#define NTH_MODEL_STUBS_WAIT_H

#include "runtime/sched/wait/wait.h"
#include "tests/model/model.h"

bool nth_wait_tick(struct nth_wait *wait) {
  (void)wait;
  nth_model_bridge->turn();
  return false;
}
void nth_wait_learn(struct nth_wait *wait) { (void)wait; }
void nth_gaps_look_at_master(struct nth_gaps *g, struct nth_gaps_stamp *stamp) {
  (void)g, (void)stamp;
}
bool nth_gaps_stamp(struct nth_gaps_stamp *s, struct nth_waiter *master) {
  (void)s;
  return (void)master, false;
}
bool nth_gaps_are_long(const struct nth_gaps *g, void (*after)(void *)) {
  (void)g;
  return (void)after, false;
}

#endif
