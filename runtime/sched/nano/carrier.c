/* carrier.c - a carrier's queue of identities, its sleep and its alarm
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/sched/nano/carrier.h"

#include "runtime/base/clock.h"
#include "runtime/base/count.h"
#include "runtime/base/sleep.h"
#include "runtime/sched/nano/carry.h"
#include "runtime/sched/nano/watchdog.h"
#include "runtime/watch/valgrind.h"

_Atomic(uint32_t) nth_carrier_special;

/* --- the queue --- */

/* Links x to the end, except x->next and the count. Under lock. */
static inline void link_one(struct nth_carrier *c, struct nth_identity *x) {
  nth_assert(nth_carrier_held(c) && !c->over);
  nth_assert(x != &c->base && !x->queue); /* the OS thread at rest is never queued; I1 */
  x->queue = c;
  x->previous = c->last;
  if (c->last)
    c->last->next = x;
  else
    c->first = x;
  c->last = x;
}

bool nth_carrier_put_all(struct nth_carrier *c, struct nth_identity *first) {
  nth_assert(first);
  nth_mutex_lock_soon(&c->lock);
  bool good = !c->over;
  uint32_t n = 0;
  for (struct nth_identity *x = good ? first : 0, *next; x; x = next, n++) {
    next = x->next;
    link_one(c, x);
  }
  nth_store_rlx(&c->queued, nth_load_rlx(&c->queued) + n);
  nth_assert_valid(nth_carrier_valid(c));
  nth_mutex_unlock(&c->lock);
  return good;
}

bool nth_carrier_put(struct nth_carrier *c, struct nth_identity *x) {
  x->next = 0;
  return nth_carrier_put_all(c, x);
}

/* Takes x out of c's queue. Under lock. */
static void unlink_one(struct nth_carrier *c, struct nth_identity *x) {
  nth_assert(nth_carrier_held(c) && x->queue == c);
  nth_assert(nth_load_rlx(&c->queued) > 0);
  x->queue = 0;
  if (x->previous)
    x->previous->next = x->next;
  else
    c->first = x->next;
  if (x->next)
    x->next->previous = x->previous;
  else
    c->last = x->previous;
  nth_store_rlx(&c->queued, nth_load_rlx(&c->queued) - 1);
}

/* What a search looks for: an identity that can go on; one that polls; one that can go on at the
 * thief's place. */
enum who { ABLE, POLLER, GUEST };

/* Whether a thief at that place may have x, of c's queue. While the family's members wait apart, a
 * thief leaves x to its own OS thread if x is back in the queue of that thread: x may soon wait
 * outside the runtime, and then the thief's own identity would have no OS thread. */
static inline bool may_go(const struct nth_carrier *c, const struct nth_identity *x,
                          uint32_t place) {
  return !nth_load_rlx(&x->pinned) && x->place == place &&
         !(x->own == c && nth_watch_apart(c->family) && !nth_carrier_away(c));
}

/* Takes out the first such identity of the queue; NULL: none. Under lock. */
static inline struct nth_identity *take_out(struct nth_carrier *c, enum who who, uint64_t now,
                                            uint32_t place) {
  struct nth_identity *x = c->first;
  for (; x; x = x->next)
    if (who == POLLER ? x->also != 0
                      : (who == ABLE || may_go(c, x, place)) && nth_identity_can(x, now))
      break;
  if (x)
    unlink_one(c, x);
  nth_assert_valid(nth_carrier_valid(c));
  return x;
}

struct nth_identity *nth_carrier_take(struct nth_carrier *c, uint64_t now,
                                      struct nth_identity *me) {
  nth_assert(!me || (nth_load_rlx(&me->carrier) == c && !me->queue)); /* it runs there */
  if (nth_load_rlx(&c->queued) == 0)
    return 0;
  nth_mutex_lock_soon(&c->lock);
  struct nth_identity *x = take_out(c, ABLE, now, 0);
  if (x && me) {
    nth_assert(!c->over); /* it is the caller's OS thread */
    me->next = 0;
    link_one(c, me);
    nth_store_rlx(&c->queued, nth_load_rlx(&c->queued) + 1);
    return x;
  }
  nth_mutex_unlock(&c->lock);
  return x;
}

struct nth_identity *nth_carrier_take_poller(struct nth_carrier *c) {
  if (nth_load_rlx(&c->queued) == 0)
    return 0;
  nth_mutex_lock_soon(&c->lock);
  struct nth_identity *x = take_out(c, POLLER, 0, 0);
  nth_mutex_unlock(&c->lock);
  nth_assert(!x || x->also);
  return x;
}

bool nth_carrier_remove(struct nth_carrier *c, struct nth_identity *x) {
  nth_mutex_lock_soon(&c->lock);
  bool there = x->queue == c;
  if (there)
    unlink_one(c, x);
  nth_assert_valid(nth_carrier_valid(c));
  nth_mutex_unlock(&c->lock);
  return there;
}

static struct nth_identity *steal_from(struct nth_carrier *c, uint64_t now, uint32_t place) {
  if (!nth_mutex_try(&c->lock))
    return 0;
  struct nth_identity *x = take_out(c, GUEST, now, place);
  nth_mutex_unlock(&c->lock);
  nth_assert(!x || x->place == place); /* I4 of the thief */
  return x;
}

/* Steals from carriers in c's domain (near), or from the others. *others: set if carriers with
 * queued identities were passed over. */
static struct nth_identity *steal_in(struct nth_carrier *c, uint64_t now, bool any, bool near,
                                     bool *others) {
  struct nth_family *f = c->family;
  uint32_t size = nth_load_rlx(&f->size);
  for (uint32_t i = 0; i < size; i++) {
    struct nth_carrier *from = nth_load_acq(&f->carrier[i]); /* F */
    if (!from || from == c || nth_load_rlx(&from->queued) == 0)
      continue;
    if ((nth_load_rlx(&from->domain) == nth_load_rlx(&c->domain)) != near) {
      *others = true;
      continue;
    }
    uint32_t switches = nth_load_rlx(&from->switches);
    if (!any && nth_load_rlx(&from->asleep) == 0 && switches != nth_load_rlx(&from->seen)) {
      nth_store_rlx(&from->seen, switches);
      continue;
    }
    struct nth_identity *x = steal_from(from, now, nth_load_rlx(&c->place));
    if (x)
      return x;
  }
  return 0;
}

struct nth_identity *nth_carrier_steal(struct nth_carrier *c, uint64_t now, bool any) {
  nth_assert(c->family);
  bool far = false;
  struct nth_identity *x = steal_in(c, now, any, true, &far);
  if (!x && nth_unlikely(far))
    x = steal_in(c, now, any, false, &far);
  if (x)
    nth_count(NTH_COUNT_TAKEN);
  return x;
}

struct nth_identity *nth_carrier_empty(struct nth_carrier *c, bool over) {
  nth_mutex_lock_soon(&c->lock);
  struct nth_identity *all = c->first;
  for (struct nth_identity *x = all; x; x = x->next)
    x->queue = 0;
  c->first = c->last = 0;
  nth_store_rlx(&c->queued, 0);
  c->over = c->over || over; /* who empties the queue of another may come when that one has ended */
  nth_mutex_unlock(&c->lock);
  return all;
}

void nth_carrier_open(struct nth_carrier *c) {
  nth_mutex_lock_soon(&c->lock);
  nth_assert(!c->first && nth_load_rlx(&c->queued) == 0);
  c->over = false;
  nth_mutex_unlock(&c->lock);
}

/* --- sleep and alarm --- */

void nth_carrier_alarm(struct nth_carrier *c) {
  nth_add_acqrel(&c->alarm, 1); /* A */
  nth_fence_full();             /* A */
  if (nth_load_rlx(&c->asleep) == 0)
    return;
  nth_count(NTH_COUNT_WAKES);
  nth_futex_wake(&c->alarm, 1);
  if (nth_unlikely(nth_sleep_by_news))
    nth_sleep_tell_news();
}

void nth_carrier_call_one(struct nth_carrier *c) {
  nth_assert(c->family);
  struct nth_family *f = c->family;
  uint32_t size = nth_load_rlx(&f->size);
  for (uint32_t i = 0; i < size; i++) {
    struct nth_carrier *other = nth_load_acq(&f->carrier[i]); /* F */
    if (other && other != c && nth_load_rlx(&other->asleep) != 0 && !nth_carrier_away(other) &&
        nth_load_rlx(&other->place) == nth_load_rlx(&c->place)) {
      nth_carrier_alarm(other);
      return;
    }
  }
}

/* What c sleeps for. */
struct wish {
  struct nth_futex_one v[NTH_FUTEX_ANY_MOST];
  uint32_t n;
  uint64_t until; /* 0: no limit */
};

static void earliest(struct wish *w, uint64_t until) {
  if (until != 0 && (w->until == 0 || until < w->until))
    w->until = until;
}

static void wish_for(struct wish *w, _Atomic(uint32_t) *word, uint32_t value, uint64_t until) {
  nth_assert(word && w->n <= NTH_FUTEX_ANY_MOST);
  earliest(w, until);
  if (w->n < NTH_FUTEX_ANY_MOST)
    w->v[w->n++] = (struct nth_futex_one){value, (uintptr_t)word, NTH_FUTEX_ANY_FLAGS, 0};
  else if (!nth_sleep_by_news) /* more words than the kernel takes: c looks at these now and then */
    earliest(w, nth_clock_ns() + NTH_UNSURE_NS);
}

/* Adds what the queue waits for. False: an identity can go on already, or has to announce
 * itself. */
static bool wish_for_queue(struct wish *w, struct nth_carrier *c) {
  nth_mutex_lock_soon(&c->lock);
  uint64_t now = c->first ? nth_clock_ns() : 0;
  struct nth_identity *x = c->first;
  for (; x && !x->also && !nth_identity_can(x, now); x = x->next)
    wish_for(w, x->word, x->value, x->until);
  nth_mutex_unlock(&c->lock);
  return !x;
}

/* A filter that the program has made since then refuses the call. */
static bool is_refused(long result) {
  return result < 0 && result != -EAGAIN && result != -EINTR && result != -ETIMEDOUT &&
         result != -EFAULT;
}

/* news: the value of nth_sleep_news before the looks at the words. alarm: the first of them. */
static void sleep_for_wishes(struct wish *w, _Atomic(uint32_t) *alarm, uint32_t news) {
  nth_count(NTH_COUNT_SLEEPS);
  if (nth_likely(!nth_sleep_by_news)) {
    if (nth_unlikely(is_refused(nth_futex_wait_any(w->v, w->n, w->until))))
      nth_futex_wait(alarm, (uint32_t)w->v[0].value, NTH_UNSURE_NS);
    return;
  }
  uint64_t now = w->until ? nth_clock_ns() : 0;
  if (w->until == 0 || w->until > now)
    nth_futex_wait(&nth_sleep_news, news, w->until - now);
}

void nth_carrier_begin(void) {
  nth_sleep_by_news = nth_valgrind() || /* it says a lot about a system call that it does not
                                         * know */
                      !nth_futex_has_any();
}

/* A wake-up for one sleeper of a word may have come to c in vain, for an identity that has left the
 * queue during the sleep. So the next sleeper of each such word gets one. From `from` on the wishes
 * are in the queue's order; identities that came later are at its end. A word may be gone by now,
 * so nothing reads it. */
static void pass_on(struct wish *w, uint32_t from, struct nth_carrier *c) {
  nth_assert(from > 0 && from <= w->n); /* the alarm comes first */
  uint32_t left = 0;
  nth_mutex_lock_soon(&c->lock);
  const struct nth_identity *x = c->first;
  for (uint32_t i = from; i < w->n; i++) {
    if (x && w->v[i].word == (uintptr_t)x->word)
      x = x->next;
    else
      w->v[left++] = w->v[i];
  }
  nth_mutex_unlock(&c->lock);
  for (uint32_t i = 0; i < left; i++)
    nth_futex_wake((_Atomic(uint32_t) *)w->v[i].word, 1);
}

/* Whether c is needed: an identity of another carrier's queue can go on. Then it is in c's
 * queue. */
static bool others_can(struct nth_carrier *c) {
  struct nth_identity *x = nth_carrier_serves(c) ? nth_carrier_steal(c, nth_clock_ns(), true) : 0;
  if (!x)
    return false;
  nth_assert(!c->over); /* it is the caller's OS thread */
  nth_carrier_put(c, x);
  return true;
}

void nth_carrier_doze(struct nth_carrier *c, struct nth_identity *me, uint64_t until) {
  nth_assert(c->family && nth_load_rlx(&c->asleep) == 0);
  nth_assert(!me || (nth_load_rlx(&me->carrier) == c && !me->queue));
  struct wish w;
  bool serves = nth_carrier_serves(c);
  w.n = 0;
  w.until = until;
  uint32_t alarm = nth_load_acq(&c->alarm);      /* A */
  uint32_t news = nth_load_acq(&nth_sleep_news); /* sleep:N */
  nth_store_rlx(&c->asleep, 1);
  nth_store_rlx(&c->dozes, nth_load_rlx(&c->dozes) + 1);
  if (serves)
    nth_add_rlx(&c->family->asleep, 1);
  nth_add_acqrel(&nth_sleepers, 1); /* sleep:S */
  nth_fence_full();                 /* A, sleep:S */
  wish_for(&w, &c->alarm, alarm, 0);
  if (me && me->word)
    wish_for(&w, me->word, me->value, me->until);
  uint32_t own = w.n;
  bool can = me && me->word && nth_identity_can(me, 0); /* in a sleep by news the kernel does not
                                                         * look at this word */
  bool back = nth_permits_count() && !me && nth_load_rlx(&c->away) && nth_permit_free(&c->permit);
  if (back) /* it may have got its permit back before it could be called */
    nth_store_rlx(&c->away, false);
  else if (wish_for_queue(&w, c) && !can && nth_load_rlx(&c->alarm) == alarm && !others_can(c)) {
    nth_permit_leave(&c->permit);
    sleep_for_wishes(&w, &c->alarm, news);
    if (nth_permits_count())
      nth_carry_awake(c);
    pass_on(&w, own, c);
  }
  nth_sub_rlx(&nth_sleepers, 1);
  if (serves)
    nth_sub_rlx(&c->family->asleep, 1);
  nth_store_rlx(&c->asleep, 0);
}
