/* task.c - explicit tasks: creation, undeferred tasks, tasks that become ready
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/tasks/task.h"

#include <string.h>

#include "runtime/base/check.h"
#include "runtime/base/os.h"
#include "runtime/omp/member/cancelled.h"
#include "runtime/omp/member/member.h"
#include "runtime/omp/queue/help.h"
#include "runtime/omp/tasks/depend.h"
#include "runtime/omp/tasks/task_berth.h"
#include "runtime/omp/tasks/task_finish.h"
#include "runtime/omp/tasks/task_frame.h"
#include "runtime/omp/tasks/task_memory.h"
#include "runtime/omp/tasks/task_run.h"
#include "runtime/omp/types/generation.h"

bool nth_task_watched;

/* --- undeferred --- */

void nth_task_run_now(struct nth_member *m, void (*fn)(void *), void *data, uint32_t flags) {
  bool fits = nth_task_frame_fits(m);
  uint32_t before = fits ? 0 : nth_task_left_begin(m);
  nth_task_run_frame(m, fn, data, flags);
  if (nth_unlikely(!fits)) {
    nth_task_left_end(m, before);
    nth_task_run_left(m);
  }
}

/* In memory of a pool this lies before the arguments. */
struct copy {
  NTH_POOL_NOT_OURS;
};

void nth_task_run_copy(struct nth_member *m, const struct nth_task_args *a,
                       void (*edit)(void *data, const void *what), const void *what) {
  nth_assert((a->align & (a->align - 1)) == 0);
  size_t align = nth_task_align(a->align), size = sizeof(struct copy) + a->size + align;
  char few[NTH_COPY_ON_STACK], *room = size <= sizeof few ? few : nth_member_take(size);
  void *args = (void *)nth_round_up((uintptr_t)room + sizeof(struct copy), align);
  if (a->copy)
    a->copy(args, a->data);
  else
    memcpy(args, a->data, a->size);
  if (edit)
    edit(args, what);
  nth_task_run_now(m, a->fn, args, a->flags);
  if (room != few)
    nth_member_give(room, size);
}

/* --- deferred --- */

/* t, which m makes, is finished when its event has been counted down n times. */
static void hold(struct nth_member *m, struct nth_task *t, uint32_t n) {
  nth_assert(n > 0 && !(t->flags & NTH_TASK_DETACH));
  t->flags |= NTH_TASK_DETACH;
  t->event.generation = nth_fork_generation;
  t->event.undeferred = false;
  t->event.node.kind = NTH_KIND_EVENT;
  nth_deps_set(&t->event.node.deps, NTH_COUNTS, n);
  nth_task_note_outside(m);
}

/* The handle goes into the first word of the arguments before they are copied, since the task
 * itself may fulfil its event. */
static void make_event(struct nth_member *m, struct nth_task *t, const struct nth_task_args *a) {
  hold(m, t, 2); /* by its function's end, and by nth_task_fulfill() */
  nth_store_rlx(&t->event.fulfilled, false);
  nth_add_rlx(&t->refs, 1); /* held by the event */
  *a->event = t;
  if (a->data)
    *(void **)a->data = t;
}

/* Memory for a task, its struct nth_depend if it has dependences, and its arguments. must: waits
 * for memory. */
static struct nth_task *allocate(struct nth_member *m, const struct nth_task_args *a, bool must) {
  size_t head = a->depend ? NTH_TASK_DEPEND + sizeof(struct nth_depend) : sizeof(struct nth_task);
  size_t align = nth_task_align(a->align), size = head + a->size + align;
  struct nth_task *t = must ? nth_task_take_must(size) : nth_task_take(m, size);
  if (nth_unlikely(!t))
    return 0;
  t->data = (void *)nth_round_up((uintptr_t)t + head, align);
  nth_assert((uintptr_t)t->data + a->size <= (uintptr_t)t + size);
  if (a->depend)
    nth_pool_fetch_next(&m->pool, t->class, head + a->size);
  return t;
}

static void fill(struct nth_task *t, struct nth_member *m, const struct nth_task_args *a) {
  nth_task_init(t, m, a->fn, a->flags);
  t->home = m->now.slot;
  t->priority = a->priority;
  if (nth_unlikely(a->event != 0))
    make_event(m, t, a);
  if (a->copy) {
    a->copy(t->data, a->data);
    if (!a->trivial)
      t->flags |= NTH_TASK_CONSTRUCTED;
  } else if (a->size)
    memcpy(t->data, a->data, a->size);
}

static struct nth_task *make(struct nth_member *m, const struct nth_task_args *a, bool must) {
  nth_assert(nth_task_caller_is(m));
  struct nth_task *t = allocate(m, a, must);
  if (!t)
    return 0;
  nth_task_leave_frame(m);
  fill(t, m, a);
  return t;
}

struct nth_task *nth_task_make_anyway(struct nth_member *m, const struct nth_task_args *a) {
  return make(m, a, a->event || a->depend);
}

struct nth_task *nth_task_make_held(struct nth_member *m, const struct nth_task_args *a,
                                    uint32_t n) {
  struct nth_task *t = make(m, a, false);
  if (t)
    hold(m, t, n);
  return t;
}

struct nth_task *nth_task_make(struct nth_member *m, const struct nth_task_args *a) {
  /* A task with a priority goes into a list, which has no limit of its own. */
  if (!a->event && !a->depend &&
      ((nth_task_enough_ready(m, a->fn) && !nth_task_wants_berth(m, a->flags, a->fn)) ||
       (nth_unlikely(a->priority != 0) && nth_task_far_ahead(m, NTH_TASKS_AHEAD, 0) &&
        !nth_task_too_deep(m))))
    return 0;
  return nth_task_make_anyway(m, a);
}

void nth_task_announce(struct nth_team *team, bool inside) {
  if (nth_likely(inside))
    nth_team_fence(team); /* F */
  else
    nth_fence_full(); /* bell:F, team:S: the queued task before the looks below */
  nth_bell_ring(nth_task_bell(team), INT_MAX);
  if (team) {
    nth_bell_ring(&team->help.bell, INT_MAX);
    nth_team_rouse_master(team);
  }
}

/* Where searches ask for more than the member's own tasks, a member that follows a chain would not
 * ask for long. An untied task does not keep it for long: where a library suspends tasks, it posts
 * a message, for which others wait, and leaves its stack. */
static bool follows_anyway(const struct nth_task *t) {
  return t->flags & NTH_TASK_UNTIED && nth_env.max_task_priority == 0;
}

void nth_task_ready(struct nth_task *t) {
  struct nth_member *m = nth_member_known();
  struct nth_team *team = t->team;
  bool inside = m && m->now.team == team && (team || t->home == m->now.slot);
  nth_assert(t->kind == NTH_KIND_TASK && nth_task_may_queue(t) && t->home);
  if (inside && m->chain && !m->chain->next &&
      (nth_likely(!nth_load_rlx(&nth_task_find_asks)) || follows_anyway(t))) {
    m->chain->next = t;
    return;
  }
  if (!inside)
    nth_task_push_outside(&t->home->queue, t);
  else if (!(m->anything || nth_task_descends(t, m->now.task)) ||
           !nth_task_push_own(&m->now.slot->queue, t))
    nth_task_push(&m->now.slot->queue, t);
  nth_task_announce(team, inside);
  if (inside && m->now.team_size > 1)
    nth_team_call_help(m, team);
  else if (!inside && team)
    nth_team_recall_one(team);
}

/* t was not pushed, since the deque is full or t cannot wait. Runs t, unless the stack is too deep
 * for that. */
static void cannot_push(struct nth_member *m, struct nth_task *t) {
  nth_assert(nth_task_parent(t) == m->now.task && !(t->flags & NTH_TASK_LEFT));
  if (nth_likely(!nth_task_too_deep(m)) && !nth_berth_is_foreign(m)) {
    nth_task_run_above(m, t);
    nth_task_before_code(m);
    return;
  }
  if (nth_likely(t->priority == 0)) {
    t->flags |= NTH_TASK_LEFT;
    t->base = ++m->left;
  }
  nth_task_push(&m->now.slot->queue, t);
  if (m->now.team_size > 1)
    nth_team_call_help(m, m->now.team);
}

/* m is far ahead with tasks that have dependences. Once in NTH_AHEAD_LESS of them it runs as many
 * tasks, if they are ready. If another member has the only ready one, m does not look each time. A
 * member alone runs all. */
static void work_off(struct nth_member *m) {
  struct nth_awaited what = {.backlog = true};
  if (m->now.task->children.own % NTH_AHEAD_LESS != 0 || nth_berth_is_foreign(m))
    return;
  uint32_t before = nth_task_left_begin(m);
  while (!nth_task_is_over(m, &what) && nth_task_run_one(m, m->now.task, NTH_LOOK_ENDS, &what)) {}
  nth_task_left_end(m, before);
  if (m->now.team_size == 1 && nth_tally_left(&m->now.task->children) == 0)
    nth_depend_go_on_alone(m->now.task);
}

static NTH_HOT void submit(struct nth_member *m, struct nth_task *t, void **depend) {
  struct nth_team *team = m->now.team;
  nth_assert(t->team == team && t->home == m->now.slot);
  nth_task_count_made(m, t);
  if (nth_likely(!depend) || nth_depend_register(t, depend)) {
    if (nth_unlikely(!nth_task_can_wait(m) || !nth_task_push_own(&m->now.slot->queue, t))) {
      cannot_push(m, t);
      return;
    }
    if (nth_likely(m->now.team_size > 1))
      nth_team_call_help(m, team);
  } /* else the thread that resolves the last dependence makes t ready */
  /* The maker runs what is ready, but does not wait for t's dependences: that wait might never
   * end. */
  if (nth_unlikely(depend != 0) && nth_task_far_ahead(m, NTH_DEPENDS_AHEAD, 0) &&
      !nth_task_too_deep(m))
    work_off(m);
}

void nth_task_submit(struct nth_member *m, struct nth_task *t, void **depend) {
  submit(m, t, depend);
}

/* Runs an undeferred task with detach: it is over when its function has returned and its event is
 * fulfilled. */
static void run_until_fulfilled(struct nth_member *m, const struct nth_task_args *a) {
  struct nth_task *t = allocate(m, a, true);
  nth_task_leave_frame(m);
  fill(t, m, a);
  t->event.undeferred = true;
  t->flags |= nth_task_flags_above(m, t->flags & NTH_TASK_UNTIED);
  t->nested = m->now.task->nested + 1;
  nth_task_call(m, t);
  if (nth_unlikely(t->event.generation != nth_fork_generation))
    return; /* forked in there: the event belongs to the parent process */
  nth_task_event_counts(t, 1);
  nth_task_wait_for(m, &t->event.node.deps);
  nth_task_leave(t);
}

static void run_undeferred(struct nth_member *m, const struct nth_task_args *a) {
  if (nth_unlikely(a->depend != 0))
    nth_depend_wait(m, a->depend);
  if (nth_unlikely(a->event != 0))
    run_until_fulfilled(m, a);
  else if (!a->fn) /* an empty task: its predecessors have ended by now */
    return;
  else if (a->copy) /* the program's constructor of the arguments needs memory from the runtime */
    nth_task_run_copy(m, a, 0, 0);
  else
    nth_task_run_now(m, a->fn, a->data, a->flags);
}

/* Whether m, alone, has worked off its tasks with dependences, and runs this one as it comes. */
static bool goes_on_alone(const struct nth_member *m, const struct nth_task_args *a) {
  return m->now.team_size == 1 && a->depend && nth_env.max_task_priority == 0 &&
         nth_depend_alone(m->now.task);
}

/* Where a task cannot wait it runs at once, unless it, or a sibling before it, waits for an
 * event. */
bool nth_task_put_off(struct nth_member *m, const struct nth_task_args *a) {
  if (!a->deferred || m->now.task->flags & NTH_TASK_FINAL)
    return false;
  return (nth_task_can_wait(m) && nth_likely(!goes_on_alone(m, a))) || a->event ||
         nth_task_too_deep(m) || (a->depend && nth_tally_left(&m->now.task->children) > 0) ||
         nth_task_wants_berth(m, a->flags, a->fn);
}

void nth_task_create(struct nth_member *m, const struct nth_task_args *a) {
  nth_assert(nth_task_caller_is(m) && (a->fn || a->depend));
  if (nth_unlikely(nth_cancelled(m)))
    return;
  struct nth_task *t = nth_task_put_off(m, a) ? nth_task_make(m, a) : 0;
  if (t)
    nth_task_submit(m, t, a->depend);
  else
    run_undeferred(m, a);
}

void nth_task_defer(struct nth_member *m, void (*fn)(void *), void *data, size_t size, size_t align,
                    uint32_t flags) {
  nth_assert(nth_task_caller_is(m) && fn);
  align = nth_task_align(align);
  struct nth_task *t = nth_task_take(m, sizeof *t + size + align);
  if (nth_unlikely(!t)) {
    nth_task_run_now(m, fn, data, flags);
    return;
  }
  nth_task_leave_frame(m);
  nth_task_init(t, m, fn, flags);
  t->home = m->now.slot;
  t->data = (void *)nth_round_up((uintptr_t)(t + 1), align);
  nth_task_copy_few(t->data, data, size);
  submit(m, t, 0);
}

void nth_task_create_empty(struct nth_member *m, void **depend) {
  struct nth_task_args a = {.deferred = true, .depend = depend};
  if (depend && nth_tally_left(&m->now.task->children) > 0)
    nth_task_create(m, &a);
}
