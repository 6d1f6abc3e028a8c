/* barrier.c - barriers of all shapes over long times: the team's word keeps up with the epochs
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A word that lags by 2^30 epochs looks like one that is ahead: then no member would run the tasks
 * that are left at a barrier. So it is written once in 2^24 barriers, whether there are tasks or
 * not.
 */
#include "runtime/omp/sync/barrier.h"

#include "runtime/omp/member/member.h"
#include "runtime/omp/team/team.h"
#include "runtime/omp/team/team_make.h"
#include "tests/unit/unit.h"

enum { MEMBERS = 4, ROUNDS = 4, LAG = 1 << 24 };

static void meet(void *unused) {
  (void)unused;
  for (int i = 0; i < ROUNDS; i++)
    nth_barrier(nth_self);
}

/* A region of a team of that shape, before and after so many barriers in all. */
static void pass(uint8_t kind, uint32_t epoch) {
  struct nth_team *t = nth_self->next_team;
  unit_check(t && t->size == MEMBERS);
  t->barrier_shape.kind = kind;
  t->barrier_shape.leaf = 2;
  t->slot[0]->epoch = epoch - 1;
  nth_team_catch_up(t, MEMBERS);
  unit_check(nth_team_parallel(meet, 0, MEMBERS, 0) == MEMBERS && nth_self->next_team == t);
  unit_check(t->slot[0]->epoch == epoch - 1 + ROUNDS);
  unit_check(nth_load_rlx(&t->barrier.released) >> 1 >= epoch);
}

static void keeps_up(void) {
  for (uint32_t turn = 1; turn <= 2; turn++) {
    pass(NTH_BARRIER_FLAT, turn * LAG);
    pass(NTH_BARRIER_TREE, turn * LAG);
    pass(NTH_BARRIER_CROWDED, turn * LAG);
  }
}

int main(void) {
  unit_check(nth_team_parallel(meet, 0, MEMBERS, 0) == MEMBERS);
  unit_run(keeps_up);
  return 0;
}
