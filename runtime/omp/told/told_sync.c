/* told_sync.c - barriers, single, ordered, cancellation, as a tool hears of them
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/race/race.h"
#include "runtime/omp/sync/barrier.h"
#include "runtime/omp/taskloop/reduction.h"
#include "runtime/omp/team/cancel.h"
#include "runtime/omp/told/told.h"
#include "runtime/omp/worksharing/single.h"

/* --- barriers --- */

static uint32_t state_of(ompt_sync_region_t kind) {
  return kind == ompt_sync_region_barrier_explicit ? ompt_state_wait_barrier_explicit
                                                   : ompt_state_wait_barrier_implicit_workshare;
}

/* A barrier. task_reduction: of the construct that it ends, whose tasks it waits for first. */
static void barrier(struct nth_member *m, ompt_sync_region_t kind, bool task_reduction,
                    const void *ra, void *frame) {
  struct nth_tool_member *tm = nth_told_caller(m);
  struct nth_tool_task *t = tm->task;
  ompt_data_t *parallel = nth_told_parallel_data(t);
  nth_told_block_over(t);
  nth_told_enter(t, frame);
  NTH_TELL(sync_region, kind, ompt_scope_begin, parallel, &t->data, ra);
  struct nth_told_state state = nth_told_state(m, state_of(kind), 0, ra);
  NTH_TELL(sync_region_wait, kind, ompt_scope_begin, parallel, &t->data, ra);
  if (task_reduction)
    nth_reduction_end_workshare(m, false);
  else
    nth_barrier(m);
  tm->task = t;
  NTH_TELL(sync_region_wait, kind, ompt_scope_end, parallel, &t->data, ra);
  nth_told_state_back(m, state);
  NTH_TELL(sync_region, kind, ompt_scope_end, parallel, &t->data, ra);
  nth_told_leave(t);
}

void nth_told_barrier(struct nth_member *m, ompt_sync_region_t kind, const void *ra) {
  barrier(m, kind, false, ra, __builtin_frame_address(0));
}

void nth_told_reduction_end(struct nth_member *m, bool cancelled, const void *ra) {
  struct nth_tool_task *t = nth_told_task_of(m);
  if (cancelled) { /* no barrier */
    nth_reduction_end_workshare(m, true);
    m->tool->task = t;
  } else {
    barrier(m, ompt_sync_region_barrier_implicit_workshare, true, ra, __builtin_frame_address(0));
  }
}

bool nth_told_barrier_cancel(struct nth_member *m, ompt_sync_region_t kind, const void *ra) {
  nth_told_barrier(m, kind, ra);
  return nth_cancelled_team(m->now.team);
}

/* --- cancellation --- */

bool nth_told_cancel(struct nth_member *m, uint32_t which, bool cancels, const void *ra) {
  struct nth_tool_task *t = nth_told_task_of(m);
  int construct = which & NTH_CANCEL_TASKGROUP  ? ompt_cancel_taskgroup
                  : which & NTH_CANCEL_FOR      ? ompt_cancel_loop
                  : which & NTH_CANCEL_SECTIONS ? ompt_cancel_sections
                                                : ompt_cancel_parallel;
  if (nth_race_on && cancels)
    nth_race_cancels(&t->data);
  bool cancelled = cancels ? nth_cancel(m, which) : nth_cancellation_point(m, which);
  if (nth_race_on && cancelled)
    nth_race_cancelled(&t->data);
  t->cancelled = t->cancelled || (cancelled && construct == ompt_cancel_taskgroup);
  if (cancelled)
    NTH_TELL(cancel, &t->data, construct | (cancels ? ompt_cancel_activated : ompt_cancel_detected),
             ra);
  return cancelled;
}

/* --- single --- */

bool nth_told_single(struct nth_member *m, const void *ra) {
  struct nth_tool_task *t = nth_told_task_of(m);
  ompt_data_t *parallel = nth_told_parallel_data(t);
  nth_told_work_over(t);
  if (nth_single_begin(m)) {
    nth_told_work_begin(t, ompt_work_single_executor, 1, ra);
    return true;
  }
  NTH_TELL(work, ompt_work_single_other, ompt_scope_begin, parallel, &t->data, 1, ra);
  NTH_TELL(work, ompt_work_single_other, ompt_scope_end, parallel, &t->data, 1, ra);
  return false;
}
