/* carry.c - waits of nano-thread members: each leaves its OS thread to another member
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/sched/nano/carry.h"

#include <signal.h>
#include <stddef.h>

#include "runtime/base/clock.h"
#include "runtime/base/sleep.h"
#include "runtime/place/cpus/cpuset.h"
#include "runtime/sched/adapt/crowd.h"
#include "runtime/sched/nano/carry_inside.h"
#include "runtime/sched/nano/overflow.h"
#include "runtime/sched/nano/watchdog.h"

/* --- the switch --- */

void nth_carry_arrived(struct nth_carrier *c) {
  struct nth_identity *left = c->left;
  nth_assert(left != nth_load_rlx(&c->current));
  c->left = 0;
  if (c->after)
    c->after(left);
  nth_overflow_look(c);
  if (nth_unlikely(c->masked) && nth_load_rlx(&c->current)) {
    c->masked = false;
    nth_syscall(SYS_rt_sigprocmask, SIG_SETMASK, (long)&c->mask, 0, sizeof c->mask, 0);
  }
}

/* nth_carry_go(), inline in the waits so that these have few frames: after a switch the CPU
 * predicts each return wrong, since its call was made on another stack. */
static inline void go(struct nth_identity *me, struct nth_identity *next,
                      void (*after)(struct nth_identity *)) {
  struct nth_carrier *c = nth_load_rlx(&me->carrier);
  nth_assert(nth_load_rlx(&c->current) == (me == &c->base ? 0 : me) && !c->left); /* I2 */
  nth_assert(next != me && !next->queue && !nth_identity_runs(next));             /* I1 */
  nth_store_rlx(&next->carrier, c);
  nth_store_rlx(&c->current, next == &c->base ? 0 : next);
  nth_store_rlx(&c->switches, nth_load_rlx(&c->switches) + 1);
  c->left = me;
  c->after = after;
  nth_switch(&me->sp, next->sp, next->pointer);
  nth_carry_arrived(nth_load_rlx(&me->carrier));
}
void nth_carry_go(struct nth_identity *me, struct nth_identity *next,
                  void (*after)(struct nth_identity *)) {
  go(me, next, after);
}

/* --- into a queue --- */

/* Puts x into c's queue, or, if c has ended, into that of its own carrier. */
static void put(struct nth_carrier *c, struct nth_identity *x) {
  if (!nth_carrier_put(c, x)) {
    c = x->own;
    (void)nth_carrier_put(c, x);
  }
  if (nth_load_rlx(&c->asleep) != 0)
    nth_carrier_alarm(c);
  nth_watch_arm();
}

static struct nth_carrier *any_carrier(struct nth_carrier *c) {
  struct nth_family *f = c->family;
  c->seed = c->seed * 1103515245u + 12345u;
  uint32_t size = nth_load_rlx(&f->size);
  struct nth_carrier *other =
      size ? nth_load_acq(&f->carrier[(c->seed >> 16) % size]) : 0; /* carrier:F */
  return other ? other : c;
}

/* The family's helper, in the root's place in the list; NULL: there is none. */
static inline struct nth_carrier *helper_of(const struct nth_family *f) {
  struct nth_carrier *first = nth_load_acq(&f->carrier[0]); /* carrier:F */
  return first && nth_load_rlx(&first->helps) ? first : 0;
}

/* The carrier that serves in place of a root that is alone: another regular one, so that a short
 * region needs no more OS threads than CPUs (a backlog calls the helper); NULL: none yet. */
static struct nth_carrier *stand_in(const struct nth_family *f) {
  struct nth_carrier *second =
      nth_load_rlx(&f->size) > 1 ? nth_load_acq(&f->carrier[1]) : 0; /* carrier:F */
  return second ? second : helper_of(f);
}

/* A carrier at x's place that serves: first choice is the one that ran x last. NULL: none. */
static struct nth_carrier *at_place(const struct nth_identity *x) {
  const struct nth_family *f = x->own->family;
  struct nth_carrier *c = nth_load_rlx(&x->carrier);
  for (uint32_t i = 0;; i++) {
    if (c && c->family == f && nth_carrier_serves(c) && nth_load_rlx(&c->place) == x->place)
      return c;
    if (i >= nth_load_rlx(&f->size))
      return 0;
    c = nth_load_acq(&f->carrier[i]); /* carrier:F */
  }
}

/* The carrier to whose queue x goes, which ran on c last: x's own, or one that serves. */
static struct nth_carrier *near_to(struct nth_carrier *c, const struct nth_identity *x) {
  nth_assert(!x->queue && x->own->family);
  if (nth_load_rlx(&x->pinned))
    return x->own;
  if (nth_carrier_is(NTH_MOVES))
    c = any_carrier(c);
  else if (nth_watch_apart(c->family))
    return x->own;
  if (nth_carrier_serves(c) && (c->family == x->own->family || nth_carrier_is(NTH_MOVES)) &&
      nth_likely(nth_load_rlx(&c->place) == x->place))
    return c;
  const struct nth_family *f = x->own->family;
  struct nth_carrier *to =
      nth_carrier_is(NTH_ROOTS_ALONE) ? stand_in(f) : nth_load_acq(&f->carrier[0]); /* carrier:F */
  if (nth_unlikely(to && nth_load_rlx(&to->place) != x->place))
    to = at_place(x);
  return to ? to : x->own;
}

void nth_carry_ready(struct nth_identity *x) { put(near_to(nth_load_rlx(&x->carrier), x), x); }

/* As `after`: nth_carrier_take() has put x already, and holds the queue's lock. */
static void put_already(struct nth_identity *x) {
  nth_assert(x->queue && nth_carrier_held(x->queue));
  nth_mutex_unlock(&x->queue->lock);
  nth_watch_arm();
}

void nth_carry_put_each(struct nth_carrier *c, struct nth_identity *first) {
  for (struct nth_identity *x = first, *next; x; x = next) {
    next = x->next;
    put(near_to(c, x), x);
  }
}

void nth_carry_ready_all(struct nth_carrier *c, struct nth_identity *first) {
  nth_assert(first && nth_load_rlx(&c->current)); /* the caller's carrier */
  struct nth_carrier *to = nth_likely(nth_carrier_serves(c)) ? c : stand_in(c->family);
  if (nth_unlikely(!to || nth_load_rlx(&to->place) != 0) || nth_carrier_is(NTH_MOVES) ||
      nth_watch_apart(c->family) || !nth_carrier_put_all(to, first)) {
    nth_carry_put_each(c, first);
    return;
  }
  if (nth_unlikely(to != c) && nth_load_rlx(&to->asleep) != 0)
    nth_carrier_alarm(to);
  nth_watch_arm();
}

void nth_carry_roused(struct nth_identity *x) {
  if (nth_load_rlx(&x->carrier) != x->own && nth_load_rlx(&x->own->regular) &&
      nth_load_rlx(&x->own->asleep) != 0 && !nth_carrier_away(x->own))
    nth_carrier_alarm(x->own);
  nth_watch_arm();
}

void nth_carry_pin(struct nth_identity *x, bool stay) {
  if (nth_likely(nth_load_rlx(&x->pinned) == stay))
    return;
  nth_store_rlx(&x->pinned, stay);
  struct nth_carrier *c = nth_load_rlx(&x->carrier);
  if (stay && c != x->own && nth_carrier_remove(c, x))
    nth_carry_send_home(x);
}

void nth_carry_send_home(struct nth_identity *x) {
  put(x->own, x);
  nth_carrier_alarm(x->own);
}

void nth_carry_stay_out(struct nth_identity *x) { (void)x; }

/* --- the next identity --- */

/* Whether roots' OS threads are alone, and this family has no helper. */
static inline bool lacks_helper(const struct nth_family *f) {
  return nth_carrier_is(NTH_ROOTS_ALONE) && !helper_of(f);
}

/* More is ready than c can run. If that lasts, wakes another carrier, or the own OS thread of a
 * ready identity, which becomes the helper. */
static void backlog(struct nth_carrier *c) {
  uint64_t now = nth_clock_ns();
  if (c->backlog_at == 0) {
    c->backlog_at = now;
  } else if (now - c->backlog_at > NTH_BACKLOG_NS) {
    struct nth_identity *x = lacks_helper(c->family) ? nth_carrier_take(c, 0, 0) : 0;
    c->backlog_at = now;
    if (x)
      nth_carry_send_home(x);
    else
      nth_carrier_call_one(c);
  }
}

/* Whether x, which c runs, goes back to c's queue: near_to() without special conditions. */
static inline bool stays(const struct nth_carrier *c, const struct nth_identity *x) {
  nth_assert(c->family == x->own->family);
  return nth_load_rlx(&x->pinned)
             ? x->own == c
             : nth_load_rlx(&c->regular) && nth_load_rlx(&c->place) == x->place;
}

static struct nth_identity *find_own_slow(struct nth_carrier *c) {
  struct nth_identity *x = nth_carrier_take(c, nth_clock_ns(), 0);
  if (x && nth_load_rlx(&c->queued) != 0 &&
      (nth_load_rlx(&c->family->asleep) != 0 || lacks_helper(c->family)))
    backlog(c);
  return x;
}

/* The next identity of c's own queue; NULL: none can go on. This step also puts `me` there, unless
 * me is NULL, a time is to be looked at, or a condition is special (nth_carrier_special). */
static inline struct nth_identity *find_own(struct nth_carrier *c, struct nth_identity *me) {
  nth_assert(!me || nth_load_rlx(&c->current) == me);
  bool calm = nth_load_rlx(&c->family->asleep) == 0 && !nth_load_rlx(&nth_carrier_special);
  struct nth_identity *x = nth_likely(calm && nth_load_rlx(&c->switches) % NTH_CLOCK_TURNS != 0)
                               ? nth_carrier_take(c, 0, me && stays(c, me) ? me : 0)
                               : find_own_slow(c);
  if (!x)
    c->backlog_at = 0;
  return x;
}

/* Sends the guests in the queue of a root's OS thread, which takes none, elsewhere. Returns the
 * root, if it was in the queue too: then the caller is a guest; else NULL. */
static struct nth_identity *clear_out(struct nth_carrier *c) {
  nth_assert(c->root && c->rest != &c->base);
  struct nth_identity *root = 0;
  if (nth_load_rlx(&c->queued) == 0)
    return 0;
  for (struct nth_identity *x = nth_carrier_empty(c, false), *next; x; x = next) {
    next = x->next;
    if (x == c->rest)
      root = x;
    else
      put(near_to(c, x), x);
  }
  return root;
}

bool nth_carry_wanted(const struct nth_carrier *c) {
  const struct nth_family *f = c->family;
  uint32_t size = nth_load_rlx(&f->size);
  for (uint32_t i = 0; i < size; i++) {
    struct nth_carrier *other = nth_load_acq(&f->carrier[i]); /* carrier:F */
    if (other && nth_load_rlx(&other->queued) != 0)
      return true;
  }
  return false;
}

void nth_carry_mask(struct nth_carrier *c) {
  static const uint64_t mask = NTH_CARRY_MASK;
  nth_assert(!c->masked); /* or c->mask would be lost */
  nth_syscall(SYS_rt_sigprocmask, SIG_SETMASK, (long)&mask, (long)&c->mask, sizeof mask, 0);
  c->masked = true;
}

/* An identity to go on with, without a look at other queues; me as in find_own(). */
static inline struct nth_identity *find_here(struct nth_carrier *c, struct nth_identity *me) {
  return nth_carrier_alone(c) ? clear_out(c) : find_own(c, me);
}

/* No identity is ready, and c has looked long enough. The OS thread sleeps in place, which saves
 * two calls for the mask of signals, or at rest. Returns when the caller goes on. A caller that has
 * to leave, and waits for no word, looks again soon: members with work for it take it for awake. */
static void rest(struct nth_identity *me, void (*after)(struct nth_identity *)) {
  nth_assert(nth_identity_runs(me) && !me->queue);
  struct nth_carrier *c = nth_load_rlx(&me->carrier);
  bool root = c->rest != &c->base;
  bool stays =
      me->own == c && (nth_load_rlx(&me->pinned) || (!me->docks && nth_watch_apart(c->family)));
  if (stays || (root && !nth_carrier_remove(c, c->rest))) {
    if (nth_carrier_alone(c) && me != c->rest && !c->masked)
      nth_carry_mask(c); /* until the root is back, its signals are not for this guest */
    nth_carrier_doze(c, me, me->word ? 0 : nth_clock_ns() + NTH_UNSURE_NS);
    c->tired = false;
    return;
  }
  if (!root)
    nth_carry_mask(c);
  nth_carry_go(me, c->rest, after);
}

/* --- waits --- */

/* One stretch of a wait: from a switch to the caller to the next switch away from it. */
struct hold {
  struct nth_carrier *c;
  struct nth_wait w;
  uint64_t now; /* the time at the last look at the clock; 0: none was needed */
};

/* Whether the family has a helper that is awake: then it has one OS thread more than CPUs. */
static bool is_one_more(const struct nth_family *f) {
  const struct nth_carrier *helper = helper_of(f);
  return helper && nth_load_rlx(&helper->asleep) == 0;
}

static inline void hold_begin(struct hold *h, const struct nth_identity *me) {
  nth_assert(nth_identity_runs(me) && !me->queue);
  h->c = nth_load_rlx(&me->carrier);
  h->now = me->until != 0 ? nth_clock_ns() : 0;
  nth_wait_begin_for_team(&h->w, &h->c->waiter, NTH_WAIT_JOIN,
                          nth_watch_polls(h->c->family) ||
                              (nth_carrier_is(NTH_ROOTS_ALONE) && is_one_more(h->c->family)));
}

static inline void hold_end(struct hold *h) {
  if (nth_unlikely(h->w.polls != 0))
    nth_wait_end(&h->w);
}

/* An identity to go on with instead of me (as in find_own()); NULL: none seen. While a carrier of
 * the family sleeps the first search already includes the others' queues. */
static inline struct nth_identity *find(struct hold *h, struct nth_identity *me) {
  struct nth_carrier *c = h->c;
  struct nth_identity *x = find_here(c, me);
  if (x || !nth_carrier_serves(c))
    return x;
  bool look = h->w.polls == 0 ? nth_load_rlx(&c->family->asleep) != 0
                              : h->w.polls % NTH_STEAL_POLLS == NTH_STEAL_POLLS - 1;
  if (!look)
    return 0;
  h->now = nth_clock_ns();
  return nth_carrier_steal(c, h->now, false);
}

/* Whether to look once more. A carrier does not spin for long if its member waits for work, and so
 * is idle, or if other roots' threads want the CPUs. */
static inline bool spin(struct hold *h, const struct nth_identity *me) {
  struct nth_carrier *c = h->c;
  if (nth_carrier_alone(c) && is_one_more(c->family))
    return false;
  bool polls = nth_load_rlx(&c->regular) || nth_load_rlx(&c->helps) || nth_watch_polls(c->family);
  if (!polls || c->tired || !nth_wait_poll(&h->w))
    return false;
  return h->w.start == 0 || h->w.last - h->w.start < NTH_DOCKED_SPIN_NS ||
         (!me->docks && !nth_crowded());
}

static inline void go_on_with(struct hold *h, struct nth_identity *me, struct nth_identity *next,
                              void (*after)(struct nth_identity *)) {
  hold_end(h);
  go(me, next, me->queue ? put_already : after);
  hold_begin(h, me);
}

/* The end of a wait with a time limit; 0: none. Waits with the same limit end at common moments, so
 * that the OS thread wakes once for all of them; a wait for work ends exactly when the work is
 * expected. */
static uint64_t end_of(uint64_t timeout_ns, bool exactly) {
  uint64_t step = exactly ? 1 : timeout_ns / 2 + 1;
  return timeout_ns == 0 ? 0 : (nth_clock_ns() + timeout_ns) / step * step + step;
}

bool nth_carry_wait(struct nth_identity *me, _Atomic(uint32_t) *word, uint32_t value,
                    uint64_t timeout_ns, void (*after)(struct nth_identity *)) {
  struct hold h;
  nth_assert(word);
  nth_carry_wait_for(me, word, value, end_of(timeout_ns, me->docks), 0);
  after = after ? after : nth_carry_ready;
  hold_begin(&h, me);
  while (!nth_identity_can(me, h.now)) {
    if (nth_permits_limited() && nth_carry_go_away(h.c, me, after)) {
      hold_begin(&h, me);
      continue;
    }
    struct nth_identity *next = find(&h, after == nth_carry_ready ? me : 0);
    if (next) {
      h.c->tired = false;
      go_on_with(&h, me, next, after);
    } else if (!spin(&h, me)) {
      h.c->tired = true;
      if (!nth_carrier_alone(h.c) && (next = nth_carrier_take_poller(h.c))) {
        go_on_with(&h, me, next, after);
      } else {
        hold_end(&h);
        rest(me, after);
        hold_begin(&h, me);
      }
    }
  }
  bool over = me->until != 0 && nth_load_rlx(word) == value;
  h.c->tired = over; /* the caller looks and sleeps again, without spinning in between */
  hold_end(&h);
  return over;
}

bool nth_carry_await(struct nth_identity *me, _Atomic(uint32_t) *word, uint32_t value,
                     _Atomic(bool) *also) {
  struct hold h;
  bool over;
  nth_assert(word && also);
  nth_carry_wait_for(me, word, value, 0, also);
  hold_begin(&h, me);
  while (!(over = nth_load_rlx(word) != value)) {
    if (nth_load_rlx(also)) /* looked at before the switch, or the waiters that it concerns would
                             * only switch to each other */
      break;
    if (nth_permits_limited() && nth_carry_go_away(h.c, me, nth_carry_ready)) {
      hold_begin(&h, me);
      continue;
    }
    struct nth_identity *next = find(&h, me);
    if (next) {
      h.c->tired = false;
      go_on_with(&h, me, next, nth_carry_ready);
    } else if (!spin(&h, me)) {
      h.c->tired = true;
      break;
    }
  }
  if (over)
    h.c->tired = false;
  hold_end(&h);
  return over;
}

/* Leaves the OS thread; me goes on where `after` puts it. */
static void leave(struct nth_identity *me, void (*after)(struct nth_identity *)) {
  struct nth_identity *next = find_here(nth_load_rlx(&me->carrier), 0);
  nth_carry_wait_for(me, 0, 0, 0, 0);
  if (next)
    nth_carry_go(me, next, after);
  else
    rest(me, after);
}

void nth_carry_try_home(struct nth_identity *me) { leave(me, nth_carry_send_home); }

int nth_carry_bind(struct nth_identity *me, uint32_t place, const uint64_t *cpus, uint32_t words) {
  nth_assert(nth_identity_runs(me));
  struct nth_carrier *own = me->own, *c;
  bool serves = nth_load_rlx(&own->regular) || nth_load_rlx(&own->helps);
  if (serves) {
    nth_store_rlx(&me->pinned, true);
    nth_carry_own(me);
  }
  int error = nth_cpus_bind(own->tid, cpus, words);
  me->place = error ? 0 : place;
  nth_store_rlx(&own->place, me->place);
  if (serves)
    nth_carry_put_each(own, nth_carrier_empty(own, false));
  for (int i = 0; i < NTH_HOME_TRIES && (c = nth_load_rlx(&me->carrier)) != own &&
                  nth_load_rlx(&c->place) != me->place;
       i++)
    leave(me, nth_carry_ready);
  return error;
}

bool nth_carry_yield(struct nth_identity *me) {
  nth_assert(nth_identity_runs(me) && !me->queue);
  struct nth_carrier *c = nth_load_rlx(&me->carrier);
  nth_carry_wait_for(me, 0, 0, 0, 0);
  struct nth_identity *next = find_here(c, me);
  if (!next && nth_carrier_serves(c))
    next = nth_carrier_steal(c, 0, nth_carrier_is(NTH_MOVES));
  if (next)
    nth_carry_go(me, next, me->queue ? put_already : nth_carry_ready);
  return next != 0;
}

void nth_carry_turn(struct nth_identity *me) {
  nth_assert(nth_identity_runs(me));
  struct nth_carrier *c = nth_load_rlx(&me->carrier);
  if (c != me->own && nth_load_rlx(&me->pinned)) {
    nth_carry_try_home(me);
    return;
  }
  if (nth_load_rlx(&c->queued) != 0 && nth_carry_yield(me))
    return;
  c = nth_load_rlx(&me->carrier);
  if (nth_carrier_serves(c) || c->rest != &c->base || near_to(c, me) == c)
    return;
  nth_carry_wait_for(me, 0, 0, 0, 0);
  nth_carry_mask(c);
  nth_carry_go(me, c->rest, nth_carry_ready);
}

/* --- sleeps --- */

static bool sleep_hook(_Atomic(uint32_t) *word, uint32_t value, uint64_t timeout_ns) {
  struct nth_identity *me = nth_identity_mine();
  if (me)
    return nth_carry_wait(me, word, value, timeout_ns, 0);
  return nth_permits_count() ? nth_permit_sleep_slow(word, value, timeout_ns)
                             : nth_sleep_counted(word, value, timeout_ns);
}

void nth_carry_begin(bool moves) {
  nth_switch_begin();
  nth_carrier_begin();
  nth_overflow_begin();
  if (moves)
    nth_or_rlx(&nth_carrier_special, NTH_MOVES);
  nth_store_rel(&nth_sleep_hook, sleep_hook); /* sleep:H */
}
