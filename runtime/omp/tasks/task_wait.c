/* task_wait.c - waits for tasks: taskwait, the second phase of barriers, taskyield
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include <stdlib.h>

#include "runtime/arch/section.h"
#include "runtime/base/check.h"
#include "runtime/base/clock.h"
#include "runtime/base/os.h"
#include "runtime/base/sleep.h"
#include "runtime/omp/member/member.h"
#include "runtime/omp/nano/members.h"
#include "runtime/omp/queue/help.h"
#include "runtime/omp/tasks/depend.h"
#include "runtime/omp/tasks/task_berth.h"
#include "runtime/omp/tasks/task_run.h"
#include "runtime/omp/types/generation.h"
#include "runtime/omp/types/taskgroup_type.h"
#include "runtime/sched/wait/poll.h"

/* Tasks that a wait runs from one safe point to the next; turns of a task that waits for what no
 * other tells it, before it sleeps on its stack: some 20 us. */
enum { NTH_PASS_TASKS = 8, NTH_VAIN_TURNS = 100 };

void nth_task_pass_slow(struct nth_member *m) {
  nth_assert(nth_task_caller_is(m));
  nth_deque_publish(&m->now.slot->queue.deque);
  nth_member_pass(m);
}

/* Whether a sleep for `from` must have a limit: nobody wakes it for what a suspended task waits
 * for, or, where `from` is loose, for the waits below it on the stack. */
static bool others_wait(const struct nth_member *m, const struct nth_task *from) {
  return from && (m->now.slot->berths.awaiting.first || nth_task_is_loose(from));
}

/* Sleeps until something may have changed. Before, it looks beyond the ends of the queues. True: it
 * ran a task and did not sleep. */
static bool sleep_for_awaited(struct nth_member *m, const struct nth_awaited *what,
                              const struct nth_task *from) {
  struct nth_team *team = m->now.team;
  struct nth_bell *bell = from || !team ? nth_task_bell(team) : &team->help.bell;
  bool any = !from && team, slept = false;
  nth_assert(!any || !(m->now.task->flags & NTH_TASK_LOOSE));
  if (any)
    nth_add_rlx(&team->help.enders, 1); /* the bell's fence orders this add, too */
  uint32_t ticket = nth_bell_enter(bell);
  if (what->tally)
    nth_tally_sleeps(what->tally);
  uint64_t timeout = any ? nth_team_search_nap(team, m->now.slot) : 0;
  if (timeout == 0 && (!nth_team_fence_sleeper(team && team->crowded) || /* task:F */
                       others_wait(m, from)))
    timeout = NTH_UNSURE_NS;
  timeout = nth_poll_nap(timeout);
  struct nth_task *t = nth_task_find(m, from, NTH_LOOK_ALL);
  if (!t && timeout == 0 && nth_task_hidden(m, from))
    timeout = NTH_UNSURE_NS;
  if (!t && !nth_task_is_over(m, what)) {
    nth_bell_sleep(bell, ticket, timeout);
    slept = true;
  }
  if (what->tally)
    nth_tally_wakes(what->tally);
  nth_bell_leave(bell);
  if (any) {
    nth_sub_rlx(&team->help.enders, 1);
    nth_team_search_begin(team, m->now.slot);
  }
  if (t)
    nth_task_run_found(m, t, from, what);
  bool began = t != 0;
  for (uint32_t i = from && slept ? NTH_AWAITED_SLEPT : 0; i > 0 && !began; i--)
    began = nth_task_begin_awaited(m);
  return began;
}

static enum nth_look look_now(const struct nth_wait *w) {
  if (nth_likely(!nth_task_look_deep(w)))
    return NTH_LOOK_ENDS;
  return w->polls % NTH_ALL_POLLS == NTH_ALL_POLLS - 1 ? NTH_LOOK_ALL : NTH_LOOK_DEEP;
}

/* The current task is loose: it leaves its stack until the wait is over, or for one turn at a
 * time. Where it is foreign, it begins what it waits for on other stacks. */
static void leave_for_awaited(struct nth_member *m, const struct nth_awaited *what,
                              uint32_t generation) {
  struct nth_task *t = m->now.task;
  nth_assert(m->berth && m->berth->member == m);
  nth_habit_note(m, t->fn, false);
  nth_deque_publish(&m->now.slot->queue.deque);
  while (nth_berth_is_foreign(m) && !nth_task_is_over(m, what) && nth_task_begin_own(m)) {}
  if (what->tally) {
    if (generation == nth_fork_generation)
      nth_berth_tally(m, what->tally);
    return;
  }
  uint32_t vain = 0; /* turns in a row without another task */
  uint32_t before = nth_berth_moves(m->now.slot), now;
  while (!nth_task_is_over(m, what) && generation == nth_fork_generation) {
    bool foreign = m->berth->foreign;
    bool ran = foreign ? nth_task_begin_own(m) : nth_task_run_one(m, t, NTH_LOOK_ENDS, what);
    if (!ran && !foreign && vain > NTH_VAIN_TURNS && !m->yields.inside)
      ran = sleep_for_awaited(m, what, t);
    if (!ran) {
      nth_berth_yield(m); /* what has woken it may be a task that it does not begin itself */
      m->now.slot->berths.unmoved++;
    }
    now = nth_berth_moves(m->now.slot);
    vain = ran || now != before ? 0 : vain + 1;
    before = now;
  }
}

/* Suspended tasks that yield may have had their turns in vain: begins one that others wait for. It
 * is called again and again. */
static inline void after_turns(struct nth_member *m, const struct nth_task *from, uint32_t *turns) {
  uint32_t now = m->now.slot->berths.turns;
  if (nth_unlikely(now - *turns >= NTH_AWAITED_TURNS) && from) {
    *turns = now;
    (void)nth_task_begin_awaited(m);
  }
}

static void wait_long(struct nth_member *m, const struct nth_awaited *what,
                      const struct nth_task *from, uint32_t generation) {
  if (nth_berth_may_leave(m) && from) {
    leave_for_awaited(m, what, generation);
    return;
  }
  if (from && from->flags & NTH_TASK_UNTIED)
    nth_habit_note(m, from->fn, false);
  bool crowded = m->now.team && m->now.team->crowded;
  uint32_t turns = m->now.slot->berths.turns;
  struct nth_wait w;
  if (from)
    nth_deque_awaits(&m->now.slot->queue.deque);
  nth_wait_begin(&w, &m->proc->waiter, NTH_WAIT_TASK, crowded);
  nth_deque_publish(&m->now.slot->queue.deque); /* for the other members, while this one waits */
  bool choosy = from && nth_task_is_choosy(from);
  while (!nth_task_is_over(m, what) && generation == nth_fork_generation) {
    if (nth_task_run_one(m, from, look_now(&w), what) || (choosy && nth_task_begin_awaited(m)) ||
        (!nth_wait_poll(&w) && sleep_for_awaited(m, what, from))) {
      after_turns(m, from, &turns);
      nth_task_pass(m);
      nth_wait_begin(&w, &m->proc->waiter, NTH_WAIT_TASK, crowded);
    }
  }
  nth_wait_end(&w);
  if (!from)
    nth_team_search_over(m);
}

/* Whether nobody has taken what lies before t's part of the deque (task_berth.c, lift()). */
__attribute__((unused)) static bool has_its_part(const struct nth_member *m,
                                                 const struct nth_task *t) {
  return t->flags & (NTH_TASK_IMPLICIT | NTH_TASK_LEFT) ||
         (int32_t)(nth_deque_base(&m->now.slot->queue.deque) - t->base) >= 0;
}

static inline void wait_until_over(struct nth_member *m, const struct nth_awaited *what,
                                   const struct nth_task *from) {
  uint32_t generation = nth_fork_generation, before = nth_task_left_begin(m), ran = 0, turns = 0;
  bool over;
  nth_assert(nth_task_caller_is(m));
  nth_assert(!from || (from == m->now.task && has_its_part(m, from)));
  if (from && nth_berth_is_foreign(m)) {
    leave_for_awaited(m, what, generation);
    return;
  }
  nth_task_pass(m);
  while (!(over = nth_task_is_over(m, what)) && nth_task_run_one(m, from, NTH_LOOK_ENDS, what))
    if (nth_unlikely(++ran % NTH_PASS_TASKS == 0)) {
      after_turns(m, from, &turns);
      nth_task_pass(m);
    }
  if (!over)
    wait_long(m, what, from, generation);
  nth_task_left_end(m, before);
}

/* A wait that begins only what it waits for: task_run.h, Locks. */
static void wait_guarded(struct nth_member *m, const struct nth_awaited *what) {
  struct nth_task *t = m->now.task;
  bool group = what->tally && what->tally != &t->children;
  nth_assert(!(t->flags & NTH_TASK_FRAME) && !nth_task_is_choosy(t));
  nth_assert(!group || what->tally == &t->group->count);
  t->flags |= group ? NTH_TASK_ITS_GROUP : NTH_TASK_ITS_CHILDREN;
  wait_until_over(m, what, t);
  nth_assert(m->now.task == t);
  t->flags &= ~(uint32_t)(NTH_TASK_ITS_GROUP | NTH_TASK_ITS_CHILDREN);
}

void nth_task_wait_for(struct nth_member *m, struct nth_deps *deps) {
  struct nth_awaited what = {.deps = deps};
  if (nth_task_is_guarded(m))
    wait_guarded(m, &what);
  else
    wait_until_over(m, &what, m->now.task);
}

void nth_task_wait_tally(struct nth_member *m, struct nth_tally *tally) {
  struct nth_awaited what = {.tally = tally};
  if (nth_task_is_guarded(m))
    wait_guarded(m, &what);
  else if (!nth_task_take_back(m, tally))
    wait_until_over(m, &what, m->now.task);
}

void nth_task_wait(struct nth_member *m) {
  struct nth_task *t = m->now.task;
  nth_assert(nth_task_caller_is(m));
  if (nth_tally_left(&t->children) != 0) /* task:A */
    nth_task_wait_tally(m, &t->children);
  nth_assert(nth_tally_valid(&t->children)); /* not below 0 */
  if (nth_unlikely(t->table != 0))
    nth_depend_clear(t);
}

void nth_task_wait_all(struct nth_member *m) { wait_until_over(m, &(struct nth_awaited){0}, 0); }

/* --- outside regions --- */

/* Members that have ended with unfinished tasks, linked by next. w: these; the program's exit, the
 * child of a fork; E */
static _Atomic(struct nth_member *) left;

static void run_ready(struct nth_member *m) {
  while (nth_task_run_one(m, 0, NTH_LOOK_ALL, 0)) {}
}

void nth_task_run_outside(struct nth_member *m) {
  if (m->now.slot != &m->solo)
    return; /* it runs a target region */
  run_ready(m);
  m->outside = nth_tasks_left(0, &m->solo);
}

/* In the place of a member that has ended. */
static void run_left_of(struct nth_member *m, const struct nth_member *ended) {
  struct nth_member_state mine = m->now;
  m->now = ended->now;
  run_ready(m);
  m->now = mine;
}

/* The program exits. Its static objects are still there. */
static void at_exit(void) {
  struct nth_member *m = nth_member_get();
  if (m->now.team || m->role)
    return; /* exit() was called in a region */
  nth_task_run_outside(m);
  const struct nth_member *ended = nth_xchg_acq(&left, NULL); /* task:E */
  for (; ended; ended = ended->next)
    run_left_of(m, ended);
}

void nth_task_note_outside(struct nth_member *m) {
  static _Atomic(bool) watched;
  if (m->now.slot != &m->solo)
    return; /* its region waits for all tasks */
  m->outside = true;
  if (!nth_load_rlx(&watched) && !nth_xchg_rlx(&watched, true))
    (void)atexit(at_exit);
}

void nth_task_leave_outside(struct nth_member *m) {
  struct nth_member *first = nth_load_rlx(&left);
  nth_assert(m->outside);
  do
    m->next = first;
  while (!nth_cas_rel(&left, &first, m)); /* task:E */
}

NTH_IN_CHILD void nth_task_outside_forked(void) { nth_store_rlx(&left, NULL); }

/* Whether b's task waits for t, or for one from which t descends, as far as NTH_LATE_STEPS steps
 * tell. b is in `awaiting`. */
static bool awaits(const struct nth_berth *b, const struct nth_task *t) {
  const struct nth_task *waits = b->current, *parent;
  for (uint32_t i = 0; t && i < NTH_LATE_STEPS; i++, t = parent) {
    parent = nth_task_parent(t);
    if (parent == waits)
      return !nth_load_rlx(&waits->runner) || t->made_in == waits->group;
  }
  return false;
}

/* Whether turns may help a suspended task to leave its lock, or to end so that another member's
 * task leaves one: not a task that waits for the current task itself. Guarded tasks do not wait for
 * each other: all want as many turns. */
static bool locked_beside(const struct nth_member *m) {
  const struct nth_berths *in = &m->now.slot->berths;
  uint32_t locked = in->locked;
  if (!(m->now.task->flags & NTH_TASK_GUARDED))
    return locked + in->guarded != 0;
  for (const struct nth_berth *b = locked ? in->awaiting.first : 0; b; b = b->newer)
    if (b->locks != 0 && awaits(b, m->now.task))
      locked--;
  return locked != 0;
}

/* Whether a task has a lock that lies below the current one, from which that does not descend. It
 * goes on when the current one leaves its stack. */
static bool locked_below(const struct nth_member *m) {
  return nth_berth_is_foreign(m) && m->berth->beneath > 0;
}

/* A task that has a lock has had NTH_BEFORE_REGION turns. Whether it has more, for which there is a
 * time. *until: when that time ends; 0: it begins. moves: nth_berth_moves() before the last turn.
 * If nothing has moved since, the member sleeps for a moment. */
static bool has_more_turns(struct nth_member *m, uint64_t *until, uint32_t moves) {
  struct nth_berths *in = &m->now.slot->berths;
  _Atomic(uint32_t) never = 0;
  uint64_t now = nth_clock_ns();
  if (*until == 0)
    *until = now + (NTH_BEFORE_REGION_NS >> in->in_vain);
  if (now >= *until) {
    in->in_vain += in->in_vain < 31;
    return false;
  }
  if (moves == nth_berth_moves(m->now.slot))
    nth_sleep(&never, 0, NTH_BEFORE_REGION_NAP);
  return true;
}

/* Suspended tasks have turns before a region, or before other code (task_run.h). */
static void give_turns(struct nth_member *m, bool region) {
  struct nth_berths *in = &m->now.slot->berths;
  uint32_t turns = in->suspended < NTH_BERTHS_MANY ? 2 * in->suspended : NTH_BERTHS_MANY, moves = 0;
  uint64_t until = 0;
  bool locked = false, held = false;
  for (uint32_t i = 0; in->suspended != 0 || locked_below(m); i++) {
    if (!locked || in->locked + in->guarded == 0 || i % NTH_BERTHS_MANY == 0)
      locked = locked_beside(m);
    bool holds = locked || locked_below(m);
    if (held && !holds)
      in->in_vain = 0;
    held = holds;
    bool more =
        !holds ? i < turns : i < NTH_BEFORE_REGION || (region && has_more_turns(m, &until, moves));
    if (!more)
      return;
    moves = nth_berth_moves(m->now.slot);
    if (nth_berth_may_leave(m))
      nth_berth_yield(m);
    else if (!nth_task_go_on(m) && in->locked + in->guarded == 0)
      return;
  }
  if (held)
    in->in_vain = 0;
}

void nth_task_before_region_slow(struct nth_member *m) { give_turns(m, true); }

void nth_task_before_code_slow(struct nth_member *m) {
  const struct nth_berths *in = &m->now.slot->berths;
  if (in->locked != 0) {
    give_turns(m, false);
    return;
  }
  for (uint32_t i = 0; i < NTH_BERTHS_MANY && in->suspended >= NTH_BERTHS_MANY; i++)
    if (!nth_task_go_on_ready(m))
      return;
}

/* A tied task that yields may hold a mutex that one of its descendants wants, or use a buffer of
 * its thread before and after. If the descendant began above it, the task would go on too late, or
 * find its buffer changed; on libgomp a yield begins nothing. So only a task that yields again and
 * again and does nothing else, since it waits for something, begins descendants. */
static bool waits_by_yields(struct nth_member *m) {
  struct nth_yields *y = &m->yields;
  const struct nth_task *t = m->now.task;
  bool again = y->task == t && y->made == t->children.own;
  bool near = nth_clock_ns() - y->until < NTH_YIELDS_NEAR_NS;
  if (!again)
    y->row = 0;
  else if (y->row < NTH_YIELDS_IN_ROW)
    y->row += near ? NTH_YIELDS_NEAR : 1;
  return y->row >= NTH_YIELDS_IN_ROW;
}

/* The current task's yield is over. A task that it has begun may have yielded, too. waits: what
 * waits_by_yields() has said. */
static void note_yield(struct nth_member *m, bool waits) {
  struct nth_yields *y = &m->yields;
  if (waits)
    y->row = NTH_YIELDS_IN_ROW;
  y->task = m->now.task;
  y->made = y->task->children.own;
  y->until = nth_clock_ns();
}

void nth_task_yield(struct nth_member *m) {
  nth_assert(nth_task_caller_is(m));
  if (nth_unlikely(m->now.task->flags & NTH_TASK_UNTIED)) {
    nth_habit_note(m, m->now.task->fn, true);
    if (nth_berth_may_leave(m)) {
      if (!nth_berth_goes_on(m))
        nth_berth_yield(m);
      return;
    }
  }
  const struct nth_berths *in = &m->now.slot->berths;
  if (m->now.team_size == 1 && in->suspended == 0 &&
      (!m->now.team || !nth_deque_any(&m->now.slot->queue.deque)))
    return;
  if (nth_unlikely(in->suspended != 0) && nth_berth_turns_in_vain(in) && nth_task_begin_awaited(m))
    return;
  bool look = nth_load_rlx(&m->now.team->tasked) && !nth_task_too_deep(m);
  bool waits = look && waits_by_yields(m);
  struct nth_task *t = waits ? nth_task_find(m, m->now.task, NTH_LOOK_ENDS) : 0;
  if (t) {
    bool inside = m->yields.inside;
    m->yields.inside = true;
    nth_task_run_above(m, t); /* tasks that yield lie one above the other */
    m->yields.inside = inside;
  } else {
    nth_members_yield(m);
  }
  if (look)
    note_yield(m, waits);
}
