/* task_run.c - runs a task, and then the tasks that its end makes ready; counts them off
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/tasks/task_run.h"

#include "runtime/base/check.h"
#include "runtime/omp/member/cancelled.h"
#include "runtime/omp/tasks/depend.h"
#include "runtime/omp/tasks/task_berth.h"
#include "runtime/omp/tasks/task_finish.h"
#include "runtime/omp/tasks/task_memory.h"
#include "runtime/omp/types/generation.h"
#include "runtime/omp/types/taskgroup_type.h"
#include "runtime/sched/wait/poll.h"

/* --- ends --- */

/* Takes n from a tally. own: it is the caller's. */
static inline enum nth_tally_news count_down(struct nth_tally *tally, bool own, uint32_t n) {
  if (nth_likely(own)) {
    nth_tally_sub_own(tally, n);
    return NTH_TALLY_NOTHING;
  }
  return nth_tally_sub(tally, n); /* task:A */
}

/* The parent has ended before its last child, or is suspended until then. */
static void last_child_ended(struct nth_task *parent) {
  nth_assert(!(parent->flags & (NTH_TASK_IMPLICIT | NTH_TASK_FRAME))); /* I4 */
  if (parent->flags & NTH_TASK_STAYS)
    nth_berth_ready(parent->berth);
  else
    nth_task_unref(parent);
}

/* Counts off n of parent's children, which were made in that group. own: m runs the parent. */
static NTH_HOT void count_children(struct nth_member *m, struct nth_team *team,
                                   struct nth_task *parent, struct nth_taskgroup *group, bool own,
                                   uint32_t n) {
  bool wake = false;
  nth_assert(n > 0 && n <= NTH_OWED_MOST + 1);
  if (group) {
    bool mine = m && nth_load_rlx(&group->owner) == m;
    enum nth_tally_news news = count_down(&group->count, mine, n);
    wake = news == NTH_TALLY_WAKE;
    if (nth_unlikely(news == NTH_TALLY_ZERO)) /* its owner's task is suspended */
      nth_berth_ready(group->waiter);
  }
  switch (count_down(&parent->children, own, n)) {
  case NTH_TALLY_WAKE: wake = true; break;
  case NTH_TALLY_ZERO: last_child_ended(parent); break;
  case NTH_TALLY_NOTHING: break;
  }
  if (nth_unlikely(wake))
    nth_bell_ring(nth_task_bell(team), INT_MAX); /* tally:B: the sleeper is in it */
}

/* Whether a child's end is counted later: this member runs another child of the same group next, so
 * neither count can come to 0 before. */
static inline bool count_later(struct nth_chain *c, struct nth_task *parent,
                               struct nth_taskgroup *group) {
  nth_assert(c->owed == 0 || (c->parent == parent && c->group == group));
  if (!c->next || c->next->made_in != group || c->owed == NTH_OWED_MOST)
    return false;
  c->parent = parent;
  c->group = group;
  c->owed++;
  return true;
}

void nth_task_pay_owed_slow(struct nth_member *m, struct nth_chain *c) {
  nth_assert(nth_task_caller_is(m) && c->parent);
  count_children(m, m->now.team, c->parent, c->group, false, c->owed);
  c->owed = 0;
}

/* Somebody waits for the end of all tasks of m's team; m has counted one as done. */
static void ended_with_sleepers(struct nth_member *m, struct nth_bell *bell) {
  nth_fence_full(); /* task:F: of two last ends, one sees both */
  if (!m->now.team || !nth_tasks_left(m->now.team, 0))
    nth_bell_ring(bell, INT_MAX);
}

/* Counts a task of m's own team as done, whose memory may be gone. */
static inline void count_done_inside(struct nth_member *m, struct nth_team *team) {
  struct nth_bell *bell = team ? &team->help.bell : nth_task_bell(0);
  _Atomic(uint32_t) *sleepers = team ? &team->help.enders : &bell->sleepers;
  _Atomic(uint32_t) *done = &m->now.slot->tasks.done;
  nth_assert(m->now.team == team);
  nth_store_rel(done, nth_load_rlx(done) + 1); /* task:A */
  nth_team_fence(team);                        /* task:F */
  if (nth_unlikely(nth_load_rlx(sleepers) != 0))
    ended_with_sleepers(m, bell);
}

/* Counts a task, whose memory may be gone, as done. home: its maker's slot. */
static void count_done(struct nth_member *m, struct nth_team *team, struct nth_slot *home) {
  if (nth_likely(m && m->now.team == team && (team || m->now.slot == home))) {
    count_done_inside(m, team);
    return;
  }
  nth_add_rel(&home->tasks.done_outside, 1); /* task:A */
  nth_fence_full();                          /* task:F */
  /* From here on the region may end, and the team may be another one: its members are not looked
   * at. */
  nth_bell_ring(team ? &team->help.bell : nth_task_bell(0), INT_MAX);
}

/* t has ended. Its memory goes, unless others refer to it. */
static inline void end_memory(struct nth_pool *pool, struct nth_task *t) {
  if (nth_likely(nth_load_acq(&t->refs) == 1)) /* task:R: nobody adds a reference any longer */
    nth_task_release(pool, t);
  else
    nth_task_live_on(t); /* the parent is still there, since t has not been counted off */
}

static NTH_HOT void finish(struct nth_member *m, struct nth_task *t) {
  struct nth_team *team = t->team;
  struct nth_slot *home = t->home;
  struct nth_task *parent = nth_task_parent(t);
  struct nth_taskgroup *group = t->made_in;
  struct nth_chain *c = m ? m->chain : 0;
  bool own = m && nth_load_rlx(&parent->runner) == m;
  nth_assert(nth_task_may_queue(t) && !(t->flags & NTH_TASK_STAYS) && home);
  if (nth_unlikely(t->flags & NTH_TASK_DEPENDS))
    nth_depend_release(nth_task_depend(t), own);
  end_memory(m ? &m->pool : nth_member_pool(), t);
  if (nth_likely(own || !c)) {
    count_children(m, team, parent, group, own, 1);
  } else if (!count_later(c, parent, group)) {
    count_children(m, team, parent, group, own, c->owed + 1);
    c->owed = 0;
  }
  count_done(m, team, home);
}

void nth_task_finish(struct nth_task *t) { finish(nth_member_known(), t); }

/* --- runs --- */

/* The function of t has returned. If some of its children are unfinished, they keep its memory. */
static inline void close_children(struct nth_task *t) {
  if (nth_likely(nth_tally_left(&t->children) == 0))
    return;
  nth_add_rlx(&t->refs, 1); /* task.h, I3: the children's */
  nth_store_rlx(&t->runner, NULL);
  if (nth_tally_close(&t->children))
    nth_sub_rlx(&t->refs, 1); /* not the last reference: t has not finished */
}

static inline struct nth_task *after(struct nth_member *m, struct nth_task *outer,
                                     const struct nth_icv *icv) {
  struct nth_task *t = m->now.task;
  nth_assert(nth_task_caller_is(m) && t != outer);
  nth_assert(!(t->flags & (NTH_TASK_IMPLICIT | NTH_TASK_MOVED | NTH_TASK_STAYS)));
  if (nth_unlikely(t->table != 0))
    nth_depend_forget(t);
  close_children(t);
  m->now.task = nth_task_settled(outer);
  m->now.icv =
      nth_unlikely(m->now.task != outer && icv == &outer->own_icv) ? &m->now.task->own_icv : icv;
  return t;
}

struct nth_task *nth_task_after(struct nth_member *m, struct nth_task *outer,
                                const struct nth_icv *icv) {
  return after(m, outer, icv);
}

void (*nth_task_discard_told)(struct nth_member *m, struct nth_task *t);

static NTH_HOT struct nth_task *call(struct nth_member *m, struct nth_task *t) {
  struct nth_task *outer = m->now.task;
  const struct nth_icv *icv = m->now.icv;
  nth_assert(t->fn && t->team == m->now.team && !nth_load_rlx(&t->runner));
  m->now.task = t;
  m->now.icv = t->icv;
  t->base = nth_deque_base(&m->now.slot->queue.deque);
  nth_store_rlx(&t->runner, m);
  t->fn(t->data);
  return after(m, outer, icv);
}

struct nth_task *nth_task_call(struct nth_member *m, struct nth_task *t) { return call(m, t); }

/* The function of t, a deferred task, has returned, or t is discarded. */
static NTH_HOT void end_link(struct nth_member *m, struct nth_task *t, bool any, bool discard,
                             struct nth_chain *c) {
  nth_assert(!m->chain && !m->anything);
  c->next = 0;
  if (nth_unlikely(t->flags & NTH_TASK_DEPENDS))
    m->chain = c;
  m->anything = any;
  if (nth_unlikely(t->flags & NTH_TASK_DETACH) && !discard) {
    nth_task_pay_owed(m, c); /* from here on t may belong to another thread */
    nth_task_event_counts(t, 1);
  } else {
    finish(m, t);
  }
  m->anything = false;
  m->chain = 0;
}

/* Runs or discards a deferred tied task. any: any task may be started at this point. False: the
 * process has forked inside; the parent process finishes t. */
static NTH_HOT bool run_link(struct nth_member *m, struct nth_task *t, bool any,
                             struct nth_chain *c) {
  nth_assert(!(t->flags & (NTH_TASK_UNTIED | NTH_TASK_BATCH | NTH_TASK_STAYS)));
  uint32_t generation = nth_fork_generation;
  bool discard = nth_cancelled_discards(t);
  if (nth_unlikely(t->flags & NTH_TASK_DEPENDS))
    nth_depend_fetch(nth_task_depend(t));
  if (nth_likely(t->fn && !discard))
    call(m, t);
  else if (nth_unlikely(nth_task_discard_told != 0))
    nth_task_discard_told(m, t);
  if (nth_unlikely(generation != nth_fork_generation))
    return false;
  end_link(m, t, any, discard, c);
  return true;
}

/* Whether an untied task starts on a stack of its own: its function will wait, or tasks that wait
 * have made this stack deep. */
static inline bool wants_berth(struct nth_member *m, const struct nth_task *t) {
  const struct nth_task *below = m->now.task;
  bool deep = below->flags & NTH_TASK_UNTIED && below->nested >= NTH_UNTIED_NESTED && m->now.team;
  return deep || nth_task_wants_berth(m, t->flags, t->fn);
}

/* run_untied_link: run_link for an untied task, which starts on a berth if its function waits, or
 * goes on there if it is suspended. *foreign: t is foreign (task_berth.h); set if it turns out to
 * be. */
static bool run_untied_link(struct nth_member *m, struct nth_task *t, bool any, bool *foreign,
                            struct nth_chain *c) {
  nth_assert(t->flags & NTH_TASK_UNTIED && !(t->flags & NTH_TASK_BATCH));
  uint32_t generation = nth_fork_generation;
  bool stays = t->flags & NTH_TASK_STAYS, discard = !stays && nth_cancelled_discards(t),
       over = true;
  if (t->flags & NTH_TASK_DEPENDS && !stays)
    nth_depend_fetch(nth_task_depend(t));
  bool begins = !stays && !discard && t->fn;
  *foreign |= stays && !any && nth_berth_is_strange(m, t);
  if (stays || (begins && (*foreign || wants_berth(m, t)) && nth_berth_prepare(m, t))) {
    over = nth_berth_run(m, t, *foreign);
  } else if (begins) {
    t->flags |= m->now.task->flags & NTH_TASK_LOOSE;
    if (m->now.task->flags & NTH_TASK_UNTIED && !*foreign)
      t->nested = m->now.task->nested + 1;
    nth_task_call(m, t);
  } else if (nth_unlikely(nth_task_discard_told != 0)) {
    nth_task_discard_told(m, t);
  }
  if (nth_unlikely(generation != nth_fork_generation))
    return false;
  c->next = 0;
  if (over)
    end_link(m, t, any, discard, c);
  return true;
}

static inline bool goes_on(struct nth_member *m, const struct nth_task *next, bool any,
                           const struct nth_awaited *what) {
  return nth_unlikely(next != 0) &&
         (any || (what && !nth_task_is_over(m, what) &&
                  (!nth_task_is_choosy(m->now.task) || nth_task_is_sought(next, m->now.task))));
}

/* The chain ends. t: what its last task has made ready, or NULL. */
static inline void end_chain(struct nth_member *m, struct nth_task *t, bool any,
                             struct nth_chain *c) {
  nth_assert(!m->chain && c->next == t);
  nth_task_pay_owed(m, c);
  if (nth_unlikely(t != 0)) {
    m->anything = any;
    nth_task_ready(t);
    m->anything = false;
  }
}

/* Runs a chain whose first task is untied. If that is foreign, its siblings are, too, and stay in a
 * queue. */
static void run_untied(struct nth_member *m, struct nth_task *t, bool any, bool foreign,
                       const struct nth_awaited *what) {
  struct nth_chain c;
  c.owed = 0;
  do {
    if (nth_unlikely(!run_untied_link(m, t, any, &foreign, &c)))
      return;
    t = c.next;
    nth_deque_heed(&m->now.slot->queue.deque);
  } while (!foreign && goes_on(m, t, any, what) && t->flags & NTH_TASK_UNTIED);
  if (!foreign && goes_on(m, t, any, what)) {
    nth_task_pay_owed(m, &c);
    nth_task_run(m, t, any, what);
    return;
  }
  end_chain(m, t, any, &c);
}

void nth_task_run(struct nth_member *m, struct nth_task *t, bool any,
                  const struct nth_awaited *what) {
  struct nth_chain c;
  nth_assert(nth_task_caller_is(m) && nth_task_may_queue(t));
  nth_prefetch_own((char *)t + NTH_LINE); /* the line of fn and data; beside that of flags */
  if (nth_unlikely(t->flags & (NTH_TASK_BATCH | NTH_TASK_UNTIED))) {
    if (t->flags & NTH_TASK_BATCH) /* a batch is in no chain: it has no dependences */
      ((struct nth_task_self *)t->data)->run(m, t);
    else
      run_untied(m, t, any, false, what);
    return;
  }
  c.owed = 0;
  for (;;) {
    if (nth_unlikely(!run_link(m, t, any, &c)))
      return;
    t = c.next;
    if (nth_likely(!goes_on(m, t, any, what)))
      break;
    nth_deque_heed(&m->now.slot->queue.deque);
    if (nth_unlikely(t->flags & NTH_TASK_UNTIED)) {
      nth_task_pay_owed(m, &c);
      run_untied(m, t, any, false, what);
      return;
    }
  }
  end_chain(m, t, any, &c);
}

/* --- children that their maker takes back --- */

/* The flags that such a task may have: they change neither how it starts nor how it ends. */
enum { PLAIN = NTH_TASK_FINAL | NTH_TASK_OUTERMOST };

/* Runs a plain child of the current task, as nth_task_run() would. The child makes no other task
 * ready, so there is no chain. Its parent runs here, so the tallies are this thread's own. */
static inline void run_child(struct nth_member *m, struct nth_task *t, struct nth_task *parent) {
  uint32_t generation = nth_fork_generation;
  struct nth_team *team = t->team;
  nth_assert(!m->chain && !m->anything && t->home == m->now.slot);
  call(m, t);
  if (nth_unlikely(generation != nth_fork_generation))
    return; /* the parent process finishes t */
  nth_assert(nth_load_rlx(&parent->runner) == m);
  struct nth_taskgroup *group = t->made_in;
  end_memory(&m->pool, t);
  count_children(m, team, parent, group, true, 1);
  count_done_inside(m, team);
}

/* Whether waits have more to do between two tasks than to look for the next one. */
static inline bool has_more_to_do(const struct nth_member *m) {
  return nth_berth_is_foreign(m) || nth_load_rlx(&nth_task_find_asks) || nth_permits_limited() ||
         nth_env.cancellation;
}

NTH_HOT bool nth_task_take_back(struct nth_member *m, struct nth_tally *tally) {
  struct nth_task *current = m->now.task, *t;
  uint32_t before = nth_task_left_begin(m);
  bool over;
  nth_assert(nth_task_caller_is(m));
  while (!(over = nth_tally_left(tally) == 0) && /* task:A */
         nth_likely(!has_more_to_do(m)) && (t = nth_task_pop_own(m, current))) {
    if (nth_likely(!(t->flags & ~(uint32_t)PLAIN) && nth_task_parent(t) == current)) {
      run_child(m, t, current);
      continue;
    }
    nth_task_run(m, t, false, &(struct nth_awaited){.tally = tally});
    if (m->now.slot->berths.suspended >= NTH_BERTHS_MANY)
      break; /* for nth_task_find(): those that can go on come first */
  }
  nth_task_left_end(m, before);
  return over;
}

/* Finds a task that a suspended task of m's waits for. Each call begins with the next of these. */
static struct nth_task *find_awaited(struct nth_member *m) {
  struct nth_berths *in = &m->now.slot->berths;
  struct nth_berth *b = 0, *last = in->awaiting.last;
  struct nth_task *t = 0;
  for (uint32_t i = 0; !t && b != last && i < NTH_BERTHS_MANY; i++) {
    b = nth_berth_awaiting_next(in);
    nth_assert(b->slot == m->now.slot && b->current->flags & NTH_TASK_STAYS);
    t = nth_task_find_awaited(m, b->current);
  }
  return t;
}

static inline bool may_begin_beside(const struct nth_task *t, const struct nth_task *suspended) {
  return !(suspended->flags & NTH_TASK_BOUND) || nth_task_descends(t, suspended);
}

/* Whether t may begin on m's thread (task_berth.h, Bound): it is untied, or descends from each tied
 * task that is suspended there until other tasks end, or nothing else has helped. */
static bool may_begin(struct nth_member *m, const struct nth_task *t) {
  struct nth_berths *in = &m->now.slot->berths;
  const struct nth_berth *b = t->flags & NTH_TASK_UNTIED ? 0 : in->awaiting.first;
  while (b && may_begin_beside(t, b->current) && may_begin_beside(t, b->task))
    b = b->newer;
  if (b && ++in->refused < NTH_AWAITED_REFUSALS)
    return false;
  in->refused = 0;
  return true;
}

/* Begins t, or a part of it, above a task from which t does not descend, and which may have what t
 * will wait for. So t gets a stack of its own, tied or not, and leaves it then. False: t must not
 * begin yet. */
static bool begin_foreign(struct nth_member *m, struct nth_task *t) {
  uint32_t before = nth_task_left_begin(m), position = nth_deque_base(&m->now.slot->queue.deque);
  if (nth_cancelled_discards(t)) {
    nth_task_run(m, t, false, 0);
  } else if (!may_begin(m, t)) {
    nth_task_put_back(m, t);
    nth_task_left_end(m, before);
    return false;
  } else {
    if (t->flags & NTH_TASK_BATCH)
      t = ((struct nth_task_self *)t->data)->part(m, t);
    t->nested = NTH_NESTED_MOST;
    t->flags |= t->flags & NTH_TASK_UNTIED ? 0 : NTH_TASK_UNTIED | NTH_TASK_BOUND;
    run_untied(m, t, false, true, 0);
  }
  nth_task_put_aside_from(m, position);
  nth_task_left_end(m, before);
  return true;
}

bool nth_task_begin_awaited(struct nth_member *m) {
  struct nth_berths *in = &m->now.slot->berths;
  nth_assert(nth_task_caller_is(m));
  if (!in->awaiting.first || ++in->awaits % NTH_AWAITED_EACH != 0)
    return false;
  struct nth_task *t = find_awaited(m);
  return t && begin_foreign(m, t);
}

bool nth_task_begin_own(struct nth_member *m) {
  nth_assert(nth_berth_is_foreign(m));
  struct nth_task *t = nth_task_find_awaited(m, m->now.task);
  return t && begin_foreign(m, t);
}

static bool go_on_with(struct nth_member *m, struct nth_task *t) {
  if (t)
    run_untied(m, t, false, true, 0);
  return t != 0;
}

bool nth_task_go_on_ready(struct nth_member *m) {
  return go_on_with(m, nth_berth_next(m->now.slot));
}

bool nth_task_go_on(struct nth_member *m) {
  nth_assert(nth_task_caller_is(m));
  nth_poll();
  return nth_task_go_on_ready(m) ||
         (nth_berth_turns_in_vain(&m->now.slot->berths) && nth_task_begin_awaited(m)) ||
         go_on_with(m, nth_berth_next_in_turn(m));
}

/* Runs t one level above the current task. */
static void run_above(struct nth_member *m, struct nth_task *t) {
  uint32_t before = nth_task_left_begin(m);
  nth_assert(t != m->now.task && nth_task_may_queue(t));
  t->nested = m->now.task->nested + 1;
  nth_task_run(m, t, false, 0);
  nth_task_left_end(m, before);
}

void nth_task_run_left(struct nth_member *m) {
  struct nth_task *t;
  while (!nth_berth_is_foreign(m) && !nth_task_puts_off(m) && (t = nth_task_find_left(m)))
    run_above(m, t);
}

void nth_task_run_above(struct nth_member *m, struct nth_task *t) {
  run_above(m, t);
  if (nth_unlikely(m->now.task->nested >= NTH_NESTED_MOST - 1))
    nth_task_run_left(m);
}

bool nth_task_run_any(struct nth_member *m, bool deep) {
  if (nth_task_run_one(m, 0, deep ? NTH_LOOK_DEEP : NTH_LOOK_ENDS, 0)) {
    nth_task_pass(m);
    return true;
  }
  if (nth_unlikely(deep))
    nth_team_idle(m->now.team, m->now.slot);
  return false;
}
