/* told_role.c - target regions and leagues of teams, as a tool hears of them
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The host is the only device, and runs the teams of a league one after the other. A target region
 * and each team is an initial task on the encountering thread.
 */
#include "runtime/omp/told/told.h"

#include "runtime/omp/told/told_entry.h"

/* A target region runs the code of its teams itself. */
static int league_flags(const struct nth_told_role *r) {
  return nth_told_flags(r->kind == 0, ompt_parallel_league);
}

/* --- initial tasks --- */

static void initial_begin(struct nth_member *m, struct nth_tool_task *t, struct nth_tool_region *r,
                          void (*fn)(void *), uint32_t size, uint32_t index, void *frame) {
  struct nth_tool_member *tm = m->tool;
  *t = (struct nth_tool_task){.region = r,
                              .below = tm->task,
                              .code = fn ? (const char *)(uintptr_t)fn + 1 : tm->task->code,
                              .flags = ompt_task_initial,
                              .task = m->now.task};
  t->frame.exit_frame.ptr = frame;
  t->frame.exit_frame_flags = ompt_frame_runtime | ompt_frame_framepointer;
  tm->task = t;
  tm->state = nth_told_work(t);
  tm->wait = 0;
  NTH_TELL(implicit_task, ompt_scope_begin, &r->data, &t->data, size, index, ompt_task_initial);
}

/* Its tasks end within it. */
static void initial_end(struct nth_member *m, struct nth_tool_task *t, uint32_t index) {
  struct nth_tool_member *tm = m->tool;
  nth_told_work_over(t);
  t->frame.exit_frame.ptr = 0;
  nth_told_enter(t, __builtin_frame_address(0));
  nth_task_wait_all(m);
  nth_told_leave(t);
  NTH_TELL(implicit_task, ompt_scope_end, 0, &t->data, 0, index, ompt_task_initial);
  tm->task = t->below;
  tm->state = nth_told_work(tm->task);
}

/* --- target --- */

/* A target task's record is that of its arguments. */
static void tell_target(struct nth_told_role *r, ompt_scope_endpoint_t at) {
  ompt_data_t *task = &r->outer->data, *target_task = 0;
  if (r->outer->flags & ompt_task_target) {
    target_task = task;
    task =
        &((struct nth_told_args *)((char *)r->outer - offsetof(struct nth_told_args, tool)))->met;
  }
  NTH_TELL(target, r->kind, at, NTH_TOLD_HOST, task, r->id, r->ra);
  NTH_TELL(target_emi, r->kind, at, NTH_TOLD_HOST, task, target_task, &r->data, r->ra);
}

static void begin(struct nth_member *m, struct nth_told_role *r, ompt_target_t kind, const void *ra,
                  void *frame) {
  struct nth_tool_member *tm = nth_told_caller(m);
  *r = (struct nth_told_role){
      .outer = tm->task, .before = {tm->state, tm->wait}, .kind = kind, .ra = ra};
  nth_told_enter(r->outer, frame);
}

static void end(struct nth_member *m, struct nth_told_role *r) {
  nth_told_state_back(m, r->before);
  nth_told_leave(r->outer);
}

void nth_told_target_begin(struct nth_member *m, struct nth_told_role *r, ompt_target_t kind,
                           void (*fn)(void *), const void *ra, void *frame) {
  begin(m, r, kind, ra, frame);
  r->id = nth_told_unique_id();
  tell_target(r, ompt_scope_begin);
  nth_store_rlx(&r->whole.size, 1);
  initial_begin(m, &r->task, &r->whole, fn, 1, 1, frame);
  r->task.target = true;
}

void nth_told_target_end(struct nth_member *m, struct nth_told_role *r) {
  if (r->teams) { /* teams of a program of gcc before 12, whose end is not told */
    nth_told_team_end(m, r, 0);
    nth_told_league_end(m, r);
  }
  initial_end(m, &r->task, 1);
  tell_target(r, ompt_scope_end);
  end(m, r);
}

void nth_told_target_data(ompt_target_t kind, const void *ra) {
  struct nth_told_role r = {.outer = nth_told_task_of(nth_member_get()), .kind = kind, .ra = ra};
  r.id = nth_told_unique_id();
  tell_target(&r, ompt_scope_begin);
  tell_target(&r, ompt_scope_end);
}

/* --- teams --- */

static void league_begin(struct nth_member *m, struct nth_told_role *r, uint32_t teams,
                         void *frame) {
  struct nth_tool_task *from = nth_told_task_of(m);
  r->teams = teams;
  r->league = (struct nth_tool_region){.from = from};
  nth_store_rlx(&r->league.size, teams);
  nth_told_enter(from, frame);
  NTH_TELL(parallel_begin, &from->data, &from->frame, &r->league.data, teams, league_flags(r),
           r->league_ra);
}

void nth_told_league_begin(struct nth_member *m, struct nth_told_role *r, uint32_t teams,
                           const void *ra, void *frame) {
  if (frame)
    begin(m, r, 0, ra, frame);
  else
    frame = r->task.frame.exit_frame.ptr;
  r->league_ra = ra;
  league_begin(m, r, teams, frame);
}

void nth_told_league_end(struct nth_member *m, struct nth_told_role *r) {
  struct nth_tool_task *from = r->league.from;
  r->teams = 0;
  NTH_TELL(parallel_end, &r->league.data, &from->data, league_flags(r), r->league_ra);
  if (r->kind == 0)
    end(m, r);
  else
    nth_told_leave(from);
}

void nth_told_team_begin(struct nth_member *m, struct nth_told_role *r, uint32_t num,
                         void (*fn)(void *), void *frame) {
  if (!frame)
    frame = r->task.frame.exit_frame.ptr;
  initial_begin(m, &r->team, &r->league, fn, r->teams, num, frame);
}

void nth_told_team_end(struct nth_member *m, struct nth_told_role *r, uint32_t num) {
  initial_end(m, &r->team, num);
}
