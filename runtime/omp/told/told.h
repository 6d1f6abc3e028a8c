/* told.h - what entries of the library do when a tool watches: the same calls, with events around
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         tool.h: the rooms below know nothing of tools. Each function here stands for one of
 *             theirs, which it calls, and tells the tool what begins and ends (OpenMP 5.2, chapter
 *             19).
 * Use         abi/ calls these when nth_tool_on(). ra: the address in the program's code that the
 *             entry returns to, codeptr_ra of the events
 * How         regions  each member begins and ends its implicit task around the program's function;
 *                      slaves come by nth_team_told. The region's implicit barrier is a barrier
 *                      before the task's end, so that the barrier's end is told when all members
 *                      have come. The join behind it finds nothing to wait for
 *             tasks    the arguments of a task have its record before them, and it runs a function
 *                      of this room, which tells the switch to it and its end
 *             waits    members run tasks in them, whose switches nest in the wait's events
 *             A task's record lies on the stack of the member that runs it, or in the task's
 *             memory; a region's with its master (told_region.c)
 * Invariants  tool.h, I2 and I3
 *             detach   the end of a task's function and its event's fulfilment are told under a
 *                      lock of the task, so that the second one is told after the first
 * Orders      E   ended: each member's addition -> another one's look, in a region that is
 *                 cancelled: the tasks that it has made
 *             L   telling: the subtraction of a worker that has told its end -> the look of the
 *                 thread that ends the process: the tool has heard of it before it is finalized
 * Cost        only with a tool
 * Tested by   tests/lit/ompt
 */
#ifndef NTH_OMP_TOLD_H
#define NTH_OMP_TOLD_H

#include <stdarg.h>

#include "runtime/omp/member/member.h"
#include "runtime/omp/sync/lock.h"
#include "runtime/omp/taskloop/taskloop.h"
#include "runtime/omp/tasks/task.h"
#include "runtime/omp/told/points.h"
#include "runtime/omp/told/stall.h"
#include "runtime/omp/tool/tool.h"
#include "runtime/omp/worksharing/loop.h"

struct nth_berth;
struct nth_bounds;

/* --- the start and the end --- */

/* When the library is loaded: looks for a tool, tells it of the initial thread. */
void nth_told_begin(void);
/* Tells the ends of the caller's initial task and thread, and finalizes the tool. exit() does so
 * too, after the caller's other threads have told their ends. */
void nth_told_end(void);
/* The error directive. */
void nth_told_error(ompt_severity_t severity, const char *message, size_t length, const void *ra);
/* omp_control_tool(): what the tool's callback returns; -1: it has none; -2: there is no tool. */
int nth_told_control(int command, int modifier, void *arg, const void *ra);
/* In the child of fork(): the calling member's regions are those that it has itself. */
void nth_told_forked(struct nth_member *m);
/* A member's thread ends. */
void nth_told_member_end(struct nth_member *m);

/* Where in the program a call of the library was made that returns to ra. The compiler makes the
 * last call of a region's or task's function a jump: then ra is in this library, and the place is
 * that function. */
const void *nth_told_site(const void *ra);

/* --- inside the room --- */

/* What locks are made of: the number that mutex events have, and ompt_enumerate_mutex_impls. */
enum { NTH_TOLD_MUTEX = 1 };

/* The member's record, which its first use makes, and tells of the thread. */
struct nth_tool_member *nth_told_member_begin(struct nth_member *m);
static inline struct nth_tool_member *nth_told_member(struct nth_member *m) {
  return nth_likely(m->tool != 0) ? m->tool : nth_told_member_begin(m);
}
/* The thread passes ompd_bp_thread_begin, unless it has. A debugger comes after the library is
 * loaded, so the initial thread does so at its first region. */
void nth_told_thread_point(struct nth_tool_member *tm);
/* Begins the initial task of a member that runs code of the program outside all regions: a root, a
 * processor of nth.h, a slave's thread at its end. */
void nth_told_initial(struct nth_tool_member *tm);
/* The record of a member that the program's code calls: it has a current task. */
static inline struct nth_tool_member *nth_told_caller(struct nth_member *m) {
  struct nth_tool_member *tm = nth_told_member(m);
  if (nth_unlikely(!tm->task))
    nth_told_initial(tm);
  return tm;
}
/* That task. */
static inline struct nth_tool_task *nth_told_task_of(struct nth_member *m) {
  return nth_told_caller(m)->task;
}
static inline ompt_data_t *nth_told_parallel_data(const struct nth_tool_task *t) {
  return t->region ? &t->region->data : 0;
}

/* The task around t: the one that its member has left for it, or the one that met its region. */
static inline struct nth_tool_task *nth_told_below(const struct nth_tool_task *t) {
  return t->below ? t->below : t->region->from;
}

/* The state of a task that waits for nothing. */
static inline uint32_t nth_told_work(const struct nth_tool_task *t) {
  return t->region->from ? ompt_state_work_parallel : ompt_state_work_serial;
}

/* A state and what is waited for, until nth_told_state_back(). */
struct nth_told_state {
  uint32_t state;
  ompt_wait_id_t wait;
};
static inline struct nth_told_state nth_told_state(struct nth_member *m, uint32_t state,
                                                   ompt_wait_id_t wait, const void *ra) {
  struct nth_tool_member *tm = m->tool;
  struct nth_told_state before = {tm->state, tm->wait};
  tm->state = state;
  tm->wait = wait;
  nth_stall_move(tm, m->now.thread_num, ra);
  return before;
}
static inline void nth_told_state_back(struct nth_member *m, struct nth_told_state before) {
  struct nth_tool_member *tm = m->tool;
  tm->state = before.state;
  tm->wait = before.wait;
  nth_stall_move(tm, m->now.thread_num, 0);
}

/* The current task enters the library, and goes back to its code. */
static inline void nth_told_enter(struct nth_tool_task *t, void *frame) {
  t->frame.enter_frame.ptr = frame;
  t->frame.enter_frame_flags = ompt_frame_runtime | ompt_frame_framepointer;
}
static inline void nth_told_leave(struct nth_tool_task *t) { t->frame.enter_frame.ptr = 0; }

/* What a member waits for with the turn of its chunk: the iteration before that. */
static inline uint64_t nth_told_before(const struct nth_loop *l) {
  return l->ordered && 0 < l->begin && l->begin < l->end ? l->begin - 1 : NTH_TOOL_NO_GOAL;
}
/* An ordered loop's turn, which all its members share; a team of one has none, and the loop itself
 * stands for it. 0: there is no such loop. */
static inline ompt_wait_id_t nth_told_turn(const struct nth_loop *l) {
  const void *turn = l->share ? (const void *)&l->share->turn : l;
  return l->ordered ? (ompt_wait_id_t)(uintptr_t)turn : 0;
}

/* Flags of a region, or league, whose code the library calls, or the program in its own loop. */
static inline int nth_told_flags(bool by_library, unsigned what) {
  return (int)((by_library ? ompt_parallel_invoker_runtime : ompt_parallel_invoker_program) | what);
}

/* --- regions: told_region.c --- */

/* A slave's part; nth_team_told (team.h). */
void nth_told_slave(struct nth_member *m, void (*fn)(void *), void *data, bool loop);
/* The member ends; it has no region open. */
void nth_told_regions_free(struct nth_tool_member *tm);

/* What a region of this room is: nth_team_parallel and its kin (team.h, parallel.h). */
void nth_told_parallel(void (*fn)(void *), void *data, uint32_t clause, uint32_t bind,
                       const void *ra);
uint32_t nth_told_parallel_reductions(void (*fn)(void *), void *data, uint32_t clause,
                                      uint32_t bind, uintptr_t *arrays, const void *ra);
void nth_told_parallel_loop(void (*fn)(void *), void *data, uint32_t clause, uint32_t bind,
                            const struct nth_loop_args *args, const void *ra);
void nth_told_parallel_open(void (*fn)(void *), void *data, uint32_t clause, const void *ra);
void nth_told_parallel_loop_open(void (*fn)(void *), void *data, uint32_t clause,
                                 const struct nth_loop_args *args, const void *ra);
void nth_told_parallel_close(const void *ra);

/* --- tasks: told_task.c --- */

/* What lies before a task's own arguments. */
struct nth_told_args {
  void *event; /* first: where the library writes the handle of a task with a detach clause */
  struct nth_tool_task tool;
  void (*fn)(void *);
  void *data;     /* the program's arguments, copied; of a task that has none to copy, its own */
  bool allocated; /* data comes from malloc */
  ompt_dispatch_chunk_t chunk; /* of a taskloop: what the task runs; no iterations: another task */
  struct nth_mutex telling;    /* detach: for `over` and what is told of it */
  uint32_t over;   /* FUNCTION, EVENT, DISCARDED, as they happen; w, r: with `telling` */
  ompt_data_t met; /* of a target task: the tool's data of the task that met the construct, which
                    * may have ended */
};
/* The function of a task with such arguments, its data. */
void nth_told_task_run(void *data);
/* In a forked child: t is one of the caller's. */
void nth_told_task_forked(const struct nth_tool_task *t);

void nth_told_task_create(struct nth_member *m, const struct nth_task_args *a, const void *ra);
/* A target region that is deferred. */
void nth_told_task_target(struct nth_member *m, const struct nth_task_args *a, const void *ra);
/* One of a taskloop's tasks, which gets these bounds: the iterations of chunk. */
void nth_told_task_part(struct nth_member *m, const struct nth_task_args *a,
                        const struct nth_bounds *bounds, ompt_dispatch_chunk_t chunk,
                        const void *ra);
/* The hook of tasks that are discarded; task_run.h. */
void nth_told_discard(struct nth_member *m, struct nth_task *task);
/* The hook of tasks that wait for others; depend.h. */
void nth_told_dependence(struct nth_task *before, struct nth_task *after);
/* The hook of berths; task_berth.h. */
void nth_told_berth(struct nth_member *m, struct nth_berth *b, bool enters);
void nth_told_task_wait(struct nth_member *m, const void *ra);
void nth_told_task_wait_depend(struct nth_member *m, void **depend, const void *ra);
void nth_told_task_create_empty(struct nth_member *m, void **depend, const void *ra);
void nth_told_task_yield(struct nth_member *m);
bool nth_told_fulfill(struct nth_task *t);
void nth_told_taskgroup_begin(struct nth_member *m, const void *ra);
void nth_told_taskgroup_end(struct nth_member *m, const void *ra);

/* --- barriers, single, cancellation: told_sync.c --- */

void nth_told_barrier(struct nth_member *m, ompt_sync_region_t kind, const void *ra);
/* The end of a construct with reduction(task): nth_reduction_end_workshare(). */
void nth_told_reduction_end(struct nth_member *m, bool cancelled, const void *ra);
bool nth_told_barrier_cancel(struct nth_member *m, ompt_sync_region_t kind, const void *ra);
bool nth_told_cancel(struct nth_member *m, uint32_t which, bool cancels, const void *ra);
/* Whether the caller executes the block. */
bool nth_told_single(struct nth_member *m, const void *ra);

/* --- work sharing: told_work.c --- */

/* The current task begins a work-sharing construct, and is past it, if it executed one. ahead: of a
 * loop combined with its region; it is told when the member asks for its first chunk. */
void nth_told_work_ahead(struct nth_tool_task *t, const void *ra);
void nth_told_work_begin(struct nth_tool_task *t, ompt_work_t kind, uint64_t count, const void *ra);
void nth_told_work_over_slow(struct nth_tool_task *t);
static inline void nth_told_work_over(struct nth_tool_task *t) {
  if (t->work)
    nth_told_work_over_slow(t);
}
/* At a barrier: a loop has said itself that it is over, or is not. */
static inline void nth_told_block_over(struct nth_tool_task *t) {
  if (t->work && (t->work_kind == ompt_work_single_executor || t->work_kind == ompt_work_scope))
    nth_told_work_over_slow(t);
}
/* Where in the program the library is entered: for what a loop's events say. */
void nth_told_from(const void *ra);
/* The hook of loops; loop.h. */
void nth_told_loop(struct nth_member *m, enum nth_loop_event event,
                   const struct nth_loop_args *args);
/* A loop, or distribute, that the program divides itself; static.c of abi/. */
void nth_told_static_begin(struct nth_member *m, ompt_work_t kind, uint64_t trips, const void *ra);
void nth_told_static_chunk(struct nth_member *m, ompt_dispatch_t kind, uint64_t first,
                           uint64_t count);
/* The end of such a loop, of a scope or of a single construct, which the program tells. */
void nth_told_construct_end(struct nth_member *m);
void nth_told_masked(struct nth_member *m, ompt_scope_endpoint_t endpoint, const void *ra);
void nth_told_scope(struct nth_member *m, uintptr_t *reductions, const void *ra);
/* doacross(source), doacross(sink): as dependences, before the post and the wait. */
void nth_told_doacross_post(struct nth_member *m, const uint64_t *iteration);
void nth_told_doacross_wait(struct nth_member *m, uint64_t first, va_list *rest, const void *ra);
void nth_told_taskloop(struct nth_member *m, const struct nth_taskloop *l, const void *ra);

/* --- initial tasks of target regions and teams: told_role.c --- */

/* In the frame of the call that runs the region. */
struct nth_told_role {
  struct nth_tool_region whole; /* around a target region's initial task */
  struct nth_tool_task task;    /* that one */
  struct nth_tool_region league;
  struct nth_tool_task team;    /* the initial task of the league's current team */
  struct nth_tool_task *outer;  /* the task that met the construct, or its target task */
  struct nth_told_state before; /* of the member */
  ompt_target_t kind;
  ompt_id_t id;          /* of the target region, for `target` */
  ompt_data_t data;      /* for `target_emi` */
  const void *ra;        /* where in the program the target construct is */
  const void *league_ra; /* and the teams construct */
  uint32_t teams;        /* of the league; 0: none is open */
};

enum { NTH_TOLD_HOST = 0 /* as a device */ };

/* Of the initial task of a target region. */
static inline const struct nth_told_role *nth_told_role_of(const struct nth_tool_task *t) {
  nth_assert(t->target);
  return (const struct nth_told_role *)((const char *)t - offsetof(struct nth_told_role, task));
}

/* Around a target region that the member runs, in its role. frame, also of the functions below: of
 * the caller, from where the program's code runs. */
void nth_told_target_begin(struct nth_member *m, struct nth_told_role *r, ompt_target_t kind,
                           void (*fn)(void *), const void *ra, void *frame);
void nth_told_target_end(struct nth_member *m, struct nth_told_role *r);
/* A construct that only moves data. _task: as a target task with dependences (told_task.c). */
void nth_told_target_data(ompt_target_t kind, const void *ra);
void nth_told_target_data_task(struct nth_member *m, void **depend, ompt_target_t kind,
                               const void *ra);

/* A league of that many teams. frame NULL: it is in the target region of r, whose function goes on
 * with the code of its teams. */
void nth_told_league_begin(struct nth_member *m, struct nth_told_role *r, uint32_t teams,
                           const void *ra, void *frame);
void nth_told_league_end(struct nth_member *m, struct nth_told_role *r);
/* Its team `num` begins, ends. fn, frame NULL: a part of the target region. */
void nth_told_team_begin(struct nth_member *m, struct nth_told_role *r, uint32_t num,
                         void (*fn)(void *), void *frame);
void nth_told_team_end(struct nth_member *m, struct nth_told_role *r, uint32_t num);

/* A member's task while its processor runs another nano-thread; target/aside.h. */
struct nth_told_aside {
  struct nth_tool_task *task;
  struct nth_told_state state;
};
void nth_told_aside_put(struct nth_member *m, struct nth_told_aside *a);
void nth_told_aside_back(struct nth_member *m, const struct nth_told_aside *a);

/* --- mutual exclusion: told_lock.c --- */

/* kind: what the lock serves; hint: the program's, 0: none. The lock is left by
 * nth_lock_unset_quick() and, since its word says that a tool heard of it, nth_told_lock_left(). */
void nth_told_lock_set(struct nth_mutex *l, ompt_mutex_t kind, const void *ra);
int nth_told_lock_test(struct nth_mutex *l, const void *ra);
void nth_told_lock_left(struct nth_mutex *l, ompt_mutex_t kind, const void *ra);
void nth_told_lock_init(const void *l, ompt_mutex_t kind, unsigned hint, const void *ra);
void nth_told_lock_destroy(const void *l, ompt_mutex_t kind, const void *ra);
void nth_told_nest_lock_set(struct nth_nest_lock *l, const void *ra);
void nth_told_nest_lock_unset(struct nth_nest_lock *l, const void *ra);
int nth_told_nest_lock_test(struct nth_nest_lock *l, const void *ra);
void nth_told_old_nest_lock_set(struct nth_old_nest_lock *l, const void *ra);
void nth_told_old_nest_lock_unset(struct nth_old_nest_lock *l, const void *ra);
int nth_told_old_nest_lock_test(struct nth_old_nest_lock *l, const void *ra);
void nth_told_ordered_begin(struct nth_member *m, const void *ra);
void nth_told_ordered_end(struct nth_member *m, const void *ra);

#endif
