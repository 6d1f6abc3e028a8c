/* cancel.c - omp/team/cancel.h: the mark of a cancelled loop is gone after the loop's barrier
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The mark is made of a count of barriers that comes again after 2^32 of them. A mark that stayed
 * would cancel a loop then.
 */
#include "runtime/omp/team/cancel.h"

#include "runtime/omp/member/member.h"
#include "runtime/omp/sync/barrier.h"
#include "runtime/omp/team/team.h"
#include "tests/unit/unit.h"

enum { LOOPS = 3 };

/* Each loop is cancelled by another member; those in between are not cancelled. */
static void loops(void *unused) {
  (void)unused;
  struct nth_member *m = nth_self;
  for (uint32_t i = 0; i < LOOPS; i++) {
    if (i % m->now.team_size == m->now.thread_num)
      unit_check(nth_cancel(m, NTH_CANCEL_FOR));
    unit_check(!nth_barrier_cancel(m));
    unit_check(!nth_cancellation_point(m, NTH_CANCEL_FOR));
    nth_barrier(m);
    uint64_t mark = m->now.team_size > 1 ? nth_load_rlx(&m->now.team->cancel.share)
                                         : nth_load_rlx(&m->now.slot->cancelled_share);
    unit_check(mark == 0);
    nth_barrier(m);
  }
}

static void alone(void) { unit_check(nth_team_parallel(loops, 0, 1, 0) == 1); }
static void two(void) { unit_check(nth_team_parallel(loops, 0, 2, 0) == 2); }
static void many(void) { unit_check(nth_team_parallel(loops, 0, 5, 0) == 5); }

static void cancelled_loop(void *unused) {
  (void)unused;
  unit_check(nth_cancel(nth_self, NTH_CANCEL_FOR));
  unit_check(nth_cancellation_point(nth_self, NTH_CANCEL_FOR));
  unit_check(!nth_barrier_cancel(nth_self));
  nth_self->now.slot->epoch--; /* as after 2^32 - 1 more */
  unit_check(!nth_cancellation_point(nth_self, NTH_CANCEL_FOR));
}
static void count_comes_again(void) { unit_check(nth_team_parallel(cancelled_loop, 0, 1, 0) == 1); }

int main(void) {
  unit_begin();
  nth_env.cancellation = true;
  unit_run(alone);
  unit_run(two);
  unit_run(many);
  unit_run(count_comes_again);
  return 0;
}
