/* permit.c - how many OS threads of the runtime run at a time, where fewer processors are asked for
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/sched/adapt/permit.h"

#include "runtime/arch/section.h"
#include "runtime/base/clock.h"
#include "runtime/base/sleep.h"
#include "runtime/place/places/allowed.h"
#include "runtime/sched/adapt/apart.h"
#include "runtime/sched/adapt/crowd.h"
#include "runtime/sched/adapt/follow.h"
#include "runtime/sched/adapt/request.h"
#include "runtime/struct/mutex.h"

struct nth_permits nth_permits = {.epoch = 1};
struct nth_permit_hooks nth_permit_hooks;

static struct nth_mutex lock; /* limit, off, and what the file says of threads */

/* --- counts --- */

static uint64_t unit_of(const struct nth_permit *p) { return p->root ? 1ull << 32 : 1; }

/* The permits that are out. */
static uint32_t count(uint64_t held) { return (uint32_t)held + (held >> 32 != 0); }

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* OS threads that run or may run, of n. */
static uint32_t running(uint32_t n) {
  uint32_t limit = nth_load_rlx(&nth_permits.limit);
  uint32_t out = count(nth_load_acq(&nth_permits.held)); /* H */
  if (limit == 0 || limit > n)
    return n;
  return out < limit ? limit : least(out, n);
}

/* Tells requesters. Whoever has the lock last has seen all changes that came before. Under lock. */
static void publish(void) {
  struct nth_request *r = nth_request_now;
  nth_assert(nth_mutex_is_held(&lock));
  if (nth_permits.off)
    return; /* these words are the processors' */
  uint32_t n = nth_load_rlx(&nth_crowd.active);
  nth_store_rlx(&r->processors, n);
  nth_store_rel(&r->running, running(n)); /* request:A */
}

static void tell(void) {
  nth_mutex_lock(&lock);
  publish();
  nth_mutex_unlock(&lock);
}

/* Whether requesters want to know of a change to or from so many permits. */
static bool matters(uint64_t held) {
  uint32_t limit = nth_load_rlx(&nth_permits.limit);
  return nth_unlikely(limit != 0) && count(held) > limit;
}

static void wake(int n) {
  nth_fence_full(); /* W: the permit that was given up, or the new limit, before this look */
  if (nth_load_rlx(&nth_permits.resting) == 0)
    return;
  nth_add_rel(&nth_permits.word, 1); /* W */
  nth_futex_wake(&nth_permits.word, n);
}

/* --- permits --- */

static bool has(const struct nth_permit *p) { return p->held == nth_permits.epoch; }

/* p has a permit, whatever the limit. */
static void take(struct nth_permit *p) {
  if (has(p))
    return;
  p->held = nth_permits.epoch;
  uint64_t unit = unit_of(p), now = nth_add_rlx(&nth_permits.held, unit) + unit;
  if (matters(now))
    tell();
  if (nth_load_rlx(&nth_follow.runs))
    nth_follow_arm();
}

static void give(struct nth_permit *p) {
  if (!has(p))
    return;
  p->held = 0;
  uint64_t before = nth_sub_rel(&nth_permits.held, unit_of(p));    /* H */
  nth_assert(p->root ? before >> 32 != 0 : (uint32_t)before != 0); /* I1 */
  if (matters(before))
    tell();
  wake(1);
}

/* Takes a permit if one is left. */
bool nth_permit_free(struct nth_permit *p) {
  uint64_t held = nth_load_rlx(&nth_permits.held), unit = unit_of(p);
  if (has(p))
    return true;
  do {
    uint32_t limit = nth_load_rlx(&nth_permits.limit);
    if (limit != 0 && count(held + unit) > limit && count(held + unit) != count(held))
      return false;
  } while (!nth_cas_rlx(&nth_permits.held, &held, held + unit));
  p->held = nth_permits.epoch;
  nth_permits_seen();
  return true;
}

/* Gives p's permit up if more are out than the limit. */
static bool give_surplus(struct nth_permit *p, uint32_t limit) {
  uint64_t held = nth_load_rlx(&nth_permits.held), unit = unit_of(p);
  nth_assert(has(p));
  do {
    if (count(held) <= limit || count(held - unit) == count(held)) /* another root runs on */
      return false;
  } while (!nth_cas_rel(&nth_permits.held, &held, held - unit)); /* H */
  p->held = 0;
  return true;
}

/* Whether p, which rests, is to stand in: nobody has come by for a while, and nobody has begun to
 * stand in meanwhile. */
static bool stands_in(struct nth_permit *p, uint32_t seen, uint64_t now) {
  uint64_t last = nth_load_rlx(&nth_permits.stood_at);
  if (nth_load_rlx(&nth_permits.passed) != seen || now - last < NTH_AWAY_LOOK_NS ||
      !nth_cas_rlx(&nth_permits.stood_at, &last, now))
    return false;
  p->stands = true;
  p->seen = seen;
  return true;
}

static void rest(struct nth_permit *p) {
  uint64_t look_at = nth_clock_ns() + NTH_AWAY_LOOK_NS;
  uint32_t seen = nth_load_rlx(&nth_permits.passed);
  nth_assert(!has(p) && !p->stands);
  nth_add_acqrel(&nth_permits.resting, 1); /* W */
  for (;;) {
    nth_fence_full();                                  /* W */
    uint32_t ticket = nth_load_acq(&nth_permits.word); /* W */
    if (nth_permit_free(p))
      break;
    nth_futex_wait(&nth_permits.word, ticket, NTH_AWAY_LOOK_NS);
    uint64_t now = nth_clock_ns();
    if (now < look_at)
      continue;
    if (stands_in(p, seen, now)) {
      take(p);
      break;
    }
    look_at = now + NTH_AWAY_LOOK_NS;
    seen = nth_load_rlx(&nth_permits.passed);
  }
  nth_assert(has(p));
  nth_sub_rlx(&nth_permits.resting, 1);
}

/* Whether p, which stands in, runs on: nobody within the limit has come by since, and one more than
 * the limit still runs. */
static bool still_stands(const struct nth_permit *p, uint32_t limit) {
  return p->stands && nth_load_rlx(&nth_permits.passed) == p->seen &&
         count(nth_load_rlx(&nth_permits.held)) > limit;
}

/* After the allowance has grown the calling OS thread may part from others. */
static void part(struct nth_permit *p) {
  nth_apart_pass((uint32_t)((uintptr_t)p / NTH_LINE), !p->root, &p->moved_at);
}

bool nth_permit_gone(struct nth_permit *p) {
  uint32_t limit = nth_load_rlx(&nth_permits.limit);
  take(p);
  if (limit == NTH_PERMITS_APART)
    part(p);
  nth_permits_seen();
  if (still_stands(p, limit))
    return false;
  p->stands = false;
  bool gone = limit != 0 && give_surplus(p, limit);
  nth_add_rlx(&nth_permits.passed, 1);
  if (gone)
    tell();
  return gone;
}

void nth_permit_pass_slow(struct nth_permit *p) {
  if (nth_permit_gone(p))
    rest(p);
}

void nth_permits_seen(void) {
  if (nth_load_rlx(&nth_follow.runs) && nth_load_rlx(&nth_follow.armed) == 0)
    nth_follow_arm();
}

bool nth_permits_several(void) {
  return nth_permits_fewer() || count(nth_load_rlx(&nth_permits.held)) > 1;
}

bool nth_permits_tick(void) {
  uint32_t limit = nth_load_rlx(&nth_permits.limit);
  struct nth_permit *p =
      limit == NTH_PERMITS_APART && nth_permit_hooks.mine ? nth_permit_hooks.mine() : 0;
  if (p)
    part(p);
  return limit != 0 && (nth_load_rlx(&nth_permits.resting) != 0 ||
                        count(nth_load_rlx(&nth_permits.held)) > limit);
}

/* --- threads --- */

void nth_permit_start_slow(struct nth_permit *p, bool root) {
  p->root = root;
  take(p);
}

void nth_permit_end_slow(struct nth_permit *p) { give(p); }

void nth_permits_recount_slow(void) { tell(); }

void nth_permit_leave_slow(struct nth_permit *p) {
  p->stands = false;
  give(p);
  if (nth_permits_limited())
    nth_add_rlx(&nth_permits.passed, 1);
}

void nth_permit_back_slow(struct nth_permit *p) { take(p); }

bool nth_permit_sleep_slow(_Atomic(uint32_t) *word, uint32_t value, uint64_t timeout_ns) {
  struct nth_permit *p = nth_permits_count() && nth_permit_hooks.mine ? nth_permit_hooks.mine() : 0;
  if (p)
    nth_permit_leave_slow(p);
  bool over = nth_sleep_counted(word, value, timeout_ns);
  if (p)
    nth_permit_back_slow(p);
  return over;
}

/* --- requests --- */

/* The permits that the CPU allowance leaves; 0: as many as ever. Threads part only while there is
 * a looker, which ends that. */
static uint32_t allowance(void) {
  uint32_t all = nth_load_rlx(&nth_allowed.all);
  if (all > 1 && nth_load_rlx(&nth_follow.runs) && nth_allowed_grew(nth_clock_ns()))
    return NTH_PERMITS_APART;
  if (all >= nth_load_rlx(&nth_allowed.most))
    return 0;
  return nth_allowed_quota() || (nth_permit_hooks.carries && nth_permit_hooks.carries()) ? all : 0;
}

void nth_permits_changed(void) {
  if (!nth_permits_count())
    return;
  nth_mutex_lock(&lock);
  uint32_t asked = nth_permits.off ? 0 : nth_load_rlx(&nth_request_now->asked);
  uint32_t allowed = nth_permits.off ? 0 : allowance();
  uint32_t limit = asked == 0 || (allowed != 0 && allowed < asked) ? allowed : asked;
  nth_assert((limit == 0) == (asked == 0 && allowed == 0)); /* I3 */
  if (limit == 0 && nth_permits.met && !nth_permits.off)
    limit = NTH_PERMITS_APART; /* I5 */
  nth_store_rlx(&nth_permits.limit, limit);
  nth_allowed_ask(asked);
  publish();
  if (nth_permit_hooks.changed)
    nth_permit_hooks.changed(limit != 0);
  nth_mutex_unlock(&lock);
  wake(INT_MAX);
}

void nth_permits_meet(bool met) {
  nth_mutex_lock(&lock);
  bool same = nth_permits.met == met;
  nth_permits.met = met;
  nth_mutex_unlock(&lock);
  if (!same)
    nth_permits_changed();
}

void nth_permits_begin(void) {
  nth_sleep_fn *none = 0;
  if (nth_permits_count())
    return;
  /* if carry.c's hook is there already, that one calls this one */
  (void)nth_cas_rel(&nth_sleep_hook, &none, nth_permit_sleep_slow); /* sleep:H */
  nth_store_rlx(&nth_permits.on, true);
}

void nth_permits_suspend(bool off) {
  nth_mutex_lock(&lock);
  nth_assert(nth_permits.off != off);
  nth_permits.off = off;
  nth_mutex_unlock(&lock);
  nth_permits_changed();
}

NTH_IN_CHILD void nth_permits_forked(void) {
  bool used = nth_permits_count();
  nth_mutex_init(&lock);
  nth_permits.off = nth_permits.met = false;
  nth_permits.epoch++;
  nth_store_rlx(&nth_permits.on, false);
  nth_store_rlx(&nth_permits.limit, 0);
  nth_store_rlx(&nth_permits.held, 0);
  nth_store_rlx(&nth_permits.resting, 0);
  if (!used)
    return; /* nobody has asked for fewer, nor told the hook */
  nth_allowed_ask(0);
  if (nth_permit_hooks.changed)
    nth_permit_hooks.changed(false);
}
