/* carry_away.c - carriers beyond the number of processors that the program may use
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A regular carrier without a permit (permit.h) is away. Its OS thread is at rest, takes nothing
 * from other queues, and nothing is put into its own; all that was there goes to carriers that are
 * not away. The root's OS thread never goes. An identity that only this OS thread may run, and one
 * that the watchdog hands over, still comes into its queue: it comes back for that one, and goes
 * away at the next safe point. It looks for a permit when another number is asked for, and every
 * NTH_AWAY_LOOK_NS.
 */
#include "runtime/base/clock.h"
#include "runtime/sched/nano/carry_inside.h"
#include "runtime/sched/nano/watchdog.h"

/* Whether c's OS thread may go away: other carriers run what is queued here. */
static bool may_go(const struct nth_carrier *c) {
  return !c->root && nth_load_rlx(&c->place) == 0 && nth_load_rlx(&c->regular) &&
         !nth_carrier_is(NTH_ROOTS_ALONE | NTH_MOVES);
}

bool nth_carry_go_away(struct nth_carrier *c, struct nth_identity *me,
                       void (*after)(struct nth_identity *)) {
  nth_assert(nth_load_rlx(&c->current) == me);
  nth_permits_seen();
  if (nth_load_rlx(&me->pinned) || me->own->family != c->family || !may_go(c) ||
      !nth_permit_gone(&c->permit))
    return false;
  nth_store_rlx(&c->away, true);
  nth_fence_full(); /* watchdog:B: before c's look at the limit, in nth_carrier_doze() */
  nth_carry_put_each(c, nth_carrier_empty(c, false));
  nth_carry_mask(c);
  nth_carry_go(me, c->rest, after);
  return true;
}

bool nth_carry_may_leave(const struct nth_identity *me) {
  const struct nth_carrier *c = nth_load_rlx(&me->carrier);
  return c->rest == &c->base || nth_load_rlx(&c->rest->carrier) == c;
}

/* Whether me, which c runs, goes back to its own OS thread, which may run again and is idle. Nobody
 * steals from a carrier whose members are ready for a moment only, as between barriers. */
static bool goes_home(const struct nth_identity *me, const struct nth_carrier *c) {
  const struct nth_carrier *own = me->own;
  return own != c && own->family == c->family && nth_carry_may_leave(me) &&
         nth_load_rlx(&own->regular) && !nth_load_rlx(&own->away) && !nth_load_rlx(&own->current) &&
         !nth_carrier_is(NTH_ROOTS_ALONE | NTH_MOVES);
}

void nth_carry_pass(struct nth_identity *me) {
  struct nth_carrier *c = nth_load_rlx(&me->carrier);
  nth_assert(nth_identity_runs(me));
  if (nth_permits_apart() && goes_home(me, c)) {
    nth_carry_try_home(me);
    return;
  }
  nth_carry_wait_for(me, 0, 0, 0, 0);
  if (me->own == c && (nth_load_rlx(&me->pinned) || nth_load_rlx(&c->place) != 0 ||
                       !nth_load_rlx(&c->regular) || nth_watch_apart(c->family)))
    nth_permit_pass(&c->permit); /* it runs me alone, or nobody else may */
  else if (!nth_carry_go_away(c, me, nth_carry_ready))
    nth_carry_turn(me); /* c may be no regular carrier, to which the watchdog has moved me */
}

void nth_carry_awake(struct nth_carrier *c) {
  bool away = nth_load_rlx(&c->away) || (nth_permits_limited() && !nth_load_rlx(&c->current) &&
                                         may_go(c) && !nth_permit_free(&c->permit));
  nth_store_rlx(&c->away, away);
  if (!away)
    nth_permit_back(&c->permit);
}

void nth_carry_come_back(struct nth_carrier *c) {
  nth_assert(!nth_load_rlx(&c->current));
  if (nth_load_rlx(&c->away) && nth_permit_free(&c->permit))
    nth_store_rlx(&c->away, false);
}

void nth_carry_limit(bool limited) {
  if (limited)
    nth_or_rlx(&nth_carrier_special, NTH_LIMITED);
  else
    nth_and_rlx(&nth_carrier_special, ~(uint32_t)NTH_LIMITED);
  nth_watch_call_back();
}
