/* told.h - what entries of the library do when a tool watches: the same calls, with events around
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         tool.h: the rooms below know nothing of tools. Each function here stands for one of
 *             theirs, which it calls, and tells the tool what begins and ends (OpenMP 5.2, chapter
 *             19).
 * Use         abi/ calls these when nth_tool_on(). ra: the address in the program's code that the
 *             entry returns to, codeptr_ra of the events
 * How         regions  the members run a body of this room, which begins and ends the implicit task
 *                      around the program's function. The region's implicit barrier is a barrier in
 *                      that body, so that its end is told when all members have come; the join
 *                      behind it finds nothing to wait for
 *             tasks    the arguments of a task have its record before them, and it runs a function
 *                      of this room, which tells the switch to it and its end
 *             waits    members run tasks in them, whose switches nest in the wait's events
 *             Records lie where their task or region lies: on the stack of its body, or in the
 *             task's memory
 * Invariants  tool.h, I2 and I3
 * Orders      D   over, of a task with a detach clause: the end of its function and the event's
 *                 fulfilment, each by an addition acquire-release. The second one sees the first
 * Cost        only with a tool
 * Tested by   tests/lit/ompt
 */
#ifndef NTH_OMP_TOLD_H
#define NTH_OMP_TOLD_H

#include "runtime/omp/member/member.h"
#include "runtime/omp/sync/lock.h"
#include "runtime/omp/tasks/task.h"
#include "runtime/omp/told/stall.h"
#include "runtime/omp/tool/tool.h"
#include "runtime/omp/worksharing/loop.h"

/* --- the start and the end --- */

/* When the library is loaded: looks for a tool, tells it of the initial thread. */
void nth_told_begin(void);
/* At the end of the process: initial task and thread end, then the tool. */
void nth_told_end(void);
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
/* Its current task; never NULL inside a region or in a root. */
static inline struct nth_tool_task *nth_told_task_of(struct nth_member *m) {
  return nth_told_member(m)->task;
}
static inline ompt_data_t *nth_told_parallel_data(const struct nth_tool_task *t) {
  return t->region ? &t->region->data : 0;
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

/* --- regions: told_region.c --- */

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

void nth_told_task_create(struct nth_member *m, const struct nth_task_args *a, const void *ra);
void nth_told_task_wait(struct nth_member *m, const void *ra);
void nth_told_task_wait_depend(struct nth_member *m, void **depend, const void *ra);
void nth_told_task_create_empty(struct nth_member *m, void **depend, const void *ra);
void nth_told_task_yield(struct nth_member *m);
bool nth_told_fulfill(struct nth_task *t);
void nth_told_taskgroup_begin(struct nth_member *m, const void *ra);
void nth_told_taskgroup_end(struct nth_member *m, const void *ra);

/* --- barriers, single, cancellation: told_sync.c --- */

void nth_told_barrier(struct nth_member *m, ompt_sync_region_t kind, const void *ra);
bool nth_told_barrier_cancel(struct nth_member *m, ompt_sync_region_t kind, const void *ra);
bool nth_told_cancel(struct nth_member *m, uint32_t which, bool cancels, const void *ra);
/* Whether the caller executes the block. */
bool nth_told_single(struct nth_member *m, const void *ra);
/* The task is past the block of a single construct, if it executed one. */
void nth_told_single_over_slow(struct nth_tool_task *t);
static inline void nth_told_single_over(struct nth_tool_task *t) {
  if (t->single)
    nth_told_single_over_slow(t);
}

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
void nth_told_ordered_begin(struct nth_member *m, const void *ra);
void nth_told_ordered_end(struct nth_member *m, const void *ra);

#endif
