/* cancel.c - cancellation of regions
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/team/cancel.h"

#include "runtime/omp/sync/barrier.h"
#include "runtime/omp/team/team_make.h"
#include "runtime/omp/types/taskgroup_type.h"

/* The mark for the construct that the member is in; never 0. */
static uint64_t share_mark(const struct nth_member *m) {
  return (uint64_t)m->now.slot->epoch << 1 | 1;
}

/* The word that holds the mark. A member that is alone, in or outside a region, has it in its own
 * slot. */
static _Atomic(uint64_t) *share_word(struct nth_member *m) {
  nth_assert(m->now.team_size == 1 || nth_team_has(m->now.team, m));
  return m->now.team_size == 1 ? &m->now.slot->cancelled_share : &m->now.team->cancel.share;
}

bool nth_cancel(struct nth_member *m, uint32_t which) {
  struct nth_team *t = m->now.team;
  struct nth_taskgroup *g = m->now.task->group;
  if (!nth_env.cancellation)
    return false;
  if (which & NTH_CANCEL_TASKGROUP) {
    bool found = g != 0;
    for (bool more = found; more; g = g->outer) {
      nth_store_rel(&g->cancelled, true); /* task:C */
      more = g->workshare && g->outer;
    }
    return found;
  }
  if (which & (NTH_CANCEL_FOR | NTH_CANCEL_SECTIONS)) {
    nth_store_rel(share_word(m), share_mark(m)); /* C */
    return true;
  }
  if (t) {
    nth_store_rel(&t->cancel.region, true); /* C */
    nth_fence_full(); /* bell:F: against members that go to sleep at a barrier */
    nth_bell_ring(&t->help.bell, INT_MAX);
  }
  return t != 0;
}

bool nth_cancellation_point(struct nth_member *m, uint32_t which) {
  if (!nth_env.cancellation)
    return false;
  struct nth_team *t = m->now.team;
  if (which & NTH_CANCEL_TASKGROUP)
    return nth_cancelled_slow(t, m->now.task->group);
  if (which & (NTH_CANCEL_FOR | NTH_CANCEL_SECTIONS) &&
      nth_load_acq(share_word(m)) == share_mark(m)) /* C */
    return true;
  return nth_cancelled_team(t);
}

bool nth_barrier_cancel(struct nth_member *m) {
  uint64_t mark = share_mark(m);
  nth_barrier(m);
  if (nth_env.cancellation && nth_load_rlx(share_word(m)) == mark)
    (void)nth_cas_rlx(share_word(m), &mark, 0); /* others may have the next mark there already */
  return nth_cancelled_team(m->now.team);
}

/* Makes the counts equal: members of a cancelled region have passed different barriers and
 * singles. */
static void level_counts(struct nth_team *t) {
  nth_assert(nth_env.cancellation);
  uint32_t epoch = t->slot[0]->epoch;
  uint64_t singles = 0;
  for (uint32_t i = 0; i < t->size; i++) {
    const struct nth_slot *s = t->slot[i];
    epoch = (int32_t)(s->epoch - epoch) > 0 ? s->epoch : epoch;
    singles = s->shares.singles > singles ? s->shares.singles : singles;
  }
  t->slot[0]->epoch = epoch + 1; /* a count that no member has published yet */
  nth_store_rlx(&t->shares.singles, singles);
  nth_store_rlx(&t->cancel.region, false);
  nth_team_catch_up(t, t->size);
  nth_assert(t->slot[t->size - 1]->epoch == epoch + 1);
}

void nth_cancel_leave(struct nth_team *t) {
  nth_store_rlx(&t->cancel.share, 0);
  nth_store_rlx(&t->slot[0]->cancelled_share, 0); /* the mark of a team of one */
  if (nth_load_rlx(&t->cancel.region))
    level_counts(t);
}
