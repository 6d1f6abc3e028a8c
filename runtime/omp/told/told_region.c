/* told_region.c - parallel regions, as a tool hears of them
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/base/config.h"
#include "runtime/mem/heap.h"
#include "runtime/omp/member/cancelled.h"
#include "runtime/omp/sync/barrier.h"
#include "runtime/omp/team/parallel.h"
#include "runtime/omp/team/team.h"
#include "runtime/omp/told/told.h"
#include "runtime/omp/types/team_type.h"

/* A region. On the master's stack; of the open form on the heap, with the master's task. What each
 * slave reads lies on one line, which no member writes while the region runs: its way to a slave
 * is a tenth of a short region. */
struct region {
  _Alignas(NTH_APART) struct nth_tool_region tool; /* first: a task's `region` is a struct region */
  void (*fn)(void *);
  void *data;
  _Atomic(uint32_t) ended; /* members whose part is over; only where regions may be cancelled */
  bool open;               /* by the open form; the master's own */
  bool combined;           /* with the loop: */
  struct nth_loop_args loop;
  struct nth_tool_task master; /* the open form's; set between open and close */
};
static_assert(offsetof(struct region, loop) <= NTH_LINE,
              "a slave of a plain region reads one line");

/* Room for a region on the stack. It is aligned by hand: where the compiler aligns a frame, the
 * frame's address is at no fixed distance from the caller's, by which tools know that again. */
enum { ROOM = sizeof(struct region) + NTH_APART };
static inline struct region *region_in(char *room) {
  return (void *)(((uintptr_t)room + NTH_APART - 1) & ~(uintptr_t)(NTH_APART - 1));
}

/* --- members --- */

/* Begins the caller's implicit task. */
static void task_begin(struct nth_member *m, struct region *r, struct nth_tool_task *t) {
  struct nth_tool_member *tm = nth_told_member(m);
  *t = (struct nth_tool_task){.region = &r->tool,
                              .below = m->now.thread_num == 0 ? tm->task : r->tool.from,
                              .code = (const char *)(uintptr_t)r->fn + 1,
                              .flags = ompt_task_implicit,
                              .thread_num = m->now.thread_num,
                              .task = m->now.task};
  t->frame.exit_frame_flags = ompt_frame_runtime | ompt_frame_framepointer;
  tm->task = t;
  tm->state = ompt_state_work_parallel;
  if (nth_unlikely(nth_load_rlx(&r->tool.size) != m->now.team_size)) /* begin() guessed wrong */
    nth_store_rlx(&r->tool.size, m->now.team_size);
  nth_stall_move(tm, m->now.thread_num, r->tool.ra);
  if (m->now.thread_num == 0)
    NTH_POINT(parallel_begin);
  NTH_TELL(implicit_task, ompt_scope_begin, &r->tool.data, &t->data, m->now.team_size,
           m->now.thread_num, ompt_task_implicit);
  NTH_POINT(task_begin);
  if (r->combined) {
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

/* The region's implicit barrier, then the task's end. below: the member's task before. In a child
 * that was forked by another member than the master, r is gone. ra: where the master met the
 * region; a slave meets nothing, and its barrier has no place in the program. */
static void task_end(struct nth_member *m, struct region *r, const void *ra,
                     struct nth_tool_task *t, struct nth_tool_task *below, uint32_t state) {
  struct nth_tool_member *tm = m->tool;
  const ompt_sync_region_t kind = ompt_sync_region_barrier_implicit_parallel;
  ompt_data_t *parallel = &t->region->data;
  nth_barrier_ahead(m);
  nth_told_work_over(t);
  tm->state = ompt_state_wait_barrier_implicit_parallel;
  nth_stall_move(tm, m->now.thread_num, ra);
  ra = t->thread_num == 0 ? ra : 0;
  NTH_TELL(sync_region, kind, ompt_scope_begin, parallel, &t->data, ra);
  NTH_TELL(sync_region_wait, kind, ompt_scope_begin, parallel, &t->data, ra);
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

/* Asks for the data of the program's function while the region's record is on its way: both lie on
 * the master's stack, mostly as far from each other as in the last region. */
static inline void data_ahead(struct nth_tool_member *tm, const struct region *r) {
  __builtin_prefetch((const void *)((uintptr_t)r + tm->data_from_region));
  tm->data_from_region = (uintptr_t)r->data - (uintptr_t)r;
}

/* What each member runs. */
static void body(void *data) {
  struct region *r = data;
  struct nth_member *m = nth_self;
  struct nth_tool_member *tm = nth_told_member(m);
  data_ahead(tm, r);
  struct nth_tool_task *below = tm->task, mine;
  const void *ra = r->tool.ra;
  uint32_t state = tm->state;
  task_begin(m, r, &mine);
  mine.frame.exit_frame.ptr = __builtin_frame_address(0);
  r->fn(r->data);
  mine.frame.exit_frame.ptr = 0;
  task_end(m, r, ra, &mine, below, state);
}

/* --- regions --- */

/* Of the open form the program calls the master's part itself. */
static int flags_of(const struct region *r) {
  return nth_told_flags(!r->open, (unsigned)ompt_parallel_team);
}

static void begin(struct nth_member *m, struct region *r, void (*fn)(void *), void *data,
                  uint32_t clause, const void *ra, void *frame, bool open) {
  struct nth_tool_task *from = nth_told_task_of(m);
  nth_told_thread_point(m->tool);
  r->tool.data.value = 0;
  r->tool.from = from;
  nth_store_rlx(&r->tool.size, m->next_team ? m->next_team->size : 1); /* as the last one was */
  r->fn = fn;
  r->data = data;
  r->tool.ra = ra;
  nth_store_rlx(&r->ended, 0);
  r->combined = false;
  r->open = open;
  nth_told_enter(from, frame);
  /* not nth_team_choose(), which takes threads for the region */
  uint32_t set = m->now.icv->nthreads, wanted = clause ? clause : set ? set : nth_allowed_team();
  NTH_TELL(parallel_begin, &from->data, &from->frame, &r->tool.data, wanted, flags_of(r), ra);
}

static void end(struct region *r, const void *ra) {
  struct nth_tool_task *from = r->tool.from;
  struct nth_member *m = nth_self;
  nth_prefetch_own(r); /* the slaves have the line, and mostly the next region's record is there */
  nth_stall_move(m->tool, m->now.thread_num, 0);
  NTH_TELL(parallel_end, &r->tool.data, &from->data, flags_of(r), ra);
  nth_told_leave(from);
}

void nth_told_parallel(void (*fn)(void *), void *data, uint32_t clause, uint32_t bind,
                       const void *ra) {
  char room[ROOM];
  struct region *r = region_in(room);
  begin(nth_member_get(), r, fn, data, clause, ra, __builtin_frame_address(0), false);
  nth_parallel_at(body, r, clause, bind, fn);
  end(r, ra);
}

uint32_t nth_told_parallel_reductions(void (*fn)(void *), void *data, uint32_t clause,
                                      uint32_t bind, uintptr_t *arrays, const void *ra) {
  char room[ROOM];
  struct region *r = region_in(room);
  begin(nth_member_get(), r, fn, data, clause, ra, __builtin_frame_address(0), false);
  uint32_t n = nth_parallel_reductions(body, r, clause, bind, arrays, fn);
  end(r, ra);
  return n;
}

void nth_told_parallel_loop(void (*fn)(void *), void *data, uint32_t clause, uint32_t bind,
                            const struct nth_loop_args *args, const void *ra) {
  char room[ROOM];
  struct region *r = region_in(room);
  begin(nth_member_get(), r, fn, data, clause, ra, __builtin_frame_address(0), false);
  r->combined = true;
  r->loop = *args;
  nth_parallel_at(body, r, clause, bind, fn);
  end(r, ra);
}

/* --- the open form: the program runs the master's part itself --- */

static struct region *open_begin(void (*fn)(void *), void *data, uint32_t clause, const void *ra,
                                 void *frame) {
  struct region *r = nth_heap_need(sizeof *r);
  begin(nth_member_get(), r, fn, data, clause, ra, frame, true);
  return r;
}

/* The members run; the caller's implicit task begins. */
static void open_run(struct region *r) {
  struct nth_member *m = nth_self;
  task_begin(m, r, &r->master);
}

void nth_told_parallel_open(void (*fn)(void *), void *data, uint32_t clause, const void *ra) {
  struct region *r = open_begin(fn, data, clause, ra, __builtin_frame_address(0));
  nth_parallel_open(body, r, clause, fn);
  open_run(r);
}

void nth_told_parallel_loop_open(void (*fn)(void *), void *data, uint32_t clause,
                                 const struct nth_loop_args *args, const void *ra) {
  struct region *r = open_begin(fn, data, clause, ra, __builtin_frame_address(0));
  r->combined = true;
  r->loop = *args;
  nth_parallel_open(body, r, clause, fn);
  open_run(r);
}

void nth_told_parallel_close(const void *ra) {
  struct nth_member *m = nth_member_get();
  struct nth_tool_task *t = nth_told_task_of(m);
  struct region *r = (struct region *)t->region;
  if (!m->now.team || t != &r->master) { /* no region is open */
    nth_parallel_close();
    return;
  }
  struct nth_tool_task *below = t->below;
  task_end(m, r, ra, t, below, nth_told_work(below));
  nth_parallel_close();
  end(r, ra);
  nth_heap_free(r);
}
