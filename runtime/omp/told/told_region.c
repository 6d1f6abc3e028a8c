/* told_region.c - parallel regions, as a tool hears of them
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/base/config.h"
#include "runtime/mem/heap.h"
#include "runtime/omp/member/cancelled.h"
#include "runtime/omp/sync/barrier.h"
#include "runtime/omp/team/parallel.h"
#include "runtime/omp/team/team.h"
#include "runtime/omp/team/team_size.h"
#include "runtime/omp/told/told.h"
#include "runtime/omp/types/taskgroup_type.h"
#include "runtime/omp/types/team_type.h"

/* A region. Its member has a list of those that it opens no longer, so a region has mostly the
 * record of the last one at its depth. What a slave has to read lies on one line, which no member
 * writes while the region runs. Of a plain region it reads nothing before its function has run: the
 * line's way from the master is a tenth of a region of 1 us. */
struct region {
  _Alignas(NTH_APART) struct nth_tool_region tool; /* first: a task's `region` is a struct region */
  struct region *next;                             /* in the list */
  bool open;                                       /* by the open form; the master's own */
  struct nth_loop_args loop; /* of a construct combined with a loop; read by all */
  _Alignas(NTH_LINE) _Atomic(uint32_t)
      ended;                   /* members whose part is over; only where regions may be cancelled */
  struct nth_tool_task master; /* the open form's; set between open and close */
};

static_assert(sizeof(struct nth_tool_region) <= NTH_LINE, "it is what a slave reads");

static struct region *take(struct nth_tool_member *tm) {
  struct region *r = (struct region *)tm->spare;
  if (nth_unlikely(!r))
    return nth_heap_need(sizeof *r);
  tm->spare = r->next ? &r->next->tool : 0;
  return r;
}

static void give_back(struct nth_tool_member *tm, struct region *r) {
  r->next = (struct region *)tm->spare;
  tm->spare = &r->tool;
}

void nth_told_regions_free(struct nth_tool_member *tm) {
  while (tm->spare)
    nth_heap_free(take(tm));
}

/* --- members --- */

/* Begins the caller's implicit task, which runs fn. loop: the construct begins with one. */
static void task_begin(struct nth_member *m, struct region *r, void (*fn)(void *), bool loop,
                       struct nth_tool_task *t) {
  struct nth_tool_member *tm = nth_told_member(m);
  *t = (struct nth_tool_task){.region = &r->tool,
                              .code = (const char *)(uintptr_t)fn + 1,
                              .flags = ompt_task_implicit,
                              .thread_num = m->now.thread_num,
                              .task = m->now.task};
  t->frame.exit_frame_flags = ompt_frame_runtime | ompt_frame_framepointer;
  tm->task = t;
  tm->state = ompt_state_work_parallel;
  nth_stall_move(tm, m->now.thread_num, r->tool.ra);
  if (m->now.thread_num == 0)
    NTH_POINT(parallel_begin);
  NTH_TELL(implicit_task, ompt_scope_begin, &r->tool.data, &t->data, m->now.team_size,
           m->now.thread_num, ompt_task_implicit);
  NTH_POINT(task_begin);
  if (loop) {
    nth_told_work_ahead(t, r->tool.ra);
    nth_loop_begin(m, &r->loop);
  }
}

/* Members leave the barrier of a cancelled region early, and its tasks to the join. But a task is
 * told within an implicit one. So here the member waits for all others, and for the tasks. */
static void await_cancelled(struct nth_member *m, struct region *r) {
  struct nth_wait w;
  nth_wait_begin(&w, &m->proc->waiter, NTH_WAIT_TASK, true);
  while (m->now.team_size > 1 && nth_load_acq(&r->ended) < m->now.team_size) /* told:E */
    if (!nth_task_run_any(m, true) && !nth_wait_poll(&w)) {
      struct nth_bell *bell = &m->now.team->help.bell;
      uint32_t ticket = nth_bell_enter(bell);
      nth_bell_sleep(bell, ticket, NTH_UNSURE_NS);
      nth_bell_leave(bell);
    }
  nth_wait_end(&w);
  nth_task_wait_all(m);
}

/* The region's implicit barrier, then the task's end. below: the member's task before. ra: where
 * the master meets the barrier; NULL: a slave, which meets nothing. */
static void task_end(struct nth_member *m, struct nth_tool_task *t, struct nth_tool_task *below,
                     uint32_t state, const void *ra) {
  struct nth_tool_member *tm = m->tool;
  const ompt_sync_region_t kind = ompt_sync_region_barrier_implicit_parallel;
  struct region *r = (struct region *)t->region;
  nth_barrier_ahead(m);
  nth_told_work_over(t);
  tm->state = ompt_state_wait_barrier_implicit_parallel;
  nth_stall_move(tm, m->now.thread_num, r->tool.ra);
  NTH_TELL(sync_region, kind, ompt_scope_begin, &r->tool.data, &t->data, ra);
  NTH_TELL(sync_region_wait, kind, ompt_scope_begin, &r->tool.data, &t->data, ra);
  if (nth_unlikely(nth_env.cancellation) && m->now.team_size > 1)
    nth_add_rel(&r->ended, 1); /* told:E */
  nth_barrier(m);
  if (nth_unlikely(nth_cancelled_team(m->now.team)))
    await_cancelled(m, r);
  tm->task = t;
  NTH_TELL(sync_region_wait, kind, ompt_scope_end, 0, &t->data, ra);
  NTH_TELL(sync_region, kind, ompt_scope_end, 0, &t->data, ra);
  NTH_TELL(implicit_task, ompt_scope_end, 0, &t->data, 0, t->thread_num, ompt_task_implicit);
  NTH_POINT(task_end);
  if (t->thread_num == 0)
    NTH_POINT(parallel_end);
  tm->task = below;
  tm->state = state;
  if (t->thread_num != 0) /* the master is still in the region's team; end() */
    nth_stall_move(tm, m->now.thread_num, 0);
}

/* What a member runs. A frame of its own: the program's function returns to it, and enter_frame of
 * the encountering task is the caller's. */
__attribute__((noinline)) static void run(struct nth_member *m, struct region *r,
                                          void (*fn)(void *), void *data, bool loop) {
  struct nth_tool_member *tm = nth_told_member(m);
  struct nth_tool_task *below = tm->task, mine;
  uint32_t state = tm->state;
  task_begin(m, r, fn, loop, &mine);
  mine.frame.exit_frame.ptr = __builtin_frame_address(0);
  fn(data);
  mine.frame.exit_frame.ptr = 0;
  task_end(m, &mine, below, state, mine.thread_num == 0 ? r->tool.ra : 0);
}

/* A slave: nth_team_told. */
void nth_told_slave(struct nth_member *m, void (*fn)(void *), void *data, bool loop) {
  struct region *r = (struct region *)nth_load_rlx(&m->now.team->told);
  run(m, r, fn, data, loop);
}

/* --- regions --- */

/* Of the open form the program calls the master's part itself. */
static int flags_of(const struct region *r) {
  return nth_told_flags(!r->open, (unsigned)ompt_parallel_team);
}

static struct region *begin(struct nth_member *m, uint32_t clause, const void *ra, void *frame,
                            bool open) {
  struct nth_tool_task *from = nth_told_task_of(m);
  struct region *r = take(m->tool);
  nth_told_thread_point(m->tool);
  r->tool.data.value = 0;
  r->tool.from = from;
  r->tool.ra = ra;
  nth_store_rlx(&r->ended, 0);
  r->open = open;
  nth_told_enter(from, frame);
  /* not nth_team_choose(), which takes threads for the region */
  uint32_t set = m->now.icv->nthreads, wanted = clause ? clause : set ? set : nth_allowed_team();
  NTH_TELL(parallel_begin, &from->data, &from->frame, &r->tool.data, wanted, flags_of(r), ra);
  return r;
}

/* Its team, of which the caller becomes the master. */
static struct nth_team *team_of(struct nth_member *m, void (*fn)(void *), uint32_t clause,
                                uint32_t bind) {
  return nth_team_mine(m, nth_team_choose(m, clause, fn), bind);
}
/* args: of the loop with which the construct begins; NULL: it begins with none. */
static void fork_team(struct nth_member *m, struct nth_team *t, struct region *r,
                      void (*fn)(void *), void *data, const struct nth_loop_args *args) {
  nth_store_rlx(&r->tool.size, t->size);
  if (args)
    r->loop = *args;
  nth_team_fork_told(m, t, fn, data, &r->tool, args != 0);
}

static void end(struct region *r, const void *ra) {
  struct nth_tool_task *from = r->tool.from;
  struct nth_member *m = nth_self;
  nth_prefetch_own(r); /* the slaves have the line, and mostly it is the next region's */
  nth_stall_move(m->tool, m->now.thread_num, 0);
  NTH_TELL(parallel_end, &r->tool.data, &from->data, flags_of(r), ra);
  nth_told_leave(from);
  give_back(m->tool, r);
}

static inline void whole(void (*fn)(void *), void *data, uint32_t clause, uint32_t bind,
                         const struct nth_loop_args *args, const void *ra, void *frame) {
  struct nth_member *m = nth_member_get();
  struct region *r = begin(m, clause, ra, frame, false);
  struct nth_team *t = team_of(m, fn, clause, bind);
  fork_team(m, t, r, fn, data, args);
  run(m, r, fn, data, args != 0);
  nth_team_join(m, t);
  end(r, ra);
}

void nth_told_parallel(void (*fn)(void *), void *data, uint32_t clause, uint32_t bind,
                       const void *ra) {
  whole(fn, data, clause, bind, 0, ra, __builtin_frame_address(0));
}

void nth_told_parallel_loop(void (*fn)(void *), void *data, uint32_t clause, uint32_t bind,
                            const struct nth_loop_args *args, const void *ra) {
  whole(fn, data, clause, bind, args, ra, __builtin_frame_address(0));
}

uint32_t nth_told_parallel_reductions(void (*fn)(void *), void *data, uint32_t clause,
                                      uint32_t bind, uintptr_t *arrays, const void *ra) {
  struct nth_member *m = nth_member_get();
  struct region *r = begin(m, clause, ra, __builtin_frame_address(0), false);
  struct nth_team *t = team_of(m, fn, clause, bind);
  uint32_t n = t->size;
  struct nth_taskgroup group;
  nth_parallel_group(t, &group, arrays);
  fork_team(m, t, r, fn, data, 0);
  run(m, r, fn, data, false);
  nth_team_join(m, t);
  nth_parallel_ungroup(t, n);
  end(r, ra);
  return n;
}

/* --- the open form: the program runs the master's part itself --- */

static inline void open_form(void (*fn)(void *), void *data, uint32_t clause,
                             const struct nth_loop_args *args, const void *ra, void *frame) {
  struct nth_member *m = nth_member_get();
  struct region *r = begin(m, clause, ra, frame, true);
  fork_team(m, team_of(m, fn, clause, 0), r, fn, data, args);
  task_begin(m, r, fn, args != 0, &r->master);
}

void nth_told_parallel_open(void (*fn)(void *), void *data, uint32_t clause, const void *ra) {
  open_form(fn, data, clause, 0, ra, __builtin_frame_address(0));
}

void nth_told_parallel_loop_open(void (*fn)(void *), void *data, uint32_t clause,
                                 const struct nth_loop_args *args, const void *ra) {
  open_form(fn, data, clause, args, ra, __builtin_frame_address(0));
}

void nth_told_parallel_close(const void *ra) {
  struct nth_member *m = nth_member_get();
  struct nth_tool_task *t = nth_told_task_of(m);
  struct region *r = (struct region *)t->region;
  if (!m->now.team || t != &r->master) { /* no region is open */
    nth_parallel_close();
    return;
  }
  struct nth_tool_task *below = nth_told_below(t);
  task_end(m, t, below, nth_told_work(below), ra);
  nth_parallel_close();
  end(r, ra);
}
