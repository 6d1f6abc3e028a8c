/* stubs_team.h - what team.c and task.c call and no model needs: choosing a size, work sharing,
 * cancellation
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_MODEL_STUBS_TEAM_H
#define NTH_MODEL_STUBS_TEAM_H

#include "runtime/omp/queue/brief.h"
#include "runtime/omp/tasks/task_berth.h"
#include "runtime/omp/team/cancel.h"
#include "runtime/omp/team/team_make.h"
#include "runtime/omp/team/team_size.h"
#include "tests/model/members.h"
#include "tests/model/pools.h"

_Atomic(uint64_t) nth_brief_scores[NTH_BRIEFS]; /* all are brief: config.h */
void nth_brief_judge(void (*fn)(void *), uint64_t tasks, uint64_t ns) {
  (void)fn, (void)tasks, (void)ns;
}
void nth_pace_begin(struct nth_pace *p, void (*fn)(void *), uint32_t tasks) {
  (void)p, (void)fn, (void)tasks;
}
void nth_pace_end(struct nth_pace *p) { (void)p; }

struct nth_team *nth_team_prepare(struct nth_member *m, uint32_t n, uint32_t bind) {
  (void)m, (void)n, (void)bind;
  model_check(!"the team did not fit");
  return 0;
}
struct nth_team *nth_team_turn(struct nth_member *m, uint32_t n) { return (void)m, (void)n, NULL; }
uint32_t nth_team_choose(struct nth_member *m, uint32_t clause, void (*site)(void *)) {
  return (void)m, (void)site, clause;
}
void nth_team_owe(struct nth_team *t, struct nth_member *m) { (void)t, (void)m; }
void nth_team_pay(struct nth_team *t) { (void)t; }
void nth_workshare_enter_region(struct nth_slot *s) { (void)s; }
void nth_workshare_leave_region(struct nth_team *t) { (void)t; }
void nth_cancel_leave(struct nth_team *t) { (void)t; }
bool nth_cancelled_slow(struct nth_team *t, const struct nth_taskgroup *g) {
  return (void)t, (void)g, false;
}

/* No task is untied, so none has a stack of its own. */
#ifndef MODEL_BERTHS
bool nth_habit_waits(struct nth_member *m, void (*fn)(void *)) { return (void)m, (void)fn, false; }
void nth_habit_note(struct nth_member *m, void (*fn)(void *), bool yields) {
  (void)m, (void)fn, (void)yields;
}
bool nth_berth_prepare(struct nth_member *m, struct nth_task *t) { return (void)m, (void)t, false; }
bool nth_berth_run(struct nth_member *m, struct nth_task *t, bool foreign) {
  return (void)m, (void)t, (void)foreign, true;
}
bool nth_berth_is_strange(const struct nth_member *m, const struct nth_task *t) {
  return (void)m, (void)t, false;
}
struct nth_berth *nth_berth_awaiting_next(struct nth_berths *in) { return (void)in, NULL; }
void nth_berth_tally(struct nth_member *m, struct nth_tally *tally) { (void)m, (void)tally; }
void nth_berth_yield(struct nth_member *m) { (void)m; }
void nth_berth_ready(struct nth_berth *b) { (void)b; }
struct nth_task *nth_berth_next(struct nth_slot *s) { return (void)s, NULL; }
struct nth_task *nth_berth_next_in_turn(struct nth_member *m) { return (void)m, NULL; }
#endif

#endif
