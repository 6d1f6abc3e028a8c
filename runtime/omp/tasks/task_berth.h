/* task_berth.h - untied tasks on stacks of their own, where they are suspended
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A task that waits on the stack of its member keeps all tasks below it on that stack
 *             from going on, and the member may start only descendants of it. So an untied task
 *             that waits starts on a berth: a stack (sched/nano/stack.h), with what is kept while
 *             the task on it is suspended.
 * Use         nth_task_run() asks nth_task_wants_berth() for untied tasks, and steps onto the
 *             berth by nth_berth_run(). The task's waits leave the berth by nth_berth_tally(),
 *             nth_berth_yield() and nth_berth_leave(). Whoever ends such a wait calls
 *             nth_berth_ready(). Waits on the member's other stacks find the task by
 *             nth_berth_next(), and run it on.
 * Loose       A loose task (NTH_TASK_LOOSE) may be suspended: it was started on a berth, or is an
 *             untied task that lies in the frame of a loose one. Below it on its stack there are
 *             only constructs that wait for it, so the whole stack is suspended. A tied task on a
 *             berth waits as on any stack.
 * Habits      A member learns by itself which functions wait, in a small table of their addresses;
 *             a wrong entry only costs time. The first tasks of a new function start on berths. If
 *             none of them waits, the next ones run as tied tasks, without a step. Each wait adds
 *             to a score, and each end without a wait lowers it. A taskyield, which may be in a
 *             loop, is never forgotten.
 * Resuming    A suspended task goes on with its member: compilers keep addresses of TLS, where
 *             errno lies too. It waits in the member's slot of the team: other threads put it into
 *             `woken`; `ready` and `yielded` are the member's own. A wait that looks for tasks
 *             looks into the member's own deque first, then takes suspended tasks that are
 *             ready, then others' tasks, and then one that has yielded, in turn. While
 *             NTH_BERTHS_MANY are suspended, those that can go on come first in a wait for all
 *             tasks, and those whose waits are over in any wait of an implicit task. Where a
 *             library has waits polled (sched/wait/poll.h), suspended tasks that are ready come
 *             first. A wait for a lock takes suspended tasks that are ready or have yielded, for
 *             one of them may hold the lock; so does one for a turn in a loop (ordered, doacross)
 * Tally       A task in taskwait, or at the end of a taskgroup, closes the tally that it waits for
 *             (tally.h). So the thread that takes the last one off is told, and no child is
 *             counted by a plain addition meanwhile.
 * Constraint  OpenMP lets untied tasks go on anywhere. But what such a task starts at once could
 *             lie above a task from which it does not descend, and what it pushes could break the
 *             deque's order (task_queue.h). So a task that goes on in a wait for others' tasks
 *             (foreign) counts as nested to the limit, and defers its children. What it has pushed
 *             goes into the list when it comes back. Neither is needed at a barrier, or in a wait
 *             for descendants of which it is one.
 *             A task's base is the deque's position at which it started, or last went on; so are
 *             those of the tasks in whose frames it lies. So it never takes from the deque what it
 *             has pushed before that, but the wait that has resumed it may.
 *             A task below may also have a lock that a child of the foreign task will wait for. So
 *             all that begins above a foreign task is foreign, and gets a berth, tied or not: in
 *             each wait it can leave the stack of the task below, which then goes on. A child's
 *             wait is the same there as an untied task's.
 * Bound       A tied task that began on a berth, as a foreign one, is bound. It is suspended in its
 *             waits. Meanwhile OpenMP lets its thread begin only those tied tasks that descend from
 *             it. So while the bound task waits for tasks, any other tied task is refused. After
 *             NTH_AWAITED_REFUSALS refusals nothing else seems to help, and one begins.
 * Stuck       A suspended task may wait for a task that nobody begins: all members wait for the
 *             lock that the suspended one has, or for tasks that wait for it. So waits that begin
 *             no task, or certain ones only, now and then look for a task that their member's
 *             suspended tasks wait for (`awaiting`), and begin it as a foreign one. Of a batch they
 *             begin one part, as a task of its own.
 * Limits      In a team only. Where there is no stack, the task runs as a tied one
 * Invariants  I1  each berth is the one on which its member runs, or lies below that in a chain of
 *                 steps, or holds a suspended task
 *             I2  a suspended task is in `woken`, `ready`, `yielded`, or a list of a lock, or its
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

#include "runtime/base/check.h"
#include "runtime/omp/member/member.h"
#include "runtime/omp/queue/berth_list.h"
#include "runtime/omp/tasks/task.h"
#include "runtime/omp/types/generation.h"
#include "runtime/sched/nano/stack.h"
#include "runtime/struct/fn_word.h"

/* --- habits --- */

/* An entry of the table: a function and its score. Score 0: the function does not wait. */
static inline uint64_t *nth_habit_of(struct nth_member *m, void (*fn)(void *)) {
  return &m->habit[nth_fn_row((uintptr_t)fn, NTH_HABITS)];
}

/* Whether an untied task of that function starts on a berth. For a function that the table does not
 * list as one that does not wait. */
bool nth_habit_waits(struct nth_member *m, void (*fn)(void *));
/* Each function counts as one that waits, unless the table says otherwise already. w:
 * nth_suspended_always() (sync/suspend.h), once; r: members, relaxed: a choice of stacks */
extern _Atomic(bool) nth_habit_always;
static inline bool nth_habit_is_always(void) {
  return nth_load_rlx(&nth_habit_always) || nth_env.test_berths;
}
/* Notes that the current task, of function fn, waits. yields: in taskyield, or in a loop on a
 * lock. */
void nth_habit_note(struct nth_member *m, void (*fn)(void *), bool yields);

/* Whether a task that m makes now should have a berth. The program lets it be deferred. */
static inline bool nth_task_wants_berth(struct nth_member *m, uint32_t flags, void (*fn)(void *)) {
  return flags & NTH_TASK_UNTIED && m->now.team && *nth_habit_of(m, fn) != nth_fn_word(fn, 0) &&
         nth_habit_waits(m, fn);
}

/* --- steps --- */

/* Starts t, or goes on with it if it is suspended (NTH_TASK_STAYS). True: its function has
 * returned, and nth_task_after() was called. False: it is suspended again. foreign: t counts as
 * foreign (see Constraint). */
bool nth_berth_run(struct nth_member *m, struct nth_task *t, bool foreign);
/* Whether a suspended task is not sought by the current one (nth_task_is_sought()), as far as
 * NTH_LATE_STEPS steps tell. A task that is deeper than that is mostly a descendant of an implicit
 * one. */
bool nth_berth_is_strange(const struct nth_member *m, const struct nth_task *t);

/* With a tool: is called before and after each step onto a berth. NULL: there is no tool. w: the
 * start of the library. */
extern void (*nth_berth_told)(struct nth_member *m, struct nth_berth *b, bool enters);

/* Takes a berth for t, which runs next. False: there is none. */
bool nth_berth_prepare(struct nth_member *m, struct nth_task *t);

/* --- waits of the current task, which is loose --- */

/* Whether the current task may leave its stack. */
static inline bool nth_berth_may_leave(const struct nth_member *m) {
  nth_assert(!nth_task_is_loose(m->now.task) || m->berth);
  return nth_unlikely(nth_task_is_loose(m->now.task)) &&
         m->berth->generation == nth_fork_generation;
}

/* Whether the current task may leave its stack, below which lies one from which it does not
 * descend (Constraint). */
static inline bool nth_berth_is_foreign(const struct nth_member *m) {
  return nth_berth_may_leave(m) && m->berth->foreign;
}

/* Waits until the tally, of the current task's children or of its group, is 0. */
void nth_berth_tally(struct nth_member *m, struct nth_tally *tally);
/* Waits until the task's turn comes. */
void nth_berth_yield(struct nth_member *m);
/* Whether the current task goes on instead: many tasks are suspended, and no task on its stack has
 * yielded before. A task that waits for something yields again. So fewer of the others are
 * begun and suspended at a time. */
static inline bool nth_berth_goes_on(struct nth_member *m) {
  bool first = !m->berth->yielded;
  m->berth->yielded = true;
  return first && m->now.slot->berths.suspended >= NTH_BERTHS_MANY;
}
/* mark: the current task is about to leave its stack; leave: it waits until some thread calls
 * nth_berth_ready(), or has called it since the mark. */
struct nth_berth *nth_berth_mark(struct nth_member *m);
void nth_berth_unmark(struct nth_berth *b); /* it need not leave */
void nth_berth_leave(struct nth_berth *b);

/* --- others --- */

/* A suspended task can go on. By any thread, once for each wait. */
void nth_berth_ready(struct nth_berth *b);

#endif
