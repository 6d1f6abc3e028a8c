/* cancelled.h - whether a region is cancelled; how it is cancelled: cancel.h
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_OMP_CANCELLED_H
#define NTH_OMP_CANCELLED_H

#include "runtime/omp/member/member.h"
#include "runtime/omp/types/team_type.h"

static inline bool nth_cancelled_team(struct nth_team *t) {
  return nth_env.cancellation && t && nth_load_acq(&t->cancel.region); /* cancel:C */
}

/* How long a wait may sleep for which no cancel rings, ns; timeout: without cancellation. */
static inline uint64_t nth_cancel_timeout(uint64_t timeout) {
  return nth_unlikely(nth_env.cancellation) ? NTH_UNSURE_NS : timeout;
}

/* Whether a new task of m would be discarded: its team or its taskgroup is cancelled. */
bool nth_cancelled_slow(struct nth_team *t, const struct nth_taskgroup *g);
static inline bool nth_cancelled(struct nth_member *m) {
  return nth_unlikely(nth_env.cancellation) && nth_cancelled_slow(m->now.team, m->now.task->group);
}
static inline bool nth_cancelled_task(const struct nth_task *t) {
  return nth_unlikely(nth_env.cancellation) && nth_cancelled_slow(t->team, t->made_in);
}
/* Whether t is discarded for that, or as much of it as has not begun. */
static inline bool nth_cancelled_discards(const struct nth_task *t) {
  return !(t->flags & NTH_TASK_CONSTRUCTED) && nth_cancelled_task(t);
}

#endif
