/* berth_list.h - a member's suspended tasks that can go on
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A wait that looks for tasks finds the suspended ones (task_berth.h) beside those that
 *             have not begun.
 * Use         nth_berth_append() by the member itself, nth_berth_wake() by others; nth_berth_next()
 *             and nth_berth_next_in_turn() by nth_task_find(). nth_berth_awaits() and _awaited()
 *             around the suspension of a task in a closed tally
 * Orders      W   woken: nth_berth_wake's release -> nth_berth_next's acquire: what was waited for.
 *                 The waker then passes a full fence and looks for sleepers; a sleeper announces
 *                 itself and then looks at woken (bell:F, team:S)
 * Invariants  I1  a berth in `awaiting` holds a suspended task whose tally is closed, or was until
 *                 its last task ended
 * Ownership   all but woken: the member's own
 * Tested by   tests/model/berth, tests/lit/tasks/untied_*.c
 */
#ifndef NTH_OMP_BERTH_LIST_H
#define NTH_OMP_BERTH_LIST_H

#include "runtime/omp/types/berth_type.h"
#include "runtime/omp/types/slot.h"

/* Appends b to one of its member's own lists. By that member. */
void nth_berth_append(struct nth_berth_list *l, struct nth_berth *b);

/* b is suspended until a tally is 0; it goes on. */
void nth_berth_awaits(struct nth_berths *in, struct nth_berth *b);
void nth_berth_awaited(struct nth_berths *in, struct nth_berth *b);
/* Each of these berths in turn, again and again. NULL: there is none. */
struct nth_berth *nth_berth_awaiting_next(struct nth_berths *in);

/* The task on b can go on. By any thread but b's member. */
void nth_berth_wake(struct nth_berths *in, struct nth_berth *b);

/* Takes the next suspended task of the slot that can go on; _in_turn: one that has yielded. NULL:
 * none. */
struct nth_task *nth_berth_next(struct nth_slot *s);
struct nth_task *nth_berth_next_in_turn(struct nth_member *m);

/* Whether a suspended task can go on: for a member that is about to sleep, after its
 * announcement. */
static inline bool nth_berth_any(const struct nth_slot *s) {
  if (nth_likely(s->berths.suspended == 0))
    return false;
  bool woken = nth_load_acq(&s->berths.woken) != 0; /* W */
  return woken || s->berths.ready.first || s->berths.yielded.first;
}

/* Whether suspended tasks that yield may have had their turns in vain: once in NTH_AWAITED_TURNS of
 * them, or there is none. */
static inline bool nth_berth_turns_in_vain(const struct nth_berths *in) {
  return !in->yielded.first || in->turns % NTH_AWAITED_TURNS == 0;
}

/* A fork's child has no suspended tasks. */
void nth_berth_forget(struct nth_slot *s);

/* Another number whenever the member has ended, suspended or gone on with a task, but for turns of
 * tasks that wait for what no other tells them, and do so again. */
static inline uint32_t nth_berth_moves(const struct nth_slot *s) {
  const struct nth_berths *in = &s->berths;
  return in->turns - in->unmoved + in->suspended + 2 * nth_load_rlx(&s->tasks.done);
}

#endif
