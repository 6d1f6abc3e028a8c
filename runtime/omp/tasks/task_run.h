/* task_run.h - runs a task, and then the tasks that its end makes ready
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         A task is run at once by its maker, or taken out of a queue by a member that waits.
 *             A task whose end makes a sibling ready is followed by that sibling, which passes no
 *             queue and for which no member is called. So a chain of dependent tasks stays with
 *             one member.
 * Use         nth_task_run() for a task that is out of the queues; nth_task_run_one() takes one
 *             out and runs it
 * Deep        A maker runs a task on its own stack, above the current one: at once, or since its
 *             deque is full. At most NTH_NESTED_MOST of them lie one above the other. Deeper tasks
 *             are queued, or left in the member's list (NTH_TASK_LEFT). When the call at the limit
 *             has returned, it runs what was left (nth_task_run_left()), the newest first, each at
 *             that same depth, so that their tasks are left in turn. Of a tree of any depth, only
 *             the tasks beside one path exist at a time.
 *             Numbers tell the tasks left by this call from others: what is left since a call or a
 *             wait began descends from its task.
 * Locks       What begins above other tasks on a stack keeps these from going on. If one of them
 *             has a lock of the program for which the upper one waits, neither goes on; nor does a
 *             task elsewhere that has the lock and waits for one of the lower ones. So each thread
 *             counts the locks that the tasks on its stack have. What is made while there are any
 *             is GUARDED, and so are its descendants, wherever they run. A task that is guarded or
 *             above a lock queues new tasks, up to NTH_NESTED_AHEAD of each maker and
 *             NTH_QUEUED_AHEAD in all; its taskyield starts none; and its waits start only what
 *             they wait for (queue/sought.h). A berth takes the count of its own tasks along. A
 *             region begins with a count of 0: the tasks outside wait for all that is inside, so
 *             nothing inside wants a lock of theirs. Outside any team nobody would run what is
 *             queued: there tasks run at once
 * Invariants  I1  a task that follows another in a chain is its sibling, and may be started
 *                 wherever the other may. It is started only while the wait lasts, else it is
 *                 queued
 * Orders      task.h: A
 * Cost        run: some 60 instructions about the task's own
 * Tested by   tests/model/chain, tests/lit/tasks, above all lock_held.c
 */
#ifndef NTH_OMP_TASK_RUN_H
#define NTH_OMP_TASK_RUN_H

#include "runtime/base/check.h"
#include "runtime/omp/member/member.h"
#include "runtime/omp/queue/brief.h"
#include "runtime/omp/queue/help.h"
#include "runtime/omp/tasks/task.h"
#include "runtime/omp/types/generation.h"

/* Whether so many tasks are queued that memory is the greater danger. */
static inline bool nth_task_many_queued(const struct nth_member *m) {
  return nth_load_rlx(&m->now.slot->queue.list.length) >= NTH_QUEUED_AHEAD;
}

/* Whether a task that starts on m's stack may want a lock whose holder lies below it there, or
 * waits for a task below it (Locks). */
static inline bool nth_task_is_guarded(const struct nth_member *m) {
  nth_assert(nth_locks >= 0);
  return (nth_unlikely(nth_locks != 0) || nth_unlikely(m->now.task->flags & NTH_TASK_GUARDED)) &&
         m->now.team;
}
static inline bool nth_task_puts_off(const struct nth_member *m) {
  return nth_task_is_guarded(m) && !nth_task_many_queued(m);
}

/* Whether the next task must be deferred: so many tasks lie one above the other on the stack, which
 * has an end, or they are guarded. Not if the current task has NTH_NESTED_AHEAD unfinished
 * children, since memory has an end too. */
static inline bool nth_task_too_deep(const struct nth_member *m) {
  return (nth_unlikely(m->now.task->nested >= NTH_NESTED_MOST) || nth_task_puts_off(m)) &&
         nth_tally_left(&m->now.task->children) < NTH_NESTED_AHEAD;
}

/* How many ready tasks are enough where tasks are not known to be brief. */
static inline int32_t nth_task_enough(const struct nth_member *m) {
  uint32_t all = NTH_TASKS_AHEAD * m->now.team_size;
  return (int32_t)(all < NTH_READY_MOST ? all : NTH_READY_MOST);
}

/* Whether the member has so many ready tasks that one more, of that function, helps nobody, and no
 * other member is hungry: then it runs the new one at once. Fewer would be enough, above all in a
 * recursion. But programs with few tasks go wrong if a task begins inside its maker: the maker
 * holds a mutex that the task wants, or uses a buffer of its thread that the task uses, too. */
static inline bool nth_task_enough_ready(const struct nth_member *m, void (*fn)(void *)) {
  const struct nth_deque *d = &m->now.slot->queue.deque;
  uint64_t w = nth_load_rlx(&d->word);
  int32_t all = (int32_t)(nth_load_rlx(&d->head) - (uint32_t)w) + m->now.slot->queue.stage.many;
  return all >= (int32_t)NTH_TASKS_AHEAD && w < NTH_DEQUE_WANTED && !nth_task_too_deep(m) &&
         (all >= nth_task_enough(m) || nth_is_brief(fn));
}

/* Whether m's new tasks can wait until it comes to a point where it runs any. Outside regions there
 * may be none; nor do all tasks end at a barrier in the child of a fork inside a region
 * (forked.h). */
static inline bool nth_task_can_wait(const struct nth_member *m) {
  const struct nth_team *team = m->now.team;
  return nth_likely(m->now.team_size > 1) || (team && team->generation == nth_fork_generation);
}

/* Whether the caller runs the task of a construct at once, provided that it has no dependences and
 * no event. */
static inline bool nth_task_at_once(const struct nth_member *m, void (*fn)(void *), bool deferred) {
  return !deferred || m->now.task->flags & NTH_TASK_FINAL ||
         (nth_task_can_wait(m) ? nth_task_enough_ready(m, fn) : !nth_task_too_deep(m));
}

/* Whether the current task has at least each * team_size - less unfinished children. Then it runs
 * tasks itself before it makes more, so that memory stays bounded. */
static inline bool nth_task_far_ahead(struct nth_member *m, uint32_t each, uint32_t less) {
  return nth_unlikely(nth_tally_left(&m->now.task->children) >= each * m->now.team_size - less);
}

/* Whether a member is seen that looks for tasks, or would take one. Tasks with a priority pass by
 * the deque, whose mark would stay. In a crowded team some member always sleeps, which says
 * nothing. */
static inline bool nth_task_is_wanted(const struct nth_member *m) {
  return (nth_env.max_task_priority == 0 && nth_deque_wanted(&m->now.slot->queue.deque)) ||
         (m->now.team && !m->now.team->crowded &&
          nth_load_rlx(&m->now.team->help.bell.sleepers) > 0);
}

/* What a wait is for: a tally of the waiter's, or dependences; if neither is set, all tasks.
 * backlog: not a wait; the member is about to make more tasks, and stops when it is no longer far
 * ahead, or another member wants the ready ones. That one may have no CPU for long: so from four
 * times as many on it works them off in any case. A member alone works off all of them. */
struct nth_awaited {
  struct nth_tally *tally;
  struct nth_deps *deps;
  bool backlog;
};

static inline bool nth_task_is_over(struct nth_member *m, const struct nth_awaited *what) {
  if (nth_unlikely(what->backlog))
    return m->now.team_size == 1
               ? nth_tally_left(&m->now.task->children) == 0
               : !nth_task_far_ahead(m, NTH_DEPENDS_AHEAD, NTH_AHEAD_LESS) ||
                     (nth_task_is_wanted(m) && !nth_task_far_ahead(m, 4 * NTH_DEPENDS_AHEAD, 0));
  if (what->tally)
    return nth_tally_left(what->tally) == 0; /* task:A */
  if (what->deps)
    return nth_deps_done(what->deps); /* deps:A */
  /* alone, perhaps after a fork in the region: the other slots count its parent's tasks */
  return !nth_tasks_left(m->now.team_size > 1 ? m->now.team : 0, m->now.slot);
}

/* The function of m's current task has returned: makes `outer` the current task again. Returns the
 * task that has ended. */
struct nth_task *nth_task_after(struct nth_member *m, struct nth_task *outer,
                                const struct nth_icv *icv);

/* With a tool: is called for a deferred task that is discarded. NULL: there is no tool. w: the
 * start of the library. */
extern void (*nth_task_discard_told)(struct nth_member *m, struct nth_task *t);

/* Makes t the member's current task, calls its function, and goes back. Returns t, or its new place
 * if it has moved. */
struct nth_task *nth_task_call(struct nth_member *m, struct nth_task *t);

/* Runs t; then a task that its end has made ready, and so on, while the wait `what` lasts (NULL: t
 * only). any: any task may be started at this point. */
void nth_task_run(struct nth_member *m, struct nth_task *t, bool any,
                  const struct nth_awaited *what);

/* Runs what m has queued below its current task, the newest first, until the tally is 0. The tally
 * is the current task's own or its taskgroup's. False: it is not 0 yet, and somebody else has the
 * rest. Most waits of a maker for its own tasks end here, with half of the instructions of
 * nth_task_find() and nth_task_run(). */
bool nth_task_take_back(struct nth_member *m, struct nth_tally *tally);

/* In a wait that starts no task: goes on with a suspended task of the member's. If none can go on,
 * or those that do may do so in vain, begins one that they wait for. False: neither. */
bool nth_task_go_on(struct nth_member *m);
/* Goes on with a suspended task whose wait is over. False: there is none. */
bool nth_task_go_on_ready(struct nth_member *m);
static inline bool nth_task_go_on_beside(struct nth_member *m) {
  return nth_unlikely(m->now.slot->berths.suspended != 0) && nth_task_go_on(m);
}
/* Begins, in one of NTH_AWAITED_EACH calls, a task that a suspended one waits for, wherever it
 * lies. False: there is none, or this is not that call. */
bool nth_task_begin_awaited(struct nth_member *m);
/* Begins a descendant of the current task, which is foreign (task_berth.h). False: finds none. */
bool nth_task_begin_own(struct nth_member *m);
/* The current task is about to open a region. A suspended task of this team's may have a lock that
 * the region needs, and none goes on in the region's waits. So these have some turns before: two
 * each if they are few. While one of them has a lock, they have NTH_BEFORE_REGION, and then more
 * for NTH_BEFORE_REGION_NS. Locks of tasks that wait for the current task do not count. If the
 * current task is foreign, a task below it on the stack that has a lock has as many. */
void nth_task_before_region_slow(struct nth_member *m);
static inline void nth_task_before_region(struct nth_member *m) {
  if (nth_unlikely(m->now.slot->berths.suspended != 0) || nth_unlikely(nth_locks != 0))
    nth_task_before_region_slow(m);
}
/* The current task has run a task of its own at once, and its own code is about to go on. A
 * suspended task may have a lock. The code may wait for that lock in ways that let no task go on:
 * it may join a thread that wants the lock. So suspended tasks have turns as before a region, but
 * not those for NTH_BEFORE_REGION_NS. While many are suspended, those whose waits are over go on:
 * the code may make a task that waits, and one more, and come to no wait in between. */
void nth_task_before_code_slow(struct nth_member *m);
static inline void nth_task_before_code(struct nth_member *m) {
  const struct nth_berths *in = &m->now.slot->berths;
  if (nth_unlikely(in->locked != 0) || nth_unlikely(in->suspended >= NTH_BERTHS_MANY))
    nth_task_before_code_slow(m);
}
/* For how long a wait may sleep that could sleep for ns (0: without a limit), were it not for
 * suspended tasks. */
static inline uint64_t nth_task_nap_beside(const struct nth_member *m, uint64_t ns) {
  bool shorter = m->now.slot->berths.suspended != 0 && (ns == 0 || ns > NTH_UNSURE_NS);
  return nth_unlikely(shorter) ? NTH_UNSURE_NS : ns;
}

/* Runs t on the stack of the current task, from which t descends. */
void nth_task_run_above(struct nth_member *m, struct nth_task *t);

/* Runs what a call has left that has returned to the current task. The current task has
 * NTH_NESTED_MOST - 1 or more tasks below it. */
void nth_task_run_left(struct nth_member *m);

/* begin: a call or a wait begins that has others' tasks below it on the stack. end: it is over. */
static inline uint32_t nth_task_left_begin(struct nth_member *m) {
  uint32_t before = m->left_before;
  nth_assert((int32_t)(m->left - before) >= 0);
  m->left_before = m->left;
  return before;
}
static inline void nth_task_left_end(struct nth_member *m, uint32_t before) {
  nth_assert((int32_t)(m->left - before) >= 0);
  m->left_before = before;
}

/* m, the caller, is at a safe point of a wait for tasks, whose queued ones it leaves to others. Not
 * between each two tasks: one more load there costs 20 ns where another member looks for work. */
void nth_task_pass_slow(struct nth_member *m);
static inline void nth_task_pass(struct nth_member *m) {
  if (nth_permits_limited())
    nth_task_pass_slow(m);
}

/* Runs a task that a search for `from` has found. what: the wait that this is part of. */
static inline void nth_task_run_found(struct nth_member *m, struct nth_task *t,
                                      const struct nth_task *from, const struct nth_awaited *what) {
  if (!from)
    nth_team_search_over(m);
  nth_task_run(m, t, !from, what);
  if (!from)
    nth_pace_one(&m->now.slot->queue.pace);
}

/* Starts a task that is sought by `from`, or any task if that is NULL. False: none is seen. what:
 * the wait that this is part of. */
static inline bool nth_task_run_one(struct nth_member *m, const struct nth_task *from,
                                    enum nth_look look, const struct nth_awaited *what) {
  nth_assert(nth_task_caller_is(m));
  struct nth_task *t = nth_task_find(m, from, look);
  if (!t)
    return false;
  nth_task_run_found(m, t, from, what);
  return true;
}

#endif
