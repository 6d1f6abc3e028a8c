/* task_berth.h - untied tasks on stacks of their own, where they are suspended
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A task that waits on its runner's stack keeps all that lies below it from going on,
 *             and the member may start descendants of it only. So untied tasks that wait start on a
 *             berth: a stack (sched/nano/stack.h) with what is kept while the task on it is
 *             suspended.
 * Use         nth_task_run() asks nth_task_wants_berth() for untied tasks, and takes the step onto
 *             the berth by nth_berth_run(). The task's waits come back from there:
 *             nth_berth_tally(), nth_berth_yield(), nth_berth_leave(). Whoever ends such a wait
 *             calls nth_berth_ready(); waits on the member's other stacks find the task by
 *             nth_berth_next() and run it on.
 * Loose       A task that may be suspended (NTH_TASK_LOOSE): started on a berth, or an untied one
 *             that lies in the frame of such a one. Below it on its stack there are constructs
 *             only, which wait for it, so the whole stack is suspended. A tied one on a berth waits
 *             as on any stack.
 * Habits      Which functions wait a member learns for itself, in a small table of their addresses:
 *             a wrong entry only costs. A new function starts on berths some times; while none of
 *             its tasks waits, the next ones are run as tied ones, without a step. Each wait adds
 *             to a score, each end without one lowers it; taskyield, which may be a loop, is never
 *             forgotten.
 * Who goes on A suspended task goes on with its member: compilers keep addresses of TLS, and so
 *             does errno. It waits in the member's slot of the team: `woken` is where others put
 *             it, `ready` and `yielded` are the member's own. A wait that looks for tasks takes the
 *             member's newest first, then those that are ready, then others' tasks, and then one
 *             that has yielded, in turn. A wait for a lock takes those that are ready and those
 *             that have yielded, for one may hold the lock.
 * Tally       A task in taskwait, or at the end of a taskgroup, closes the tally that it waits for
 *             (tally.h): whoever takes the last one off is told, and no child is counted as its
 *             runner's own meanwhile.
 * Constraint  Untied tasks may go on anywhere. But what they start at once would then lie above a
 *             task that it does not descend from, and what they push would break the deque's order
 *             (task_queue.h). So a task that goes on in a wait for others' tasks (foreign) counts
 *             as nested to the limit, so that its children are deferred; and what it has pushed is
 *             put into the list when it comes back. Where it goes on at a barrier, or in a wait for
 *             descendants of which it is one, neither is needed. A task's base is where the deque
 *             was when it started, or went on: it never takes from the deque what it has pushed
 *             before, which the wait that has resumed it may.
 * Limits      In a team only. Where there is no stack the task is run as a tied one
 * Invariants  I1  a berth is where the member runs, or below it in a chain of steps, or holds a
 *                 suspended task,
 *             I2  a suspended task is in `woken`, `ready`, `yielded`, a list of a lock, or its
 *                 tally is closed
 *             I3  slot->berths.suspended = tasks suspended in that slot; it is 0 when the member
 *                 leaves the region
 * Orders      berth_list:W; the marks of a task in a closed tally are published by the close
 *             (tally:A)
 * Cost        a step onto a berth and back: two switches, some 150 instructions with all
 * Tested by   tests/lit/tasks/untied_*.c, tests/lit/cxx/untied.cpp, tests/model/berth
 */
#ifndef NTH_OMP_TASK_BERTH_H
#define NTH_OMP_TASK_BERTH_H

#include "runtime/omp/member/member.h"
#include "runtime/omp/queue/berth_list.h"
#include "runtime/omp/tasks/task.h"
#include "runtime/omp/types/generation.h"
#include "runtime/sched/nano/stack.h"

/* --- habits --- */

/* An entry: a function's address, but for its highest bits, and a score; 0: it does not wait. */
static inline uint64_t nth_habit_key(void (*fn)(void *)) { return (uint64_t)(uintptr_t)fn << 16; }
static inline uint64_t *nth_habit_of(struct nth_member *m, void (*fn)(void *)) {
  uintptr_t a = (uintptr_t)fn;
  return &m->habit[(a >> 4 ^ a >> 10) % NTH_HABITS];
}

/* Whether an untied task of that function, of which it is not known that it does not wait, starts
 * on a berth. */
bool nth_habit_waits(struct nth_member *m, void (*fn)(void *));
/* The current task, of that function, waits. yields: in taskyield, or a loop about a lock. */
void nth_habit_note(struct nth_member *m, void (*fn)(void *), bool yields);

/* Whether a task that m makes now, deferred as far as the program says, should have a berth. */
static inline bool nth_task_wants_berth(struct nth_member *m, uint32_t flags, void (*fn)(void *)) {
  return flags & NTH_TASK_UNTIED && m->now.team && *nth_habit_of(m, fn) != nth_habit_key(fn) &&
         nth_habit_waits(m, fn);
}

/* --- steps --- */

/* Starts t, or goes on with it if it is suspended (NTH_TASK_STAYS): true when its function has
 * returned, and nth_task_after() was called; false when it is suspended again. any, foreign: see
 * above; foreign is what it is, whatever it descends from. */
bool nth_berth_run(struct nth_member *m, struct nth_task *t, bool any, bool foreign);

/* Takes a berth for t, which is to be run next. False: there is none. */
bool nth_berth_prepare(struct nth_member *m, struct nth_task *t);

/* --- waits of the current task, which is loose --- */

/* Whether the current task is. */
static inline bool nth_berth_may_leave(const struct nth_member *m) {
  return nth_unlikely(nth_task_is_loose(m->now.task)) &&
         m->berth->generation == nth_fork_generation;
}

/* Until the tally, of the task's children or of its group, is 0. */
void nth_berth_tally(struct nth_member *m, struct nth_tally *tally);
/* Until its turn comes. */
void nth_berth_yield(struct nth_member *m);
/* Until somebody calls nth_berth_ready(), or has called it since nth_berth_mark(). */
struct nth_berth *nth_berth_mark(struct nth_member *m);
void nth_berth_unmark(struct nth_berth *b); /* it need not leave */
void nth_berth_leave(struct nth_berth *b);

/* --- others --- */

/* A suspended task can go on; by any thread, once. */
void nth_berth_ready(struct nth_berth *b);

#endif
