/* task_berth.c - untied tasks on stacks of their own, where they are suspended
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/tasks/task_berth.h"

#include "runtime/arch/switch.h"
#include "runtime/base/check.h"
#include "runtime/base/os.h"
#include "runtime/omp/nano/members.h"
#include "runtime/omp/nano/runtimes.h"
#include "runtime/omp/tasks/task_run.h"
#include "runtime/omp/tasks/taskgroup.h"
#include "runtime/omp/types/generation.h"
#include "runtime/omp/types/taskgroup_type.h"

void (*nth_berth_told)(struct nth_member *m, struct nth_berth *b, bool enters);

/* --- habits --- */

#define ALWAYS NTH_FN_NUMBER_MOST

_Atomic(bool) nth_habit_always;

/* No task may start on a berth: the user wants none, shadow stacks are in force, or another runtime
 * looks through threads' stacks. w, r: members */
static _Atomic(bool) refused;

/* Objects that were loaded since may have such a runtime, or code that wants executable stacks. So
 * members look before their first berth in a region, and where they meet a new function. */
static __attribute__((noinline)) void look_at_process(void) {
  nth_stack_look();
  nth_store_rlx(&refused,
                nth_env.untied_stays || nth_os_shadow_stack() || nth_runtimes_know_stacks());
}

bool nth_habit_waits(struct nth_member *m, void (*fn)(void *)) {
  uint64_t *h = nth_habit_of(m, fn);
  if (nth_unlikely(!nth_fn_has(*h, fn))) {
    look_at_process();
    *h = nth_fn_word(fn, nth_habit_is_always() ? ALWAYS : NTH_HABIT_TRIALS);
  }
  return nth_fn_number(*h, fn) != 0 && !nth_load_rlx(&refused);
}

void nth_habit_note(struct nth_member *m, void (*fn)(void *), bool yields) {
  uint64_t *h = nth_habit_of(m, fn), score = nth_fn_number(*h, fn);
  if (nth_task_is_loose(m->now.task))
    m->berth->waited = true;
  if (score == ALWAYS)
    return;
  score = yields ? ALWAYS : score + NTH_HABIT_WAITED;
  *h = nth_fn_word(fn, score > NTH_HABIT_MOST && !yields ? NTH_HABIT_MOST : score);
}

static inline void ended_without(struct nth_member *m, void (*fn)(void *)) {
  uint64_t *h = nth_habit_of(m, fn), score = nth_fn_number(*h, fn);
  if (score != 0 && score != ALWAYS)
    --*h;
}

/* --- berths --- */

static inline struct nth_stack *stack_of(struct nth_member *m, struct nth_berth *b) {
  return b ? b->stack : &m->own_stack;
}

static void give(struct nth_member *m, struct nth_berth *b) {
  nth_assert(nth_task_caller_is(m) && m->berth != b);
  if (b->stack)
    nth_stack_give(&m->pool, b->stack);
  nth_member_give(b, sizeof *b);
}

/* The first function on a berth's stack. */
static void begin(void *arg) {
  struct nth_berth *b = arg;
  nth_assert(b->member->berth == b && nth_task_caller_is(b->member));
  nth_stack_arrived(stack_of(b->member, b->below));
  b->task->fn(b->task->data);
  nth_assert(b->member->berth == b && !(b->task->flags & NTH_TASK_STAYS));
  b->over = true;
  nth_stack_end(b->stack, stack_of(b->member, b->below));
}

bool nth_berth_prepare(struct nth_member *m, struct nth_task *t) {
  nth_assert(nth_task_caller_is(m) && m->now.team);
  nth_assert(t->flags & NTH_TASK_UNTIED && !(t->flags & (NTH_TASK_STAYS | NTH_TASK_LOOSE)));
  uint32_t region = nth_load_rlx(&m->now.team->join.closed) + 1; /* of those with tasks */
  if (nth_unlikely(m->now.slot->berths.looked != region)) {
    m->now.slot->berths.looked = region;
    look_at_process();
  }
  if (nth_unlikely(nth_load_rlx(&refused)))
    return false;
  struct nth_berth *b = nth_member_take(sizeof *b);
  b->stack = nth_stack_take(&m->pool, begin, b, nth_switch_control());
  if (nth_unlikely(!b->stack)) {
    give(m, b);
    return false;
  }
  if (nth_unlikely(!m->own_known))
    nth_stack_adopt(&m->own_stack);
  m->own_known = true;
  b->member = m;
  b->task = t;
  b->over = b->waited = b->yielded = b->foreign = b->guarded = false;
  b->told_inside = 0;
  b->locks = 0;
  b->generation = nth_fork_generation;
  t->berth = b;
  return true;
}

/* --- steps --- */

/* Switches to b's stack. Returns when b's task is suspended or over. */
static void step(struct nth_member *m, struct nth_berth *b) {
  struct nth_luggage mine;
  nth_assert(b->member == m && !b->over && m->berth != b);
  nth_luggage_pack(&mine);
  int32_t locks = nth_locks;
  if (nth_unlikely(b->locks != 0))
    b->slot->berths.locked--;
  if (nth_unlikely(b->guarded))
    b->slot->berths.guarded--;
  b->below = m->berth;
  m->berth = b;
  b->beneath = locks;
  nth_locks += b->locks;
  nth_stack_switch(stack_of(m, b->below), b->stack);
  nth_assert(m->berth == b && nth_task_caller_is(m)); /* I1 */
  b->locks = nth_locks > locks ? nth_locks - locks : 0;
  nth_locks = locks;
  if (nth_unlikely(b->locks != 0) && !b->over)
    b->slot->berths.locked++;
  b->guarded = !b->over && b->locks == 0 && b->current->flags & NTH_TASK_GUARDED;
  if (nth_unlikely(b->guarded))
    b->slot->berths.guarded++;
  m->berth = b->below;
  nth_luggage_unpack(&mine);
}

/* The tasks on b's stack go on above others: what they push lies from that position of the deque
 * on, and what is before it is not theirs to take, or the others would not find what they push
 * later. foreign: from now on they run no new task at once. */
static void lift(struct nth_berth *b, uint32_t position, bool foreign) {
  for (struct nth_task *t = b->current;; t = nth_task_parent(t)) {
    t->base = position;
    if (foreign)
      t->nested = NTH_NESTED_MOST;
    if (t == b->task)
      return;
  }
}

bool nth_berth_is_strange(const struct nth_member *m, const struct nth_task *t) {
  const struct nth_task *from = m->now.task, *at = t->berth->current;
  nth_assert(t->flags & NTH_TASK_STAYS);
  if (nth_task_is_choosy(from))
    return !nth_task_is_sought(t, from);
  for (uint32_t i = 0; at && i < NTH_LATE_STEPS; i++, at = nth_task_parent(at))
    if (at == from)
      return false;
  return !at || !(from->flags & NTH_TASK_IMPLICIT);
}

bool nth_berth_run(struct nth_member *m, struct nth_task *t, bool foreign) {
  struct nth_task *outer = m->now.task;
  const struct nth_icv *icv = m->now.icv;
  struct nth_berth *b = t->berth;
  uint32_t before = nth_task_left_begin(m), position = nth_deque_base(&m->now.slot->queue.deque);
  nth_assert(nth_task_caller_is(m) && b->task == t);
  if (t->flags & NTH_TASK_STAYS) {
    nth_assert(b->slot == m->now.slot && b->slot->berths.suspended > 0); /* I3 */
    m->now.slot->berths.suspended--;
    m->now.task = b->current;
    m->now.icv = b->icv;
    lift(b, position, foreign);
  } else {
    nth_assert(!foreign || t->nested == NTH_NESTED_MOST);
    t->flags |= NTH_TASK_LOOSE;
    nth_store_rlx(&t->runner, m);
    m->now.task = t;
    m->now.icv = t->icv;
    t->base = position;
  }
  b->outer = outer;
  b->foreign = foreign;
  if (nth_unlikely(nth_berth_told != 0))
    nth_berth_told(m, b, true);
  step(m, b);
  if (nth_unlikely(nth_berth_told != 0))
    nth_berth_told(m, b, false);
  nth_task_left_end(m, before);
  if (nth_unlikely(foreign))
    nth_task_put_aside_from(m, position);
  nth_assert(b->over == !(t->flags & NTH_TASK_STAYS));
  if (!b->over) {
    m->now.task = outer;
    m->now.icv = icv;
    return false;
  }
  if (!b->waited)
    ended_without(m, t->fn);
  nth_task_after(m, outer, icv);
  give(m, b);
  return true;
}

/* --- waits --- */

struct nth_berth *nth_berth_mark(struct nth_member *m) {
  struct nth_berth *b = m->berth;
  nth_assert(nth_task_caller_is(m) && b->member == m);
  nth_assert(nth_task_is_loose(m->now.task) && !(b->task->flags & NTH_TASK_STAYS));
  b->slot = m->now.slot;
  b->current = m->now.task;
  b->icv = m->now.icv;
  b->current->berth = b;
  b->current->flags |= NTH_TASK_STAYS;
  b->task->flags |= NTH_TASK_STAYS;
  return b;
}

void nth_berth_unmark(struct nth_berth *b) {
  b->current->flags &= ~(uint32_t)NTH_TASK_STAYS;
  b->task->flags &= ~(uint32_t)NTH_TASK_STAYS;
}

void nth_berth_leave(struct nth_berth *b) {
  nth_assert(b->member->berth == b && b->member->now.slot == b->slot);
  b->slot->berths.suspended++;
  nth_luggage_pack(&b->luggage);
  nth_stack_switch(b->stack, stack_of(b->member, b->below));
  nth_luggage_unpack(&b->luggage);
  nth_assert(b->member->berth == b && b->task->flags & NTH_TASK_STAYS);
  nth_berth_unmark(b);
}

void nth_berth_yield(struct nth_member *m) {
  struct nth_berth *b = nth_berth_mark(m);
  nth_berth_append(&b->slot->berths.yielded, b);
  nth_berth_leave(b);
}

void nth_berth_tally(struct nth_member *m, struct nth_tally *tally) {
  struct nth_task *t = m->now.task;
  struct nth_taskgroup *g = tally == &t->children ? 0 : t->group;
  struct nth_berth *b = nth_berth_mark(m);
  nth_assert(!g || (tally == &g->count && nth_load_rlx(&g->owner) == m));
  if (g) {
    nth_store_rlx(&g->owner, NULL);
    g->waiter = b;
  } else {
    nth_store_rlx(&t->runner, NULL);
  }
  if (nth_tally_close(tally)) {
    nth_berth_unmark(b);
  } else {
    nth_berth_awaits(&b->slot->berths, b);
    nth_berth_leave(b);
    nth_berth_awaited(&b->slot->berths, b);
  }
  nth_tally_clear(tally);
  if (g)
    nth_store_rlx(&g->owner, m);
  else
    nth_store_rlx(&t->runner, m);
}

/* --- who can go on --- */

void nth_berth_ready(struct nth_berth *b) {
  struct nth_berths *in = &b->slot->berths;
  struct nth_team *team = b->task->team;
  nth_assert(b->task->flags & NTH_TASK_STAYS && b->current->flags & NTH_TASK_STAYS);
  if (nth_member_known() == b->member) {
    nth_berth_append(&in->ready, b);
    return;
  }
  nth_berth_wake(in, b);
  nth_task_announce(team, false);
}
