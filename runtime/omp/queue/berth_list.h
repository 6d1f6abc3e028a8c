/* berth_list.h - a member's suspended tasks that can go on
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A wait that looks for tasks finds those that are suspended (task_berth.h), beside
 *             those that have not begun.
 * Use         nth_berth_append() by the member itself, nth_berth_wake() by others; nth_berth_next()
 *             and nth_berth_next_in_turn() by nth_task_find()
 * Orders      W   woken: nth_berth_wake's release -> nth_berth_next's acquire: what was waited for.
 *                 The waker then passes a full fence and looks for sleepers; a sleeper announces
 *                 itself and then looks at woken (bell:F, team:S)
 * Ownership   ready, yielded, turns, round: the member's own
 * Tested by   tests/model/berth, tests/lit/tasks/untied_*.c
 */
#ifndef NTH_OMP_BERTH_LIST_H
#define NTH_OMP_BERTH_LIST_H

#include "runtime/omp/types/berth_type.h"
#include "runtime/omp/types/slot.h"

/* At the end. */
void nth_berth_append(struct nth_berth_list *l, struct nth_berth *b);

/* b can go on; by any thread but its member's. */
void nth_berth_wake(struct nth_berths *in, struct nth_berth *b);

/* The next suspended task of the slot that can go on, NULL: none. In turn: one that has yielded. */
struct nth_task *nth_berth_next(struct nth_slot *s);
struct nth_task *nth_berth_next_in_turn(struct nth_member *m);

/* Whether one can go on: for who is about to sleep, behind its announcement. */
static inline bool nth_berth_any(const struct nth_slot *s) {
  if (nth_likely(s->berths.suspended == 0))
    return false;
  bool woken = nth_load_acq(&s->berths.woken) != 0; /* W */
  return woken || s->berths.ready.first || s->berths.yielded.first;
}

/* The child of a fork has none. */
void nth_berth_forget(struct nth_slot *s);

#endif
