/* in_region.h - a model's team whose members are all in a region: nobody forks, nobody is docked
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_MODEL_IN_REGION_H
#define NTH_MODEL_IN_REGION_H

#include "tests/model/ready_team.h"

void nth_worker_wake_slow(struct nth_worker *p) { (void)p; }
void nth_worker_wake_for(struct nth_worker *p, struct nth_waiter *master) { (void)p, (void)master; }

static inline void model_region(uint32_t n) {
  model_team_setup(n);
  model_lay();
  for (uint32_t i = 0; i < n; i++) {
    model_enter(i);
    nth_store_rlx(&model_team()->pjv[i], 1);
  }
}

#endif
