/* processor_out.c - a docked nano-thread member is left out of all queues, and looked at there
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/sched/threads/processor.h"

void nth_processor_stay_docked(struct nth_identity *x) {
  struct nth_processor *p = nth_processor_of(x);
  uint32_t asleep = NTH_DOCK_ASLEEP;
  if (!nth_cas_acqrel(&p->dock, &asleep, NTH_DOCK_OUT)) /* processor:D, processor:L */
    nth_carry_ready(x);
}

bool nth_processor_look(struct nth_identity *x) {
  struct nth_processor *p = nth_processor_of(x);
  uint32_t out = NTH_DOCK_OUT;
  if (!nth_cas_acqrel(&p->dock, &out, NTH_DOCK_ASLEEP)) /* processor:D, processor:L */
    return false;
  x->until = 1; /* its wait is over: that time has come */
  return true;
}
