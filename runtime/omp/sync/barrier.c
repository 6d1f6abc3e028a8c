/* barrier.c - the team's barrier
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/omp/sync/barrier.h"

#include "runtime/base/os.h"
#include "runtime/omp/member/cancelled.h"
#include "runtime/omp/nano/members.h"
#include "runtime/omp/queue/help.h"
#include "runtime/omp/tasks/depend.h"
#include "runtime/omp/tasks/task_berth.h"
#include "runtime/sched/wait/poll.h"
#include "runtime/sched/wait/wait.h"

/* Whether a word with a barrier count in its upper 31 bits has reached e. */
static inline bool reached(uint32_t word, uint32_t e) { return (int32_t)(word - (e << 1)) >= 0; }

/* Whether the member has made tasks since the last barrier, at which all tasks were finished. Once
 * in 2^24 barriers the second phase is taken without need. So the team's barrier.released never
 * lags so far that the signed difference turns. */
static inline uint32_t made_tasks(const struct nth_slot *mine, uint32_t e) {
  return nth_load_rlx(&mine->tasks.made) != mine->tasks.seen || (e & 0xffffff) == 0;
}

/* Prepares the sleep of a member that would start tasks, between its announcement and its last
 * look (task:F). Returns how long it may sleep, ns; 0: until it is woken. */
static inline uint64_t before_sleep(struct nth_team *t, struct nth_slot *mine) {
  uint64_t nap = nth_team_search_nap(t, mine);
  if (nth_likely(nap == 0) && nth_load_rlx(&t->tasked) && !nth_team_fence_sleeper(t->crowded))
    nap = NTH_UNSURE_NS;
  return nth_poll_nap(nap);
}

/* Publishes a change of a word for which other members may sleep. */
static inline void publish(struct nth_team *t, _Atomic(uint32_t) *word, uint32_t value) {
  nth_xchg_acqrel(word, value); /* A, R */
  nth_fence_full();             /* bell:F: against a sleeper's enter */
  nth_bell_ring(&t->help.bell, INT_MAX);
}

/* Whether a sleeper stays awake for a task that it sees. again: it did so last time and got none.
 * Then another thief has the task, perhaps for long, or its member keeps it and shares it only
 * after a fence. So the sleeper sleeps for a while; the searcher no longer than its nap, for while
 * it sleeps nobody else is called. */
static inline bool stays_for_task(const struct nth_team *t, const struct nth_slot *mine,
                                  uint64_t *timeout, bool again) {
  if (nth_likely(!nth_task_queued(t) && !nth_berth_any(mine)))
    return false;
  if (*timeout == 0 || *timeout > NTH_UNSURE_NS)
    *timeout = NTH_UNSURE_NS;
  return !again;
}

/* Sleeps until something changes in the team. For a wait that has polled enough. */
static void sleep_for_epoch(struct nth_member *m, _Atomic(uint32_t) *word, uint32_t e, bool again) {
  struct nth_team *t = m->now.team;
  uint32_t ticket = nth_bell_enter(&t->help.bell);
  uint64_t timeout = before_sleep(t, m->now.slot);
  bool over = reached(nth_load_acq(word), e); /* A, R */
  if (!over && !stays_for_task(t, m->now.slot, &timeout, again) && !nth_cancelled_team(t))
    nth_bell_sleep(&t->help.bell, ticket, timeout);
  nth_bell_leave(&t->help.bell);
  nth_team_search_begin(t, m->now.slot);
}

/* Runs a task, if one is to be seen and no better member is there to run it. slept: the caller has
 * slept since its last task. */
static inline bool help(struct nth_member *m, const struct nth_wait *w, bool slept) {
  return !nth_team_search_waits(m) && nth_task_run_any(m, slept || nth_task_look_deep(w));
}

/* Waits until *word has reached e or the team is cancelled, and runs tasks until then. Returns the
 * word, or the value that it should have. */
static uint32_t await_slow(struct nth_member *m, _Atomic(uint32_t) *word, uint32_t e) {
  struct nth_team *t = m->now.team;
  struct nth_wait w;
  uint32_t v;
  bool slept = false;
  nth_wait_begin_for_team(&w, &m->proc->waiter, NTH_WAIT_BARRIER, t->crowded);
  while (!reached(v = nth_load_acq(word), e)) { /* A, R */
    if (nth_load_rlx(&t->tasked) && help(m, &w, slept)) {
      slept = false;
      nth_wait_begin_for_team(&w, &m->proc->waiter, NTH_WAIT_BARRIER, t->crowded);
      continue;
    }
    if (nth_unlikely(m->now.team_size == 1 || nth_cancelled_team(t))) {
      v = e << 1; /* it forked while it ran a task; or the team is cancelled */
      break;
    }
    if (!nth_wait_poll(&w) && !nth_members_await(m, t, word, v)) {
      sleep_for_epoch(m, word, e, slept);
      slept = true;
    }
  }
  nth_wait_end(&w);
  nth_team_search_over(m);
  nth_member_pass(m);
  return v;
}

static inline uint32_t await(struct nth_member *m, _Atomic(uint32_t) *word, uint32_t e) {
  uint32_t v = nth_load_acq(word); /* A, R */
  return nth_likely(reached(v, e)) ? v : await_slow(m, word, e);
}

static void sleep_for_tasks(struct nth_team *t, struct nth_slot *mine, uint32_t e, bool again) {
  nth_add_rlx(&t->help.enders, 1); /* the bell's fence serves this addition, too */
  uint32_t ticket = nth_bell_enter(&t->help.bell);
  uint64_t timeout = before_sleep(t, mine);
  if (nth_tasks_left(t, 0) && !stays_for_task(t, mine, &timeout, again) &&
      !reached(nth_load_acq(&t->barrier.released), e) && !nth_cancelled_team(t)) /* R */
    nth_bell_sleep(&t->help.bell, ticket, timeout);
  nth_bell_leave(&t->help.bell);
  nth_sub_rlx(&t->help.enders, 1);
  nth_team_search_begin(t, mine);
}

/* Second phase: runs tasks until none is left, or another member has seen that. The counts of tasks
 * are lines that the members write, so it looks at them only as often as that pays. */
static void finish_tasks(struct nth_member *m, uint32_t e) {
  struct nth_team *t = m->now.team;
  struct nth_wait w;
  bool look = true, slept = false;
  nth_wait_begin(&w, &m->proc->waiter, NTH_WAIT_TASK, t->crowded);
  while (!reached(nth_load_acq(&t->barrier.released), e) && m->now.team_size > 1 && /* R */
         !nth_cancelled_team(t)) {
    if (help(m, &w, slept)) {
      nth_wait_begin(&w, &m->proc->waiter, NTH_WAIT_TASK, t->crowded);
      look = true;
      slept = false;
      continue;
    }
    if (look && !nth_tasks_left(t, 0)) {
      publish(t, &t->barrier.released, e << 1); /* R */
      break;
    }
    look = w.polls % NTH_LEFT_POLLS == 0;
    if (!nth_wait_poll(&w)) {
      sleep_for_tasks(t, m->now.slot, e, slept);
      look = slept = true;
    }
  }
  nth_wait_end(&w);
  nth_team_search_over(m);
}

static void barrier_flat(struct nth_member *m, uint32_t e) {
  struct nth_team *t = m->now.team;
  struct nth_slot *mine = m->now.slot;
  uint32_t n = t->size, me = m->now.thread_num, tasks = made_tasks(mine, e);
  publish(t, &mine->barrier.arrived, e << 1 | tasks); /* A */
  for (uint32_t i = 0; i < n; i++) {
    if (i == me)
      continue;
    uint32_t v = await(m, &t->slot[i]->barrier.arrived, e);
    tasks |= v & 1;
    if (nth_unlikely(v >> 1 != (e & 0x7fffffffu)))
      return; /* I2 */
  }
  if (nth_unlikely(tasks))
    finish_tasks(m, e);
}

/* Visits each child of member i: i + j * s for each level stride s that i leads. */
#define NTH_TREE_CHILDREN(t, i, child)                                                             \
  for (uint32_t s_ = 1, r_ = (t)->barrier_shape.leaf; s_ < (t)->size && (i) % (s_ * r_) == 0;      \
       s_ *= r_, r_ = NTH_TREE_RADIX)                                                              \
    for (uint32_t j_ = 1, child = (i) + s_; j_ < r_ && child < (t)->size; j_++, child += s_)

static uint32_t tree_parent(const struct nth_team *t, uint32_t i) {
  uint32_t stride = 1, radix = t->barrier_shape.leaf;
  while (i % (stride * radix) == 0) {
    stride *= radix;
    radix = NTH_TREE_RADIX;
  }
  return i - i % (stride * radix);
}

static void barrier_tree(struct nth_member *m, uint32_t e) {
  struct nth_team *t = m->now.team;
  struct nth_slot *mine = m->now.slot;
  uint32_t me = m->now.thread_num, tasks = made_tasks(mine, e);
  nth_assert(t->barrier_shape.leaf > 0);
  NTH_TREE_CHILDREN(t, me, child)
  /* exact: the child waits for this member's release */
  tasks |= await(m, &t->slot[child]->barrier.arrived, e) & 1;
  if (me == 0) {
    if (nth_unlikely(tasks))
      finish_tasks(m, e);
  } else {
    publish(t, &mine->barrier.arrived, e << 1 | tasks); /* A */
    await(m, &t->slot[tree_parent(t, me)]->barrier.released, e);
  }
  if (me % t->barrier_shape.leaf == 0)
    publish(t, &mine->barrier.released, e << 1); /* R */
}

/* Counts the arrival of m; true: it is the last one. Nano-threads arrive at their leader first,
 * which is mostly near, and the last of its group arrives for the group. */
static inline bool arrive_crowded(const struct nth_member *m, struct nth_team *t) {
  uint32_t all = t->size, k = t->leaders.count;
  nth_assert(k <= all);
  if (k > 0) {
    uint32_t leader = m->now.thread_num % k;
    struct nth_slot *s = t->slot[leader];
    if (nth_add_acqrel(&s->barrier.gathered, 1) + 1 < (t->size - leader + k - 1) / k) /* A */
      return false;
    /* the others are past their addition; R orders this store */
    nth_store_rlx(&s->barrier.gathered, 0);
    all = k;
  }
  return nth_add_acqrel(&t->barrier.arrivals, 1) + 1 == all; /* A */
}

static void barrier_crowded(struct nth_member *m, uint32_t e) {
  struct nth_team *t = m->now.team;
  if (arrive_crowded(m, t)) {
    /* the others are past their addition; R orders this store */
    nth_store_rlx(&t->barrier.arrivals, 0);
    if (nth_load_rlx(&t->tasked) && nth_tasks_left(t, 0))
      finish_tasks(m, e);
    else
      publish(t, &t->barrier.released, e << 1); /* R */
  } else {
    await(m, &t->barrier.released, e);
  }
}

/* Apart, so that a barrier of one saves no registers. */
static __attribute__((noinline)) void barrier_of_many(struct nth_member *m) {
  nth_assert(nth_team_has(m->now.team, m));
  uint32_t e = ++m->now.slot->epoch;
  uint8_t kind = m->now.team->barrier_shape.kind;
  if (nth_likely(kind == NTH_BARRIER_FLAT))
    barrier_flat(m, e);
  else if (kind == NTH_BARRIER_TREE)
    barrier_tree(m, e);
  else
    barrier_crowded(m, e);
  struct nth_slot *mine = m->now.slot;
  nth_assert(mine->epoch == e); /* no task that it ran in here has met a barrier */
  mine->tasks.seen = nth_load_rlx(&mine->tasks.made);
  /* A task that it stole while the barrier was open, but not yet seen to be open, and then kept. */
  if (nth_unlikely(nth_load_rlx(&m->now.team->tasked)) && nth_deque_any(&mine->queue.deque))
    nth_task_put_aside(m);
}

void nth_barrier(struct nth_member *m) {
  if (m->now.team_size > 1) {
    barrier_of_many(m);
    return;
  }
  nth_assert(m->now.thread_num == 0);
  m->now.slot->epoch++; /* cancel.h: makes a mark void */
  if (nth_unlikely(m->now.team ? nth_load_rlx(&m->now.team->tasked)
                               : nth_tasks_left(0, m->now.slot))) {
    nth_task_wait_all(m); /* tasks with detach, and those that depend on them */
    nth_depend_clear(m->now.task);
  }
}

void nth_barrier_ahead(const struct nth_member *m) {
  uint32_t n = m->now.team_size;
  if (n > 1 && m->now.team->barrier_shape.kind == NTH_BARRIER_FLAT)
    for (uint32_t i = 0; i < n; i++)
      if (i != m->now.thread_num)
        __builtin_prefetch(&m->now.team->slot[i]->barrier);
}
