/* processor.c - a processor: a member that runs nano-threads, one after the other
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/nth/processor.h"

#include "runtime/base/check.h"
#include "runtime/base/clock.h"
#include "runtime/nth/machine.h"
#include "runtime/omp/member/member.h"
#include "runtime/omp/tasks/task.h"
#include "runtime/omp/tasks/task_finish.h"
#include "runtime/omp/types/generation.h"
#include "runtime/sched/adapt/crowd.h"
#include "runtime/sched/nano/carry.h"

static void loop(struct nth_processor *k);

/* --- stacks --- */

static void drop_spare(struct nth_processor *k) {
  if (nth_unlikely(k->spare != 0)) {
    nth_stack_give(k->pool, k->spare);
    k->spare = 0;
  }
}

/* Leaves the current stack; returns when it is the current one again. */
static void go(struct nth_processor *k, struct nth_stack *to) {
  struct nth_stack *from = k->stack;
  nth_assert(to && to != from && to != k->spare);
  k->stack = to;
  k->came_from = from;
  if (nth_unlikely(from == k->spare))
    nth_stack_end(from, to);
  else
    nth_stack_switch(from, to);
  drop_spare(k);
}

/* A stack's first function. */
static void begin(void *arg) {
  struct nth_processor *k = arg;
  nth_stack_arrived(k->came_from);
  drop_spare(k);
  loop(k);
}

/* The loop on the current stack is about to leave. It is needed again when a nano-thread blocks. */
static void lay_aside(struct nth_processor *k) {
  nth_assert(k->stack != &k->own && k->stack != k->idle && !k->spare);
  if (k->idle)
    k->spare = k->stack;
  else
    k->idle = k->stack;
}

static struct nth_stack *another(struct nth_processor *k) {
  struct nth_stack *s = k->idle;
  nth_assert(s);
  k->idle = 0;
  return s;
}

bool nth_processor_prepare(struct nth_processor *k) {
  if (!k->idle)
    k->idle = nth_stack_take(k->pool, begin, k, k->control);
  return k->idle != 0;
}

void nth_processor_end(struct nth_processor *k) {
  if (k->idle)
    nth_stack_give(k->pool, k->idle);
  k->idle = 0;
}

/* --- the end of a nano-thread --- */

void nth_processor_resolve(struct nth_processor *k, struct nth_node *node, uint32_t n) {
  struct nth_desc *d = (struct nth_desc *)node; /* a nano-thread begins with its node */
  nth_assert(nth_processor_is_mine(k) && n > 0);
  if (nth_unlikely(node->kind != NTH_KIND_THREAD)) {
    nth_task_event_counts(nth_task_of_event(node), n);
    return;
  }
  switch (nth_deps_sub(&node->deps, n)) {
  case NTH_DEPS_READY:
    nth_processor_count(&k->made, 1); /* D */
    nth_lrq_push(&k->lrq, d);
    nth_machine_wake(k);
    break;
  case NTH_DEPS_RESUME: {
    struct nth_processor *home = d->home;
    nth_assert(home == nth_machine.processor[home->number]);
    if (home == k) {
      nth_lrq_resume_own(&k->lrq, d);
      break;
    }
    nth_lrq_resume(&home->lrq, d);
    if (nth_park_any(&nth_machine.parking))
      (void)nth_processor_rouse(home);
    (void)nth_away_recall(home);
    break;
  }
  case NTH_DEPS_WAKE:
  case NTH_DEPS_NOTHING: break;
  }
}

void nth_processor_settle_slow(struct nth_processor *k) {
  struct nth_node *held = k->held;
  uint32_t n = k->held_count;
  nth_assert(held && n > 0 && nth_processor_is_mine(k));
  k->held = 0;
  k->held_count = 0;
  nth_processor_count(&k->done, n); /* D */
  nth_processor_resolve(k, held, n);
}

static inline void finish(struct nth_processor *k, struct nth_desc *d) {
  nth_assert(k->runner.current == d && nth_deps_state(&d->deps) == NTH_RUNS);
  if (nth_likely(d->nsucc == 1)) {
    struct nth_node *successor = nth_desc_successor(d, 0);
    nth_desc_give(k->pool, d);
    if (nth_unlikely(k->held != successor)) {
      nth_processor_settle(k);
      k->held = successor;
    }
    k->held_count++;
    return;
  }
  nth_processor_count(&k->done, 1); /* D */
  for (uint32_t i = 0; i < d->nsucc; i++)
    nth_processor_resolve(k, nth_desc_successor(d, i), 1);
  nth_desc_give(k->pool, d);
}

/* --- its start --- */

typedef long word;

/* Calls fn with as many arguments as it was created with. */
static inline void call(const struct nth_desc *d) {
  const uintptr_t *at = d->word + d->nsucc;
#define A(i) (word) at[i]
#define FN(...) ((void (*)(__VA_ARGS__))d->fn)
  switch (d->narg) {
  case 0: d->fn(); break;
  case 1: FN(word)(A(0)); break;
  case 2: FN(word, word)(A(0), A(1)); break;
  case 3: FN(word, word, word)(A(0), A(1), A(2)); break;
  case 4: FN(word, word, word, word)(A(0), A(1), A(2), A(3)); break;
  case 5: FN(word, word, word, word, word)(A(0), A(1), A(2), A(3), A(4)); break;
  case 6: FN(word, word, word, word, word, word)(A(0), A(1), A(2), A(3), A(4), A(5)); break;
  case 7:
    FN(word, word, word, word, word, word, word)(A(0), A(1), A(2), A(3), A(4), A(5), A(6));
    break;
  case NTH_DESC_ARGS:
    FN(word, word, word, word, word, word, word, word)(A(0), A(1), A(2), A(3), A(4), A(5), A(6),
                                                       A(7));
    break;
  default: nth_assert(false);
  }
#undef A
#undef FN
}

bool nth_processor_run(struct nth_processor *k, struct nth_desc *d) {
  nth_assert(nth_processor_is_mine(k) && d->kind == NTH_KIND_THREAD);
  nth_assert(nth_deps_is(&d->deps, NTH_READY));
  if (k->held && !(d->nsucc == 1 && nth_desc_successor(d, 0) == k->held))
    nth_processor_settle_slow(k);
  nth_deps_set(&d->deps, NTH_RUNS, 0);
  k->runner.current = d;
  if (nth_unlikely(nth_load_rlx(&nth_machine.measuring)))
    k->found = nth_cycles();
  call(d);
  if (nth_unlikely(k->generation != nth_fork_generation))
    return false;
  finish(k, d);
  return true;
}

/* --- the next one --- */

/* Returns the first of n that were taken together. The farther half goes to the lowest domain in
 * which a processor is idle, the others into the own queue. The caller looks for sleepers. */
static struct nth_desc *keep(struct nth_processor *k, struct nth_desc *d[], uint32_t n) {
  uint32_t near = (n + 1) / 2, level = nth_ready_lowest(&nth_machine.ready, &k->route);
  nth_assert(n > 0 && n <= NTH_LRQ_TAKE && level <= k->route.path);
  if (nth_likely(level == k->route.path) || n == near)
    return nth_lrq_keep(&k->lrq, d, n);
  struct nth_domain_queue *q = nth_machine_domain(k->route.node[level].begin);
  if (q->processors == 1) /* this one itself, in its wait */
    return nth_lrq_keep(&k->lrq, d, n);
  struct nth_batch far;
  nth_batch_begin(&far, d[near], d[n - 1]);
  for (uint32_t i = near; i < n; i++) {
    d[i]->next = i + 1 < n ? d[i + 1] : 0;
    nth_batch_add(&far, d[i]);
  }
  nth_add_rlx(&q->ready.put, n - near);
  nth_lrq_put(&q->lrq, &far, false);
  return nth_lrq_keep(&k->lrq, d, near);
}

static struct nth_desc *open_item(struct nth_processor *k, void *item) {
  struct nth_desc *member[NTH_LRQ_TAKE];
  return keep(k, member, nth_lrq_unpack(item, member));
}

static struct nth_desc *next_own(struct nth_processor *k) {
  void *item = nth_lrq_pop(&k->lrq);
  struct nth_desc *d, *taken[NTH_LRQ_TAKE];
  if (nth_likely(item && !nth_lrq_is_pack(item)))
    return item;
  if (item) {
    d = open_item(k, item);
  } else {
    uint32_t n = nth_lrq_take(&k->lrq, taken, NTH_LRQ_TAKE, 0);
    if (n == 0)
      return 0;
    d = nth_lrq_keep(&k->lrq, taken, n);
  }
  nth_machine_wake(k);
  return d;
}

/* Steals from another processor's deque. The oldest items come first, and they are the last of that
 * queue: so the last one stolen is to run first. The caller looks for sleepers. */
static struct nth_desc *steal_deque(struct nth_processor *k, struct nth_lrq *from) {
  void *stolen[NTH_STEAL_MOST];
  nth_assert(from != &k->lrq);
  uint32_t n = nth_deque_steal(&from->deque, stolen, NTH_STEAL_MOST);
  if (n == 0)
    return 0;
  for (uint32_t i = 0; i < n - 1; i++)
    nth_lrq_push(&k->lrq, stolen[i]);
  return open_item(k, stolen[n - 1]);
}

/* deep: also takes what its processor keeps to itself. */
static struct nth_desc *steal_from(struct nth_processor *k, struct nth_lrq *from, bool deep) {
  struct nth_desc *taken[NTH_LRQ_TAKE];
  uint32_t n = nth_lrq_take(from, taken, NTH_LRQ_TAKE, 1);
  if (n > 0)
    return keep(k, taken, n);
  struct nth_desc *d = steal_deque(k, from);
  if (!d && deep && nth_deque_force(&from->deque))
    d = steal_deque(k, from);
  return d;
}

/* Takes from the queues of the domains in these spans of the route, from each at most this
 * processor's share. */
static struct nth_desc *next_of_domains(struct nth_processor *k, uint32_t begin, uint32_t end) {
  struct nth_desc *taken[NTH_LRQ_TAKE];
  nth_assert(begin <= end && end <= k->route.nodes);
  NTH_ROUTE_EACH_NODE(&k->route, begin, end, node) {
    struct nth_domain_queue *q = nth_machine_domain(node);
    uint32_t n = nth_lrq_take(&q->lrq, taken, NTH_LRQ_TAKE, q->share);
    if (n > 0) {
      nth_add_rlx(&q->ready.taken, n);
      return nth_lrq_keep(&k->lrq, taken, n);
    }
  }
  return 0;
}

static struct nth_desc *next_on_path(struct nth_processor *k) {
  struct nth_desc *d = next_of_domains(k, 0, k->route.path);
  if (d)
    nth_machine_wake(k);
  return d;
}

static struct nth_desc *steal_outward(struct nth_processor *k, bool deep) {
  struct nth_desc *d;
  NTH_ROUTE_EACH_MEMBER(&k->route, i)
  if ((d = steal_from(k, &nth_machine.processor[i]->lrq, deep)))
    return d;
  return 0;
}

static struct nth_desc *next_of_others(struct nth_processor *k, bool deep) {
  struct nth_desc *d = steal_outward(k, deep);
  if (!d)
    d = next_of_domains(k, k->route.path, k->route.nodes);
  if (d)
    nth_machine_wake(k);
  return d;
}

/* --- nothing to do --- */

static bool stopped(void) { return nth_load_acq(&nth_machine.stop); } /* machine:S */

static bool anything(struct nth_processor *k) {
  return nth_lrq_may_resume(&k->lrq) || stopped() || nth_machine_queued() ||
         nth_away_due(k, k->number);
}

bool nth_processor_rouse_at(struct nth_processor *k, struct nth_parking *all, struct nth_park *p) {
  if (!nth_park_wake(all, p))
    return false;
  struct nth_identity *sleeper = nth_load_rlx(&k->sleeper);
  if (sleeper)
    nth_carry_roused(sleeper);
  return true;
}

bool nth_processor_rouse(struct nth_processor *k) {
  return nth_processor_rouse_at(k, &nth_machine.parking, &k->park);
}

bool nth_processor_enter(struct nth_processor *k, struct nth_parking *all, struct nth_park *p) {
  nth_store_rlx(&k->sleeper, k->member->identity);
  return nth_park_enter(all, p);
}

void nth_processor_sleep(struct nth_processor *k, struct nth_park *p, uint64_t timeout_ns) {
  struct nth_identity *me = nth_load_rlx(&k->sleeper);
  nth_assert(!k->held && nth_processor_is_mine(k)); /* no successor waits for a sleeper */
  if (me)
    nth_carry_dock(me, &p->word, NTH_PARK_ASLEEP, timeout_ns, 0);
  else
    nth_park_sleep(p, timeout_ns);
}

static void doze(struct nth_processor *k, struct nth_wait *w) {
  uint64_t limit = nth_wait_nap(w);
  if (!nth_processor_enter(k, &nth_machine.parking, &k->park))
    limit = NTH_UNSURE_NS;
  if (!anything(k))
    nth_processor_sleep(k, &k->park, limit);
  nth_park_leave(&nth_machine.parking, &k->park);
}

/* A look into all queues. patient: only into the own one and those of the domains around. */
static struct nth_desc *look(struct nth_processor *k, bool patient, bool deep) {
  struct nth_desc *d = next_own(k);
  if (d || (d = next_on_path(k)) || patient)
    return d;
  if ((d = next_of_others(k, deep)))
    nth_patience_stole(&k->patience, k->turn);
  return d;
}

/* Waits for a nano-thread to start. NULL: one can be resumed here, the processor has to go away, or
 * the machine stops. */
static struct nth_desc *await(struct nth_processor *k) {
  struct nth_wait w;
  struct nth_desc *d = 0;
  bool patient = nth_patience_polls(&k->patience) > 0, deep = false, idle = false;
  nth_processor_settle(k);
  nth_assert_valid(nth_lrq_valid(&k->lrq));
  nth_wait_begin(&w, k->waiter, k->number == 0 ? NTH_WAIT_TASK : NTH_WAIT_DOCK,
                 k->crowded || nth_crowded());
  while (!nth_lrq_may_resume(&k->lrq) && !stopped() && !nth_away_due(k, k->number)) {
    if ((d = look(k, patient, deep)))
      break;
    bool sleeps = !nth_wait_poll(&w), tired = sleeps && !patient;
    patient = !sleeps && w.polls < nth_patience_polls(&k->patience);
    deep = nth_task_look_deep(&w);
    if ((deep || tired) && !idle) {
      nth_ready_idle(&nth_machine.ready, &k->route, 1);
      idle = true;
    }
    if (tired) {
      doze(k, &w);
      deep = true;
    }
  }
  if (idle)
    nth_ready_idle(&nth_machine.ready, &k->route, UINT32_MAX);
  nth_wait_end(&w);
  return d;
}

/* --- the loop --- */

/* Goes on with a blocked nano-thread, which can be resumed. */
static void resume(struct nth_processor *k, struct nth_desc *d) {
  nth_assert(d->home == k && d->stack && nth_deps_is(&d->deps, NTH_READY));
  nth_processor_settle(k);
  go(k, d->stack);
}

void nth_processor_leave(struct nth_processor *k) {
  struct nth_desc *d = k->runner.current, *other = nth_lrq_resumed(&k->lrq);
  if (other == d)
    return;
  if (other)
    resume(k, other);
  else
    go(k, another(k));
}

/* Gives other members that are ready on this OS thread their turn: a processor that always finds
 * nano-threads would never leave it. The shorter the nano-threads are, the more of them run between
 * two readings of the clock. */
static void take_turn(struct nth_processor *k) {
  struct nth_identity *me = k->member->identity;
  uint64_t now = nth_clock_ns(), took = now - k->turned_at;
  nth_assert(nth_processor_is_mine(k) && k->turn == 0);
  nth_store_rlx(&k->away.came, nth_load_rlx(&k->away.came) + 1);
  if (took > 2 * NTH_TURN_NS)
    k->turns = 1 + k->turns / 2;
  else if (took < NTH_TURN_NS / 2 && k->turns < NTH_TURN_MOST)
    k->turns *= 2;
  if (me) {
    nth_processor_settle(k);
    nth_carry_turn(me);
    now = nth_clock_ns();
  }
  k->turn = k->turns;
  k->turned_at = now;
  nth_patience_forgets(&k->patience);
}

/* On a stack of its own. It never returns: it is left for other stacks, and when the machine
 * stops. */
static void loop(struct nth_processor *k) {
  for (;;) {
    if (nth_unlikely(--k->turn == 0))
      take_turn(k);
    struct nth_desc *d;
    if (nth_unlikely(nth_lrq_may_resume(&k->lrq))) {
      nth_patience_resumes(&k->patience, k->turn, nth_lrq_was_told(&k->lrq));
      lay_aside(k);
      resume(k, nth_lrq_resumed(&k->lrq));
    } else if (nth_away_due(k, k->number)) {
      nth_away(k);
    } else if ((d = next_own(k)) || (d = next_on_path(k)) || (d = await(k))) {
      if (nth_unlikely(!nth_processor_run(k, d)))
        break; /* what is left on this stack belongs to the parent process */
    } else if (stopped()) {
      lay_aside(k);
      break;
    }
  }
  go(k, &k->own);
}

void nth_processor_serve(struct nth_processor *k) {
  nth_assert(nth_processor_is_mine(k) && !k->held);
  k->stack = &k->own;
  go(k, another(k));
  nth_assert(k->stack == &k->own);
  drop_spare(k);
  nth_processor_end(k);
}
