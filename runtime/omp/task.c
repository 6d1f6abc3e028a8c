/* task.c - explicit tasks: create, run, finish
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/task.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/os.h"
#include "runtime/omp/cancel.h"
#include "runtime/omp/depend.h"
#include "runtime/omp/forked.h"
#include "runtime/omp/member.h"
#include "runtime/omp/team.h"

/* --- memory --- */

static struct nth_task *take(struct nth_member *m, size_t size) {
  uint32_t class = nth_pool_class(size);
  struct nth_task *t = nth_pool_take(&m->pool, class, size);
  if (nth_likely(t != 0))
    t->class = class;
  return t;
}

static inline void release(struct nth_task *t) {
  if (nth_unlikely(t->depend != 0))
    nth_depend_end(t->depend);
  nth_pool_give(nth_member_pool(), t, t->class);
}

/* Whether the only holder of t asks, or else is none any more. */
static inline bool last_ref(struct nth_task *t) {
  return nth_load_acq(&t->refs) == 1 || nth_sub_acqrel(&t->refs, 1) == 1; /* R */
}

void nth_task_unref(struct nth_task *t) {
  while (t && last_ref(t)) {
    struct nth_task *parent = t->flags & NTH_TASK_HOLDS_PARENT ? nth_task_parent(t) : 0;
    release(t);
    t = parent;
  }
}

/* A task that nobody counts is over: undeferred ones. */
static void leave(struct nth_task *t) {
  if (nth_load_acq(&t->refs) == 1) { /* R */
    release(t);
    return;
  }
  if (t->flags & NTH_TASK_HOLDS_PARENT)
    nth_add_rlx(&nth_task_parent(t)->refs, 1); /* I3 */
  nth_task_unref(t);
}

static inline void set_parent(struct nth_task *t, const struct nth_task *parent) {
  nth_store_rlx(&t->parent,
                (uintptr_t)parent | (parent->class == NTH_POOL_BIG ? NTH_TASK_PASSES : 0));
}

static void init(struct nth_task *t, struct nth_member *m, void (*fn)(void *), uint32_t flags) {
  struct nth_task *parent = m->now.task;
  set_parent(t, parent);
  t->group = t->made_in = parent->group;
  nth_tally_clear(&t->children);
  nth_store_rlx(&t->runner, NULL);
  nth_store_rlx(&t->refs, 1);
  t->flags = flags | (parent->flags & NTH_TASK_FINAL) |
             (parent->flags & NTH_TASK_IMPLICIT ? NTH_TASK_OUTERMOST : 0);
  t->priority = 0;
  t->fn = fn;
  t->team = m->now.team;
  t->depend = 0;
  t->table = 0;
  t->origin = 0;
  t->icv = m->now.icv;
  if (t->icv == &parent->own_icv) {
    t->own_icv = parent->own_icv;
    t->icv = &t->own_icv;
  }
}

/* Where a task is that may have left its frame. */
static inline struct nth_task *settled(struct nth_task *t) {
  return nth_unlikely(t->flags & NTH_TASK_MOVED) ? t->older : t;
}

/* For what the program cannot go on without. */
static struct nth_task *take_must(size_t size) {
  struct nth_task *t = take(nth_member_known(), size);
  if (nth_unlikely(!t)) {
    t = nth_os_need(size); /* waits for memory */
    t->class = NTH_POOL_BIG;
  }
  return t;
}

/* t gets a deferred child: from now on it and those around it live on the heap (I4). Frames have no such
 * child yet, so nobody else knows them and this is a plain copy. */
static struct nth_task *leave_frames(struct nth_task *frame) {
  if (nth_likely(!(frame->flags & NTH_TASK_FRAME)))
    return frame;
  if (frame->flags & NTH_TASK_MOVED)
    return frame->older;
  struct nth_task *parent = leave_frames(nth_task_parent(frame)), *t = take_must(sizeof *t);
  uint32_t class = t->class;
  *t = *frame;
  t->class = class;
  t->flags &= ~(uint32_t)NTH_TASK_FRAME;
  set_parent(t, parent);
  t->origin = frame;
  if (frame->icv == &frame->own_icv)
    t->icv = &t->own_icv;
  frame->flags |= NTH_TASK_MOVED;
  frame->older = t;
  return t;
}

static inline void leave_frame(struct nth_member *m) {
  struct nth_task *frame = m->now.task;
  if (nth_likely(!(frame->flags & NTH_TASK_FRAME)))
    return;
  m->now.task = leave_frames(frame);
  if (m->now.icv == &frame->own_icv)
    m->now.icv = &m->now.task->own_icv;
}

/* --- finish --- */

struct nth_bell *nth_task_bell(struct nth_team *team) {
  static struct nth_bell outside;
  return team ? &team->choosy : &outside;
}

bool nth_tasks_left(const struct nth_team *team, const struct nth_slot *solo) {
  uint32_t n = team ? team->size : 1, left = 0;
  for (uint32_t i = 0; i < n; i++) {
    const struct nth_slot *s = team ? team->slot[i] : solo;
    left -= nth_load_acq(&s->tasks_done) + nth_load_acq(&s->tasks_done_outside); /* A */
  }
  for (uint32_t i = 0; i < n; i++)
    left += nth_load_acq(&(team ? team->slot[i] : solo)->tasks_made); /* A */
  return left != 0;
}

void nth_tasks_begin_again(struct nth_team *team) {
  for (uint32_t i = 0; i < team->size; i++) {
    struct nth_slot *s = team->slot[i];
    nth_store_rlx(&s->tasks_made, 0);
    nth_store_rlx(&s->tasks_done, 0);
    nth_store_rlx(&s->tasks_done_outside, 0);
    s->tasks_seen = 0;
  }
  nth_store_rlx(&team->tasked, false);
}

/* n less in a tally of the caller's own, or of another's. */
static inline enum nth_tally_news count_down(struct nth_tally *tally, bool own, uint32_t n) {
  if (nth_likely(own)) {
    nth_tally_sub_own(tally, n);
    return NTH_TALLY_NOTHING;
  }
  return nth_tally_sub(tally, n); /* A */
}

/* n of parent's children that were made in that group have finished. own: the parent is m's. */
static inline void count_children(struct nth_member *m, struct nth_team *team, struct nth_task *parent,
                                  struct nth_taskgroup *group, bool own, uint32_t n) {
  bool wake = false;
  if (group)
    wake = count_down(&group->count, group->owner == m, n) == NTH_TALLY_WAKE;
  switch (count_down(&parent->children, own, n)) {
  case NTH_TALLY_WAKE:
    wake = true;
    break;
  case NTH_TALLY_ZERO:
    nth_task_unref(parent);
    break;
  case NTH_TALLY_NOTHING:
    break;
  }
  if (nth_unlikely(wake))
    nth_bell_ring(nth_task_bell(team), INT_MAX); /* tally:B: the sleeper is in it */
}

/* Whether a child's end can be counted later: this member runs another one next, so that neither count
 * can come to 0 meanwhile. */
static inline bool count_later(struct nth_chain *c, struct nth_task *parent,
                               struct nth_taskgroup *group) {
  if (!c->next || c->next->made_in != group || c->owed == NTH_OWED_MOST)
    return false;
  c->parent = parent;
  c->group = group;
  c->owed++;
  return true;
}

/* t has finished, of whose memory nothing is read any more: counts it as done. home: its maker's slot. */
static void count_done(struct nth_member *m, struct nth_team *team, struct nth_slot *home) {
  struct nth_bell *bell = team ? &team->bell : nth_task_bell(0);
  if (nth_likely(m && m->now.team == team && (team || m->now.slot == home))) {
    _Atomic(uint32_t) *done = &m->now.slot->tasks_done;
    nth_store_rel(done, nth_load_rlx(done) + 1); /* A */
    nth_fence_light(); /* F */
    if (nth_likely(nth_load_rlx(&bell->sleepers) == 0))
      return;
    nth_fence_full(); /* F: two last ones, one of them sees both */
    if (team && nth_tasks_left(team, 0))
      return;
  } else {
    nth_add_rel(&home->tasks_done_outside, 1); /* A */
    nth_fence_full(); /* F */
    /* From here on the region may end, and the team be another one: no look at its members. */
  }
  nth_bell_ring(bell, INT_MAX);
}

/* t is finished: whoever waits for it may go on. */
static void finish(struct nth_task *t) {
  struct nth_member *m = nth_member_known();
  struct nth_team *team = t->team;
  struct nth_slot *home = t->home;
  struct nth_task *parent = nth_task_parent(t);
  struct nth_taskgroup *group = t->made_in;
  struct nth_chain *c = m ? m->chain : 0;
  bool own = m && nth_load_rlx(&parent->runner) == m;
  if (nth_unlikely(t->depend != 0))
    nth_depend_release(t->depend, own);
  if (nth_likely(nth_load_acq(&t->refs) == 1)) { /* R: nobody adds any more */
    release(t);
  } else {
    if (t->flags & NTH_TASK_HOLDS_PARENT)
      nth_add_rlx(&parent->refs, 1); /* I3; still there, as t has not been counted */
    nth_task_unref(t);
  }
  if (nth_likely(own || !c)) {
    count_children(m, team, parent, group, own, 1);
  } else if (!count_later(c, parent, group)) {
    count_children(m, team, parent, group, own, c->owed + 1);
    c->owed = 0;
  }
  count_done(m, team, home);
}

/* One part of a task with detach has ended. */
static void part_ends(struct nth_task *t, uint32_t part) {
  bool undeferred = t->flags & NTH_TASK_UNDEFERRED;
  struct nth_team *team = t->team;
  if (nth_sub_acqrel(&t->unfinished, part) != part) /* E */
    return;
  if (!undeferred) {
    finish(t);
    return;
  }
  nth_fence_full(); /* bell:F */
  nth_bell_ring(nth_task_bell(team), INT_MAX);
}

bool nth_task_fulfill(struct nth_task *t) {
  if (nth_unlikely(t->generation != nth_fork_generation))
    return true; /* made before a fork: the task is the parent process's */
  if (!(nth_load_rlx(&t->unfinished) & NTH_PART_EVENT))
    return false;
  part_ends(t, NTH_PART_EVENT);
  nth_task_unref(t);
  return true;
}

/* --- run --- */

/* The task's code has ended. Its children, if some are unfinished, keep its memory, and that of those above
 * it. */
static inline void close_children(struct nth_task *t) {
  if (nth_likely(nth_tally_left(&t->children) == 0))
    return;
  nth_add_rlx(&t->refs, 1); /* I3: the children's */
  nth_store_rlx(&t->runner, NULL);
  if (nth_tally_close(&t->children))
    nth_sub_rlx(&t->refs, 1); /* not the last: t has not finished */
  else if (!(t->flags & NTH_TASK_OUTERMOST))
    t->flags |= NTH_TASK_HOLDS_PARENT;
}

/* Makes t the member's current task, calls its function, goes back. Returns t, or where it moved. */
static struct nth_task *call(struct nth_member *m, struct nth_task *t) {
  struct nth_task *outer = m->now.task;
  const struct nth_icv *icv = m->now.icv;
  m->now.task = t;
  m->now.icv = t->icv;
  t->base = nth_deque_base(&m->now.slot->queue.deque);
  nth_store_rlx(&t->runner, m);
  t->fn(t->data);
  t = m->now.task;
  if (nth_unlikely(t->table != 0))
    nth_depend_forget(t);
  close_children(t);
  m->now.task = settled(outer);
  m->now.icv = nth_unlikely(m->now.task != outer && icv == &outer->own_icv) ? &m->now.task->own_icv
                                                                            : icv;
  return t;
}

/* Whether the current task has more unfinished children than help anybody: then it runs tasks itself
 * before it makes more of them, and memory stays bounded. less: than the limit. */
static inline bool far_ahead(struct nth_member *m, uint32_t less) {
  uint32_t limit = NTH_TASKS_AHEAD * m->now.team_size - less;
  return nth_unlikely(nth_tally_left(&m->now.task->children) >= limit);
}

/* Whether another member is seen that looks for tasks. */
static inline bool is_wanted(const struct nth_member *m) {
  return nth_load_rlx(&m->now.slot->queue.deque.word) >= NTH_DEQUE_WANTED ||
         (m->now.team && nth_load_rlx(&m->now.team->bell.sleepers) > 0);
}

/* What a wait is for: a tally of the waiter's, a word, or else all tasks. Or it is none: the member is
 * about to make more tasks, when it is not ahead any more or another one may go on with these. */
struct awaited {
  struct nth_tally *tally;
  _Atomic(uint32_t) *count;
  bool backlog;
};

static inline bool is_over(struct nth_member *m, const struct awaited *what) {
  if (nth_unlikely(what->backlog))
    return !far_ahead(m, NTH_AHEAD_LESS) || is_wanted(m);
  if (what->tally)
    return nth_tally_left(what->tally) == 0; /* A */
  if (what->count)
    return nth_load_acq(what->count) == 0; /* A */
  return !nth_tasks_left(m->now.team, m->now.slot);
}

/* Runs a task that was deferred, or discards it when its region is cancelled. any: at this point any task
 * may be started. False: forked in there, the parent process finishes it. */
static inline bool run_link(struct nth_member *m, struct nth_task *t, bool any, struct nth_chain *c) {
  uint32_t generation = nth_fork_generation;
  bool discard = !(t->flags & NTH_TASK_CONSTRUCTED) && nth_cancelled_task(t);
  if (nth_likely(t->fn && !discard))
    call(m, t);
  if (nth_unlikely(generation != nth_fork_generation))
    return false;
  c->next = 0;
  if (nth_unlikely(t->depend != 0))
    m->chain = c;
  m->anything = any;
  if (nth_unlikely(t->flags & NTH_TASK_DETACH) && !discard)
    part_ends(t, NTH_PART_BODY);
  else
    finish(t);
  m->anything = false;
  m->chain = 0;
  return true;
}

/* Runs t; then one that its end has made ready, and so on, for as long as the wait lasts (NULL: t only).
 * These are its siblings, which may be started where t may. */
static void run(struct nth_member *m, struct nth_task *t, bool any, const struct awaited *what) {
  struct nth_chain c;
  c.owed = 0;
  for (;;) {
    if (nth_unlikely(!run_link(m, t, any, &c)))
      return;
    t = c.next;
    if (nth_likely(!t) || !(any || (what && !is_over(m, what))))
      break;
    nth_deque_heed(&m->now.slot->queue.deque);
  }
  if (nth_unlikely(c.owed > 0))
    count_children(m, m->now.team, c.parent, c.group, false, c.owed);
  if (nth_unlikely(t != 0)) {
    m->anything = any;
    nth_task_ready(t);
    m->anything = false;
  }
}

/* Starts a task that descends from `from`, or any if NULL; false when none is seen. what: the wait */
static bool run_one(struct nth_member *m, const struct nth_task *from, enum nth_look look,
                    const struct awaited *what) {
  struct nth_task *t = nth_task_find(m, from, look);
  if (t)
    run(m, t, !from, what);
  return t != 0;
}

/* --- undeferred --- */

void nth_task_run_now(struct nth_member *m, void (*fn)(void *), void *data, uint32_t flags) {
  struct nth_task frame, *t = &frame;
  t->class = NTH_POOL_BIG;
  init(t, m, fn, flags | NTH_TASK_FRAME);
  t->data = data;
  t = call(m, t);
  if (nth_unlikely(!(t->flags & NTH_TASK_FRAME)))
    leave(t);
}

void nth_task_run_copy(struct nth_member *m, const struct nth_task_args *a,
                       void (*edit)(void *data, const void *what), const void *what) {
  size_t align = a->align < 16 ? 16 : a->align, size = a->size + align;
  char few[NTH_COPY_ON_STACK], *room = size <= sizeof few ? few : nth_os_need(size);
  void *args = (void *)nth_round_up((uintptr_t)room, align);
  if (a->copy)
    a->copy(args, a->data);
  else
    memcpy(args, a->data, a->size);
  if (edit)
    edit(args, what);
  nth_task_run_now(m, a->fn, args, a->flags);
  if (room != few)
    free(room);
}

/* --- deferred --- */

/* The handle is in the arguments' first word before they are copied, for the task may fulfil it. */
static void make_event(struct nth_task *t, const struct nth_task_args *a) {
  t->flags |= NTH_TASK_DETACH;
  t->generation = nth_fork_generation;
  nth_store_rlx(&t->unfinished, NTH_PART_BODY | NTH_PART_EVENT);
  nth_add_rlx(&t->refs, 1); /* the event's */
  *a->event = t;
  if (a->data)
    *(void **)a->data = t;
}

/* A task, its depend if it has dependences, its arguments. */
static struct nth_task *allocate(struct nth_member *m, const struct nth_task_args *a, bool must) {
  size_t head = a->depend ? NTH_TASK_DEPEND + sizeof(struct nth_depend) : sizeof(struct nth_task);
  size_t align = a->align < 16 ? 16 : a->align, size = head + a->size + align;
  struct nth_task *t = must ? take_must(size) : take(m, size);
  if (t)
    t->data = (void *)nth_round_up((uintptr_t)t + head, align);
  return t;
}

static void fill(struct nth_task *t, struct nth_member *m, const struct nth_task_args *a) {
  init(t, m, a->fn, a->flags);
  t->home = m->now.slot;
  t->priority = a->priority;
  if (nth_unlikely(a->event != 0))
    make_event(t, a);
  if (a->copy) {
    a->copy(t->data, a->data);
    t->flags |= NTH_TASK_CONSTRUCTED;
  } else if (a->size)
    memcpy(t->data, a->data, a->size);
}

struct nth_task *nth_task_make(struct nth_member *m, const struct nth_task_args *a) {
  /* Those with a priority are in a list, which has no limit of its own. */
  if (!a->event && !a->depend &&
      (nth_task_queue_is_long(&m->now.slot->queue) || (nth_unlikely(a->priority != 0) && far_ahead(m, 0))))
    return 0;
  struct nth_task *t = allocate(m, a, a->event || a->depend);
  if (!t)
    return 0;
  leave_frame(m);
  fill(t, m, a);
  return t;
}

/* Tells whoever may run or wait for tasks of t's team; by any thread. inside: which is a member. */
static void announce(struct nth_team *team, bool inside) {
  if (nth_likely(inside))
    nth_fence_light(); /* F */
  else
    nth_fence_full(); /* bell:F, team:S: the queued task before the looks below */
  nth_bell_ring(nth_task_bell(team), INT_MAX);
  if (team) {
    nth_bell_ring(&team->bell, INT_MAX);
    nth_team_rouse_master(team);
  }
}

void nth_task_ready(struct nth_task *t) {
  struct nth_member *m = nth_member_known();
  struct nth_team *team = t->team;
  bool inside = m && m->now.team == team && (team || t->home == m->now.slot);
  if (inside && m->chain && !m->chain->next && nth_env.max_task_priority == 0) {
    m->chain->next = t;
    return;
  }
  if (!inside)
    nth_task_push(&t->home->queue, t);
  else if (!(m->anything || nth_task_descends(t, m->now.task)) ||
           !nth_task_push_own(&m->now.slot->queue, t))
    nth_task_push(&m->now.slot->queue, t);
  announce(team, inside);
  if (inside && m->now.team_size > 1)
    nth_team_call_help(m, team);
  else if (!inside && team)
    nth_team_recall_one(team);
}

/* Counts a task that is about to be seen by others. */
static inline void count_made(struct nth_member *m, struct nth_task *t) {
  struct nth_task *parent = nth_task_parent(t);
  if (parent->flags & NTH_TASK_IMPLICIT)
    nth_store_rlx(&parent->runner, m);
  nth_tally_add_own(&parent->children);
  struct nth_taskgroup *group = t->made_in;
  if (group && group->owner == m)
    nth_tally_add_own(&group->count);
  else if (group)
    nth_tally_add(&group->count);
  _Atomic(uint32_t) *made = &m->now.slot->tasks_made;
  nth_store_rel(made, nth_load_rlx(made) + 1); /* A */
  struct nth_team *team = m->now.team;
  if (nth_unlikely(team && !nth_load_rlx(&team->tasked))) {
    nth_store_rlx(&team->tasked, true);
    nth_fence_full(); /* F: sleepers that did not see it are seen by nth_team_call_help */
  }
}

void nth_task_submit(struct nth_member *m, struct nth_task *t, void **depend) {
  struct nth_team *team = m->now.team;
  count_made(m, t);
  if (nth_likely(!depend) || nth_depend_register(t, depend)) {
    if (nth_unlikely(m->now.team_size == 1 || !nth_task_push_own(&m->now.slot->queue, t))) {
      run(m, t, false, 0);
      return;
    }
    nth_team_call_help(m, team);
  } /* else who resolves the last dependence makes it ready */
  if (nth_unlikely(depend != 0) && far_ahead(m, 0)) /* to wait for its dependences could be for ever */
    run_one(m, m->now.task, NTH_LOOK_ENDS, &(struct awaited){.backlog = true});
}

/* Undeferred with detach: done when its event is fulfilled too. */
static void run_until_fulfilled(struct nth_member *m, const struct nth_task_args *a) {
  struct nth_task *t = allocate(m, a, true);
  leave_frame(m);
  fill(t, m, a);
  t->flags |= NTH_TASK_UNDEFERRED;
  call(m, t);
  if (nth_unlikely(t->generation != nth_fork_generation))
    return; /* forked in there: its event is the parent process's */
  part_ends(t, NTH_PART_BODY);
  nth_task_wait_for(m, &t->unfinished, m->now.task);
  leave(t);
}

static void run_undeferred(struct nth_member *m, const struct nth_task_args *a) {
  if (nth_unlikely(a->depend != 0))
    nth_depend_wait(m, a->depend);
  if (nth_unlikely(a->event != 0))
    run_until_fulfilled(m, a);
  else if (!a->fn) /* an empty task, whose predecessors have ended by now */
    return;
  else if (a->copy) /* the program's constructor of the arguments wants memory of ours */
    nth_task_run_copy(m, a, 0, 0);
  else
    nth_task_run_now(m, a->fn, a->data, a->flags);
}

void nth_task_create(struct nth_member *m, const struct nth_task_args *a) {
  if (nth_unlikely(nth_cancelled(m)))
    return;
  bool deferred = a->deferred && !(m->now.task->flags & NTH_TASK_FINAL);
  /* Alone a task runs at once, unless an event stands in between: its own, or a sibling's. */
  if (m->now.team_size == 1 && !a->event &&
      !(a->depend && nth_tally_left(&m->now.task->children) > 0))
    deferred = false;
  struct nth_task *t = deferred ? nth_task_make(m, a) : 0;
  if (t)
    nth_task_submit(m, t, a->depend);
  else
    run_undeferred(m, a);
}

void nth_task_create_empty(struct nth_member *m, void **depend) {
  struct nth_task_args a = {.deferred = true, .depend = depend};
  if (depend && nth_tally_left(&m->now.task->children) > 0)
    nth_task_create(m, &a);
}

bool nth_task_run_any(struct nth_member *m, bool deep) {
  return run_one(m, 0, deep ? NTH_LOOK_DEEP : NTH_LOOK_ENDS, 0);
}

/* --- wait --- */

/* Sleeps until something may have changed; before, it looks beyond the queues' ends. True: it ran a
 * task instead. */
static bool sleep_for(struct nth_member *m, const struct awaited *what, const struct nth_task *from) {
  struct nth_team *team = m->now.team;
  struct nth_bell *bell = from || !team ? nth_task_bell(team) : &team->bell;
  uint32_t ticket = nth_bell_enter(bell);
  if (what->tally)
    nth_tally_sleeps(what->tally);
  uint64_t timeout = nth_os_fence_all() ? 0 : NTH_UNSURE_NS; /* F */
  struct nth_task *t = nth_task_find(m, from, NTH_LOOK_ALL);
  if (!t && !is_over(m, what) && (timeout || !nth_task_hidden(m, from)))
    nth_bell_sleep(bell, ticket, timeout);
  if (what->tally)
    nth_tally_wakes(what->tally);
  nth_bell_leave(bell);
  if (t)
    run(m, t, !from, what);
  return t != 0;
}

static enum nth_look look_now(const struct nth_wait *w) {
  if (nth_likely(!nth_task_look_deep(w)))
    return NTH_LOOK_ENDS;
  return w->polls % NTH_ALL_POLLS == NTH_ALL_POLLS - 1 ? NTH_LOOK_ALL : NTH_LOOK_DEEP;
}

static void wait_until_over(struct nth_member *m, const struct awaited *what,
                            const struct nth_task *from) {
  bool crowded = m->now.team && m->now.team->crowded;
  uint32_t generation = nth_fork_generation;
  struct nth_wait w;
  do {
    if (is_over(m, what))
      return;
  } while (run_one(m, from, NTH_LOOK_ENDS, what));
  nth_wait_begin(&w, &m->proc->waiter, NTH_WAIT_TASK, crowded);
  nth_deque_publish(&m->now.slot->queue.deque); /* for the others, while it waits */
  while (!is_over(m, what) && generation == nth_fork_generation) {
    if (run_one(m, from, look_now(&w), what) ||
        (!nth_wait_poll(&w) && sleep_for(m, what, from)))
      nth_wait_begin(&w, &m->proc->waiter, NTH_WAIT_TASK, crowded);
  }
  nth_wait_end(&w);
}

void nth_task_wait_for(struct nth_member *m, _Atomic(uint32_t) *count, const struct nth_task *from) {
  wait_until_over(m, &(struct awaited){.count = count}, from);
}

void nth_task_wait_tally(struct nth_member *m, struct nth_tally *tally, const struct nth_task *from) {
  wait_until_over(m, &(struct awaited){.tally = tally}, from);
}

void nth_task_wait(struct nth_member *m) {
  struct nth_task *t = m->now.task;
  if (nth_tally_left(&t->children) != 0) /* A */
    nth_task_wait_tally(m, &t->children, t);
  if (nth_unlikely(t->table != 0))
    nth_depend_clear(t);
}

void nth_task_wait_all(struct nth_member *m) {
  struct nth_team *team = m->now.team;
  if (!team || team->generation == nth_fork_generation)
    wait_until_over(m, &(struct awaited){0}, 0);
}

void nth_task_yield(struct nth_member *m) {
  if (m->now.team_size > 1 && nth_load_rlx(&m->now.team->tasked))
    run_one(m, m->now.task, NTH_LOOK_ENDS, 0);
}

/* --- taskgroup --- */

void nth_taskgroup_begin(struct nth_member *m) {
  struct nth_taskgroup *g = nth_os_need(sizeof *g);
  g->outer = m->now.task->group;
  g->owner = m;
  m->now.task->group = g;
}

void nth_taskgroup_end(struct nth_member *m) {
  struct nth_task *t = m->now.task;
  struct nth_taskgroup *g = t->group;
  if (!g)
    return;
  nth_task_wait_tally(m, &g->count, t);
  m->now.task->group = g->outer;
  free(g);
}
