/* worker_out.c - keeps docked nano-thread members out of all queues, and lets them look for work
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/sched/threads/worker.h"

void nth_worker_stay_docked(struct nth_identity *x) {
  struct nth_worker *p = nth_worker_of(x);
  nth_assert(p->carried && nth_worker_self(p) == x && !x->queue);
  uint32_t asleep = NTH_DOCK_ASLEEP;
  if (!nth_cas_acqrel(&p->dock, &asleep, NTH_DOCK_OUT)) /* worker:D, worker:L */
    nth_carry_ready(x);
}

bool nth_worker_look(struct nth_identity *x) {
  struct nth_worker *p = nth_worker_of(x);
  nth_assert(p->carried && nth_worker_self(p) == x);
  uint32_t out = NTH_DOCK_OUT;
  if (!nth_cas_acqrel(&p->dock, &out, NTH_DOCK_ASLEEP)) /* worker:D, worker:L */
    return false;
  nth_assert(!x->queue); /* I4 */
  x->until = 1;          /* its wait is over: that time has come */
  return true;
}
