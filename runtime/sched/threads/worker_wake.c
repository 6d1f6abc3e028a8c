/* worker_wake.c - takes a docked worker out of its dock, and wakes it if it sleeps
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/base/sleep.h"
#include "runtime/sched/threads/holder.h"
#include "runtime/sched/threads/worker.h"

struct nth_identity *nth_worker_take_out(struct nth_worker *p, bool quietly) {
  nth_assert(p->carried);
  uint32_t was = nth_xchg_acqrel(&p->dock, NTH_DOCK_AWAKE); /* worker:D, worker:L */
  while (was == NTH_DOCK_LEFT) {
    nth_holder_return_surely(p);
    was = nth_xchg_acqrel(&p->dock, NTH_DOCK_AWAKE); /* worker:D, worker:L */
  }
  if (was == NTH_DOCK_ASLEEP && !quietly) {
    nth_rouse(&p->dock, 1);
    nth_carry_roused(nth_worker_self(p));
  }
  return was == NTH_DOCK_OUT ? nth_worker_self(p) : 0;
}

uint32_t nth_worker_get_up(struct nth_worker *p) {
  uint32_t was = nth_xchg_acqrel(&p->dock, NTH_DOCK_AWAKE); /* worker:D, worker:L */
  if (was == NTH_DOCK_ASLEEP)
    nth_rouse(&p->dock, 1);
  return was;
}

bool nth_worker_rouse(struct nth_worker *p) {
  if (nth_load_rlx(&p->dock) == NTH_DOCK_AWAKE) /* worker:F */
    return false;
  uint32_t was = nth_worker_get_up(p);
  if (was == NTH_DOCK_ASLEEP && p->carried)
    nth_carry_roused(nth_worker_self(p));
  else if (was == NTH_DOCK_OUT)
    nth_carry_ready(nth_worker_self(p));
  return was == NTH_DOCK_LEFT;
}

void nth_worker_nudge(struct nth_worker *p) {
  uint32_t was = nth_load_rlx(&p->dock); /* worker:F */
  if ((was != NTH_DOCK_ASLEEP && was != NTH_DOCK_OUT) ||
      !nth_cas_acqrel(&p->dock, &was, NTH_DOCK_AWAKE)) /* worker:D */
    return;
  if (was == NTH_DOCK_OUT) {
    nth_carry_ready(nth_worker_self(p));
    return;
  }
  nth_rouse(&p->dock, 1);
  if (p->carried)
    nth_carry_roused(nth_worker_self(p));
}

void nth_worker_wake_slow(struct nth_worker *p) {
  while (nth_worker_rouse(p)) /* once more: a nano-thread's new thread begins docked */
    nth_holder_return_surely(p);
}

/* The first slave may have to run on the master's CPU, so the master offers it soon. One that has
 * just slept itself does so at once: the kernel mostly puts the slave there then. */
void nth_worker_wake_for(struct nth_worker *p, struct nth_waiter *master) {
  master->waker = nth_gaps_stamp(&p->stamp, master);
  master->starter = true;
  nth_worker_wake_slow(p);
}
