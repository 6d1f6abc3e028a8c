/* team.c - a team of members: fork, join, and what its constructs share
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/team/team.h"

#include "runtime/base/os.h"
#include "runtime/omp/env/display.h"
#include "runtime/omp/nano/members.h"
#include "runtime/omp/queue/help.h"
#include "runtime/omp/sync/barrier.h"
#include "runtime/omp/tasks/depend.h"
#include "runtime/omp/tasks/task_berth.h"
#include "runtime/omp/team/binding.h"
#include "runtime/omp/team/cancel.h"
#include "runtime/omp/team/team_make.h"
#include "runtime/omp/team/team_size.h"
#include "runtime/omp/team/team_valid.h"
#include "runtime/omp/types/generation.h"
#include "runtime/place/places/allowed.h"
#include "runtime/sched/wait/poll.h"
#include "runtime/sched/wait/wait.h"

/* --- fork --- */

/* OMP_DISPLAY_AFFINITY: m, which has just entered t, shows its affinity if it has changed, or if t
 * has another size or other places than the last team of its master's at that depth. The master
 * comes first. Of a team of one only the former counts. */
__attribute__((noinline)) static void display(struct nth_member *m, struct nth_team *t) {
  struct nth_team_displayed *d = &t->displayed;
  if (m->now.thread_num == 0) {
    bool same = d->size == t->size && d->seating == t->seating && d->master_num == t->master_num;
    *d = (struct nth_team_displayed){t->seating, t->size, t->master_num, t->size > 1 && !same};
  }
  nth_display_affinity(d->now);
}

/* Makes m member i of t. */
static inline void enter(struct nth_member *m, struct nth_team *t, uint32_t i) {
  nth_assert(i < t->size && t->slot[i]);
  struct nth_slot *s = t->slot[i];
  m->now.team = t;
  m->now.slot = s;
  m->now.task = &s->implicit;
  m->now.icv = &t->icv;
  m->now.thread_num = i;
  m->now.team_size = t->size;
  m->now.level = t->level;
  m->now.active_level = t->active_level;
  s->shares.last = 0;
  if (nth_unlikely(s->seat != m->now.seat))
    nth_binding_move(m, s->seat);
  if (nth_unlikely(s->shares.made_first != 0))
    nth_workshare_enter_region(s);
  if (nth_unlikely(s->tasks.depends)) {
    s->tasks.depends = false;
    nth_depend_restart(&s->implicit);
  }
}

/* One more; the master's own count. */
static inline void count(_Atomic(uint64_t) *n) { nth_store_rlx(n, nth_load_rlx(n) + 1); }

/* Counts the descriptor that every slave is about to get, before the first one is put. Otherwise a
 * slave that has its own could find another one docked and recall it (G). */
static inline void expect_all(struct nth_team *t) {
  for (uint32_t i = 1; i < t->size; i++)
    nth_store_rlx(&t->crew.pjv[i], nth_load_rlx(&t->crew.pjv[i]) + 1);
}

static void fork_gwd(struct nth_team *t, struct nth_wd *wd) {
  count(&t->counts.gwd);
  wd->addressee = t->size;
  nth_wdarray_put(t->group.gwd, wd);
}

static void fork_lwd(struct nth_team *t, struct nth_wd *wd) {
  uint32_t n = t->size;
  for (uint32_t i = 1; i < n; i++) {
    nth_assert(t->group.proc[i]);
    wd->addressee = i;
    nth_wdarray_put(&t->group.proc[i]->lwd, wd);
  }
}

/* Whether the team can serve the region unchanged: nothing in its config line would change. */
static inline bool fits(const struct nth_member *m, const struct nth_team *t, uint32_t n,
                        uint32_t bind) {
  return t->size == n && t->seating == nth_team_seating(m, bind) && t->level == m->now.level + 1 &&
         t->parent == m->now.team && t->master_num == m->now.thread_num &&
         (m->now.team || (t->league.num == m->league.num && t->league.teams == m->league.teams)) &&
         t->generation == nth_fork_generation &&
         nth_load_rlx(&t->crew.allowed) == nth_load_rlx(&nth_allowed.cpus) &&
         t->active_level == m->now.active_level + (n > 1 ? 1 : 0) &&
         nth_icv_equal(&t->icv_source, m->now.icv);
}

/* The next team does not fit. */
__attribute__((noinline)) static struct nth_team *change(struct nth_member *m, uint32_t n,
                                                         uint32_t bind) {
  struct nth_team *t = nth_team_turn(m, n);
  return t && fits(m, t, n, bind) ? t : nth_team_prepare(m, n, bind);
}

static inline struct nth_team *mine(struct nth_member *m, uint32_t n, uint32_t bind) {
  struct nth_team *t = m->next_team;
  nth_assert(n > 0 && n <= NTH_MAX_TEAM);
  t = nth_likely(t && fits(m, t, n, bind)) ? t : change(m, n, bind);
  nth_assert(t == m->next_team && t->parent == m->now.team && t->level == m->now.level + 1);
  nth_assert_valid(nth_team_valid(t));
  return t;
}

struct nth_team *nth_team_mine(struct nth_member *m, uint32_t n, uint32_t bind) {
  return mine(m, n, bind);
}

/* Apart, so that a fork without sleepers keeps nothing for it. */
__attribute__((noinline)) static void wake(struct nth_team *t, uint32_t i) {
  nth_worker_wake_for(t->group.proc[i], &nth_member_known()->proc->waiter);
}

/* Gives the region to the members 1, 2, ... of t. marks: of the descriptor. */
__attribute__((noinline)) static void fork_slaves(struct nth_member *m, struct nth_team *t,
                                                  void (*fn)(void *), void *data, uintptr_t marks) {
  nth_assert(t->size > 1 && m->now.team == t && m->now.thread_num == 0);
  nth_store_rlx(&t->regions, nth_load_rlx(&t->regions) + 1);
  if (t->level > 1)
    count(&t->counts.nested);
  if (nth_unlikely(t->leaders.count != 0))
    count(&t->counts.led);
  struct nth_wd wd = {fn, data, (uintptr_t)t + marks, 0};
  expect_all(t);
  if (t->group.gwd)
    fork_gwd(t, &wd);
  if (nth_unlikely(t->leaders.count != 0)) {
    nth_members_fork(m, t, &wd);
    return;
  }
  if (!t->group.gwd)
    fork_lwd(t, &wd);
  nth_fence_full(); /* worker:F: against a docked worker going to sleep */
  for (uint32_t i = 1; i < t->size; i++)
    if (nth_unlikely(nth_worker_sleeps(t->group.proc[i])))
      wake(t, i);
}

static inline void fork_team(struct nth_member *m, struct nth_team *t, void (*fn)(void *),
                             void *data, uintptr_t marks) {
  nth_assert(t == m->next_team && t->generation == nth_fork_generation);
  nth_assert(t->crew.due == 0); /* the last region's join paid it */
  if (nth_unlikely(t->crew.crowd_left != 0) && t->barrier_shape.kind != NTH_BARRIER_CROWDED &&
      --t->crew.crowd_left == 0)
    t->crowded = false;
  t->saved = m->now;
  if (nth_unlikely(nth_locks != 0)) {
    t->crew.locks = nth_locks;
    nth_locks = 0;
  }
  enter(m, t, 0);
  if (nth_unlikely(nth_env.display_affinity))
    display(m, t);
  m->next_team = t->next;
  if (nth_unlikely(m->due != 0))
    nth_team_owe(t, m);
  if (t->size > 1)
    fork_slaves(m, t, fn, data, marks);
  else
    count(&t->counts.ones);
}

void nth_team_fork(struct nth_member *m, struct nth_team *t, void (*fn)(void *), void *data) {
  fork_team(m, t, fn, data, 0);
}

void nth_team_fork_told(struct nth_member *m, struct nth_team *t, void (*fn)(void *), void *data,
                        struct nth_tool_region *region, bool loop) {
  nth_assert(nth_team_told);
  if (nth_load_rlx(&t->told) != region)
    nth_store_rlx(&t->told, region);
  fork_team(m, t, fn, data, NTH_WD_TOLD | (loop ? NTH_WD_LOOP : 0));
}

/* --- what a slave does --- */

/* Sleeps until the bell rings or a time has passed. A task that is seen but not got is in another
 * thief's hands, or its owner keeps it. That may last, and no member is certain to ring at its
 * end. */
static void nap(struct nth_team *t, struct nth_slot *mine) {
  uint32_t ticket = nth_bell_enter(&t->help.bell);
  uint64_t limit = nth_team_search_nap(t, mine);
  limit = nth_poll_nap(limit ? limit : NTH_UNSURE_NS);
  if (nth_task_queued(t) || (mine->berths.suspended != 0 && !nth_berth_any(mine)))
    nth_bell_sleep(&t->help.bell, ticket, limit);
  nth_bell_leave(&t->help.bell);
  nth_team_search_begin(t, mine);
}

/* Runs tasks until none is queued and none is suspended here. A task that another thief is taking
 * still counts: that thief may leave others after it, and their maker has called for help
 * already. */
static void drain(struct nth_member *m, struct nth_team *t) {
  nth_assert(m->now.team == t && m->now.task == &m->now.slot->implicit); /* the body is over */
  if (nth_likely(!nth_load_rlx(&t->tasked)))
    return;
  struct nth_wait w;
  nth_wait_begin(&w, &m->proc->waiter, NTH_WAIT_TASK, true);
  for (;;) {
    while (nth_task_run_any(m, true)) {}
    if (m->now.team_size == 1 || /* it has forked in the region, or is alone */
        (!nth_task_queued(t) && m->now.slot->berths.suspended == 0))
      break;
    if (!nth_wait_poll(&w))
      nap(t, m->now.slot);
  }
  if (nth_unlikely(w.polls > 0))
    nth_wait_end(&w);
  nth_team_search_over(m);
}

/* The slave has come back, there are tasks, and the region waits for it. */
static void stay(struct nth_worker *p, struct nth_team *t) {
  struct nth_member *m = p->identity;
  struct nth_slot *s = m->now.slot;
  nth_djs_stay(&s->djs);
  nth_assert((nth_load_rlx(&t->regions) & 1) != 0);
  uint32_t generation = nth_fork_generation;
  drain(m, t);
  if (nth_unlikely(generation != nth_fork_generation))
    p->ending = true; /* as in nth_team_run() */
  else
    nth_djs_arrive(&s->djs, m->finished);
}

bool nth_team_come_back(struct nth_worker *p) {
  /* The master writes p->identity until p has run its first region. */
  bool served = p->started && (!p->carried || nth_self);
  struct nth_member *m = served ? p->identity : 0;
  struct nth_team *t = m && m->proc == p ? m->now.team : 0;
  nth_fence_full(); /* L: the arrival before the look at tasked */
  if (!t || !nth_load_rlx(&t->tasked) || nth_load_rlx(&t->join.closed) != m->closed)
    return false;
  struct nth_djs *d = &m->now.slot->djs;
  if (!nth_djs_come_back(d, m->finished))
    return false;
  (void)nth_team_fence_sleeper(p->crowded); /* a maker's push before its look at the slot */
  nth_fence_full();                         /* L: the bit before the looks below */
  uint32_t tasked = nth_load_acq(&t->tasked), closed = nth_load_acq(&t->join.closed); /* L */
  bool in = tasked && closed == m->closed &&
            nth_djs_same(m->finished, nth_load_acq(&t->crew.pjv[m->now.thread_num])); /* G */
  do {
    if (in && nth_task_queued(t)) {
      stay(p, t);
      return true;
    }
  } while (!nth_djs_leave(d, m->finished));
  return false;
}

void (*nth_team_told)(struct nth_member *m, void (*fn)(void *), void *data, bool loop);

/* The slave's part of the region, before its tasks. */
static inline void run_body(struct nth_member *m, struct nth_team *t, const struct nth_wd *wd) {
  if (nth_unlikely(nth_env.display_affinity))
    display(m, t);
  if (nth_unlikely(t->leaders.count < t->size && wd->addressee < t->leaders.count))
    nth_members_lead(m, t, wd);
  if (nth_likely(!(wd->owner & NTH_WD_TOLD)))
    wd->fn(wd->data);
  else
    nth_team_told(m, wd->fn, wd->data, wd->owner & NTH_WD_LOOP);
}

void nth_team_run(struct nth_worker *p, const struct nth_wd *wd) {
  struct nth_team *t = (struct nth_team *)(wd->owner & ~(uintptr_t)NTH_WD_MARKS);
  struct nth_member *m = p->identity;
  nth_assert(m && m->proc == p);
  nth_assert(wd->addressee > 0 && wd->addressee < t->size);
  if (nth_unlikely(nth_self != m))
    nth_member_adopt(m);
  uint32_t generation = nth_fork_generation;
  nth_locks = 0; /* a lock that another thread has left; task_run.h, Locks */
  enter(m, t, wd->addressee);
  struct nth_slot *s = m->now.slot;
  if (nth_likely(!(wd->owner & NTH_WD_HELP))) {
    m->closed = nth_load_rlx(&t->join.closed); /* L: not later, for the join may close the region
                                                * while a slave that it has recalled runs */
    run_body(m, t, wd);
  }
  p->crowded = t->crowded;
  drain(m, t);
  if (nth_unlikely(generation != nth_fork_generation)) {
    nth_task_wait_all(m);
    p->ending = true; /* the slave forked in the region: in this process it has no master to go
                       * back to */
    return;
  }
  nth_assert(m->now.slot == s && s->berths.suspended == 0);
  m->finished = ++s->finished;
  nth_djs_arrive(&s->djs, m->finished); /* the slave touches nothing of the team after this */
}

/* --- join --- */

/* The master sleeps until slave i arrives or a task wants it. again: it did so before, saw a task
 * and got none. */
static void sleep_for_slave(struct nth_team *t, uint32_t i, bool again) {
  uint32_t ticket, expect = nth_load_rlx(&t->crew.pjv[i]);
  struct nth_djs *d = &t->slot[i]->djs;
  nth_assert(i > 0 && i < t->size);
  nth_store_rlx(&t->help.master_sleeps, d);
  if (nth_djs_announce(d, expect, &ticket)) {
    nth_fence_full(); /* S: a task's maker sees d and the bit, or the master sees the task */
    uint64_t timeout =
        nth_load_rlx(&t->tasked) && !nth_team_fence_sleeper(t->crowded) ? NTH_UNSURE_NS : 0;
    timeout = nth_poll_nap(timeout);
    /* If the count passed `expect` before the bit was set, with a recall in between, it may never
     * come back to `expect`. The announcement has acquired that arrival, so the recall shows in
     * pjv. */
    bool queued = nth_task_queued(t) || nth_berth_any(t->slot[0]);
    timeout = queued && timeout == 0 ? NTH_UNSURE_NS : timeout;
    if (nth_load_rlx(&t->crew.pjv[i]) == expect && (!queued || again))
      nth_djs_sleep(d, ticket, timeout);
  }
  nth_store_rlx(&t->help.master_sleeps, NULL);
}

static NTH_HOT void await_slave(struct nth_member *m, struct nth_team *t, uint32_t i) {
  struct nth_wait w;
  bool slept = false;
  nth_wait_begin_for_team(&w, &m->proc->waiter, NTH_WAIT_JOIN, t->crowded);
  while (!nth_djs_done(&t->slot[i]->djs, nth_load_rlx(&t->crew.pjv[i]))) {
    if (nth_load_rlx(&t->tasked) && nth_task_run_any(m, slept || nth_task_look_deep(&w))) {
      slept = false;
      nth_wait_begin_for_team(&w, &m->proc->waiter, NTH_WAIT_JOIN, t->crowded);
      continue;
    }
    if (!nth_wait_poll(&w) && !nth_members_await_slave(m, t, i)) {
      sleep_for_slave(t, i, slept);
      slept = true;
    }
  }
  nth_wait_end(&w);
  nth_team_search_over(m);
}

/* Section 3.2 of the fork/join paper: look at both ends of the structure and move inwards. */
static NTH_HOT void await_slaves(struct nth_member *m, struct nth_team *t) {
  uint32_t low = 1, high = t->size - 1;
  while (low <= high) {
    if (nth_djs_done(&t->slot[high]->djs, nth_load_rlx(&t->crew.pjv[high]))) {
      high--;
    } else {
      if (!nth_djs_done(&t->slot[low]->djs, nth_load_rlx(&t->crew.pjv[low])))
        await_slave(m, t, low);
      low++;
    }
  }
}

static inline void await_members(struct nth_member *m, struct nth_team *t) {
  if (nth_likely(t->size > 1 && t->generation == nth_fork_generation)) {
    if (nth_unlikely(t->alone.forked_at != 0))
      nth_members_join(t);
    drain(m, t);
    await_slaves(m, t);
  }
}

/* From now on no slave comes back. False: one is back, or was recalled. It sums up pjv before and
 * after it looks at the slots: a slave that it finds arrived may have recalled one that it had seen
 * before. */
static bool close_region(struct nth_team *t) {
  nth_store_rel(&t->join.closed, nth_load_rlx(&t->join.closed) + 1); /* L */
  nth_fence_full();                                                  /* L */
  uint32_t before = 0, after = 0;
  for (uint32_t i = 1; i < t->size; i++) {
    uint32_t given = nth_load_rlx(&t->crew.pjv[i]);
    before += given;
    if (nth_unlikely(!nth_djs_done(&t->slot[i]->djs, given)))
      return false;
  }
  for (uint32_t i = 1; i < t->size; i++)
    after += nth_load_rlx(&t->crew.pjv[i]);
  return before == after;
}

/* Whether the join of a region with tasks has to wait once more: some are left that wait for
 * events, or slaves were recalled or have come back, and will arrive again. It looks at the slaves
 * after the tasks: a thread outside the team publishes its recall by the end of its task (G). */
__attribute__((noinline)) static bool join_again_slow(struct nth_team *t) {
  if (nth_unlikely(t->generation != nth_fork_generation))
    return nth_tasks_left(0, t->slot[0]); /* the tasks that this process has made itself */
  return nth_tasks_left(t, 0) || !close_region(t);
}

static inline bool join_again(struct nth_team *t) {
  return nth_unlikely(nth_load_rlx(&t->tasked)) && join_again_slow(t);
}

static NTH_HOT void join(struct nth_member *m, struct nth_team *t) {
  nth_assert(m->now.team == t && m->now.thread_num == 0 && m->now.slot == t->slot[0]);
  await_members(m, t);
  while (nth_unlikely(join_again(t))) {
    nth_task_wait_all(m);
    await_members(m, t);
  }
  nth_assert_valid(t->generation != nth_fork_generation || nth_team_members_valid(t));
  if (nth_unlikely(t->alone.forked_at != 0))
    nth_members_joined(t);
  if (nth_unlikely(nth_load_rlx(&t->tasked)))
    nth_tasks_begin_again(t);
  if (nth_unlikely(nth_env.cancellation))
    nth_cancel_leave(t);
  if (nth_unlikely(t->crew.due != 0))
    nth_team_pay(t);
  if (nth_unlikely(nth_workshare_used(t)))
    nth_workshare_leave_region(t);
  nth_store_rlx(&t->regions, (nth_load_rlx(&t->regions) + 1) & ~1ull);
  m->now = t->saved;
  if (nth_unlikely(t->crew.locks != 0)) {
    nth_locks += t->crew.locks;
    t->crew.locks = 0;
  }
  m->next_team = t;
  if (nth_unlikely(m->proc->waiter.serves) && !m->now.team)
    nth_carry_own(m->identity);
}
void nth_team_join(struct nth_member *m, struct nth_team *t) { join(m, t); }

/* --- the constructs --- */

uint32_t nth_team_parallel(void (*fn)(void *), void *data, uint32_t clause, uint32_t bind) {
  struct nth_member *m = nth_member_get();
  struct nth_team *t = mine(m, nth_team_choose(m, clause, fn), bind);
  uint32_t n = t->size;
  fork_team(m, t, fn, data, 0);
  fn(data);
  nth_assert(m->next_team == t->next); /* regions inside have ended */
  join(m, t);
  return n;
}
