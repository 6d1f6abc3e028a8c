/* away.c - a processor beyond the request goes away between two nano-threads, and comes back
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/nth/away.h"

#include <errno.h>

#include "runtime/base/clock.h"
#include "runtime/nth/machine.h"
#include "runtime/sched/adapt/permit.h"

/* How often processors within the request have come by, all together. */
static uint32_t came(void) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < nth_machine.processors && !nth_request_takes(i); i++)
    sum += nth_load_rlx(&nth_machine.processor[i]->away.came);
  return sum;
}

static bool is_first_away(const struct nth_processor *k) {
  return k->number == nth_load_rlx(&nth_request_now->asked);
}

/* Whether k has nothing to come back for. */
static bool stays(const struct nth_processor *k) {
  return nth_request_takes(k->number) && !nth_lrq_may_resume(&k->lrq) &&
         !nth_load_acq(&nth_machine.stop); /* machine:S */
}

bool nth_away_due_slow(struct nth_processor *k) {
  if (nth_load_acq(&nth_machine.stop)) /* machine:S */
    return false;
  k->away.stands = k->away.stands && came() == k->away.seen && nth_machine_queued();
  return !k->away.stands;
}

/* Whether k is needed as a stand-in; else notes what it has seen. */
static bool stand_in(struct nth_processor *k) {
  uint32_t before = k->away.seen;
  k->away.seen = came();
  k->away.stands = is_first_away(k) && k->away.seen == before && nth_machine_queued();
  return k->away.stands;
}

/* What k has becomes reachable to all. */
static void hand_over(struct nth_processor *k) {
  nth_processor_settle(k);
  if (nth_deque_any(&k->lrq.deque))
    nth_lrq_spill(&k->lrq);
  nth_deque_fence();
  if (nth_machine_queued())
    nth_machine_wake(k);
}

void nth_away(struct nth_processor *k) {
  uint64_t look_at = nth_clock_ns() + NTH_AWAY_LOOK_NS;
  nth_assert(nth_processor_is_mine(k) && k->number > 0);
  hand_over(k);
  k->away.seen = came();
  nth_request_left();
  do {
    bool seen = nth_processor_enter(k, &nth_machine.absent, &k->away.park);
    uint64_t limit = seen ? NTH_AWAY_LOOK_NS : NTH_UNSURE_NS;
    if (stays(k))
      nth_processor_sleep(k, &k->away.park, limit);
    nth_park_leave(&nth_machine.absent, &k->away.park);
    uint64_t now = nth_clock_ns();
    if (now >= look_at) {
      look_at = now + NTH_AWAY_LOOK_NS;
      if (stand_in(k))
        break;
    }
  } while (stays(k));
  nth_request_came();
}

bool nth_away_recall(struct nth_processor *k) {
  return nth_park_any(&nth_machine.absent) &&
         nth_processor_rouse_at(k, &nth_machine.absent, &k->away.park);
}

void nth_away_changed(void) {
  if (!nth_load_acq(&nth_machine.running)) /* machine:M */
    return;
  for (uint32_t i = 0; i < nth_machine.processors; i++) {
    struct nth_processor *k = nth_machine.processor[i];
    if (nth_request_takes(i))
      (void)nth_processor_rouse(k);
    else
      (void)nth_away_recall(k);
  }
}

int nth_away_request(int n) {
  if (n < 0)
    return EINVAL;
  nth_permits_begin();
  nth_store_rlx(&nth_request_program, (uint32_t)n);
  nth_store_rlx(&nth_request_now->asked, (uint32_t)n);
  nth_fence_full(); /* request:F */
  nth_permits_changed();
  nth_away_changed();
  return 0;
}
