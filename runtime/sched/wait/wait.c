/* wait.c - decides how a member waits: it spins, yields or sleeps
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/sched/wait/wait.h"

#include "runtime/base/clock.h"
#include "runtime/base/count.h"
#include "runtime/base/os.h"
#include "runtime/place/places/allowed.h"
#include "runtime/sched/adapt/permit.h"
#include "runtime/sched/wait/summons.h"

struct nth_wait_config nth_wait_config;
struct nth_wait_hooks nth_wait_hooks;
_Atomic(uint32_t) nth_summons, nth_summons_answers;

void nth_wait_configure(int policy, bool spincount_given, uint64_t spincount) {
  struct nth_wait_config *c = &nth_wait_config;
  c->fixed = policy != NTH_POLICY_UNSET || spincount_given;
  c->fixed_ns = policy == NTH_POLICY_ACTIVE ? NTH_SPIN_ACTIVE_NS : 0;
  c->crowded_ns = policy == NTH_POLICY_ACTIVE ? NTH_YIELD_AFTER_NS : 0;
  if (spincount_given) {
    c->fixed_ns = spincount > NTH_SPIN_ACTIVE_NS / NTH_SPINCOUNT_NS ? NTH_SPIN_ACTIVE_NS
                                                                    : spincount * NTH_SPINCOUNT_NS;
    c->crowded_ns = c->fixed_ns < NTH_YIELD_AFTER_NS ? c->fixed_ns : NTH_YIELD_AFTER_NS;
  }
  c->passive = c->fixed && c->fixed_ns == 0;
  c->thrifty = c->passive && !spincount_given;
}

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* No yields for a while, which is longer each time in a row. */
static void stop_yields(struct nth_penalty *p, uint64_t now) {
  bool again = now < p->until + p->ns;
  p->ns = again ? least(p->ns * 2, NTH_NO_YIELD_CAP_NS) : NTH_NO_YIELD_NS;
  p->until = now + p->ns;
}

/* Whether the penalty is not over, or has not been over for long. */
static bool is_on_trial(const struct nth_penalty *p, uint64_t now) {
  return p->ns != 0 && now < p->until + NTH_TRIAL_NS;
}

/* No spinning for a while, which is longer each time in a row. It ends at a multiple of its length,
 * so that all waiters of all processes try again at one moment (the clock is the system's): a try
 * stalls all that wait for the thread that makes it. */
static void stop_spinning(struct nth_penalty *p, uint64_t now) {
  bool again = is_on_trial(p, now);
  p->ns = again ? least(p->ns * NTH_PENALTY_TIMES, NTH_PENALTY_CAP_NS) : NTH_PENALTY_NS;
  p->until = (now / p->ns + 2) * p->ns;
  nth_assert(p->until > now + p->ns && p->until - now <= 2 * p->ns);
}

/* The CPU time that the thread has lost to others of this system since it last looked, ns: the time
 * in which it neither had a CPU nor slept. If the program slept as well, it is not known how long:
 * then the gaps between polls. */
static uint64_t lost_to_others(const struct nth_waiter *t, const struct nth_os_usage *u,
                               uint64_t since) {
  if (u->taken <= t->used.taken)
    return 0; /* the gaps were the host's doing, which leaves no trace here */
  if (u->left - t->used.left > t->sleeps)
    return t->gaps_ns;
  uint64_t had = u->cpu_ns - t->used.cpu_ns + t->slept_ns;
  return had < since ? since - had : 0;
}

/* Whether the thread polls so much that sleeps in place of polls would be worth their costs. had:
 * the CPU time in which it polled so much, ns. */
static bool sleep_pays(const struct nth_waiter *t, uint64_t had) {
  return t->polled_ns > had / NTH_WASTED_PART || t->polled_ns > t->spins * NTH_SLEEP_COST_NS;
}

/* After a gap: whether another thread of this system has the CPU for a good part of the time. One
 * gap does not tell: a virtual machine's host takes CPUs away as well, and daemons have their
 * turns. A sleep would not help against these. */
static bool is_contended(struct nth_waiter *t, uint64_t now) {
  uint64_t since = now - t->looked_at;
  bool known = t->looked_at != 0;
  if (known && since < NTH_CONTENDED_NS && !is_on_trial(&t->spin, now))
    return false;
  struct nth_os_usage used = nth_os_usage();
  bool contended = known && lost_to_others(t, &used, since) > since / NTH_CONTENDED_PART &&
                   sleep_pays(t, used.cpu_ns - t->used.cpu_ns);
  t->looked_at = now;
  t->used = used;
  t->gaps_ns = t->slept_ns = t->polled_ns = 0;
  t->sleeps = 0;
  t->spins = 0;
  return contended;
}

/* The waiter that remembers what concerns the OS thread: where members change OS threads, the
 * carrier's. */
static struct nth_waiter *os_waiter(const struct nth_wait *w) {
  return nth_unlikely(w->waiter->serves) ? nth_wait_hooks.os_waiter(w->waiter) : w->waiter;
}

/* Between regions: a regular gap of this site is slept through, but for its end if the master works
 * in it (gaps.h). Else: nap through most of a longer gap if gaps are fairly regular; spin for as
 * long as the site's gaps tell. Where they do not tell yet: spin for twice a short gap, sleep at
 * once if the next region is far away. Without any experience: the cap. */
static uint64_t dock_budget(struct nth_wait *w, uint64_t now) {
  nth_assert(w->site == NTH_WAIT_DOCK && !w->crowded);
  const struct nth_waiter *t = w->waiter;
  uint64_t gap = t->recent_ns[NTH_WAIT_DOCK];
  if (gap == 0)
    return NTH_DOCK_CAP_NS;
  uint32_t from, until;
  enum nth_gaps_answer known =
      w->gap ? nth_gaps_expect(t->gaps, w->gap, &from, &until) : NTH_GAPS_IRREGULAR;
  if (known == NTH_GAPS_THROUGH)
    return 0;
  if (known == NTH_GAPS_NAP) {
    w->nap_until = now + from;
    w->window = now + until;
    return until;
  }
  bool far = gap >= NTH_DOCK_NAP_TO_NS;
  if (!far && gap >= NTH_DOCK_NAP_FROM_NS && t->spread_ns < gap / 8) {
    w->nap_until = now + gap - gap / 5;
    return gap + gap / 4;
  }
  uint64_t b = far ? 0 : gap * 2;
  if (w->gap)
    b = nth_gaps_spin(w->gap, b);
  if (b == 0)
    return 0;
  return b < NTH_DOCK_MIN_NS ? NTH_DOCK_MIN_NS : b > NTH_DOCK_CAP_NS ? NTH_DOCK_CAP_NS : b;
}

/* Policy passive: to poll for as long as a wake-up lasts costs less than that wake-up, unless it is
 * in vain. Such polls suffice where all members work for equal times. After less work they would
 * cost much beside it. */
static uint64_t thrifty_budget(struct nth_waiter *t, uint64_t now) {
  nth_assert(nth_wait_config.passive && t->vain <= NTH_VAIN_MOST && now >= t->over_at);
  if (now - t->over_at < NTH_THRIFTY_NS)
    return 0;
  if (t->skip > 0) {
    t->skip--;
    return 0;
  }
  return NTH_THRIFTY_NS;
}

static void thrifty_learn(const struct nth_wait *w, uint64_t now) {
  struct nth_waiter *t = w->waiter;
  t->over_at = now;
  if (w->budget == 0)
    return;
  t->vain = !w->slept ? 0 : t->vain < NTH_VAIN_MOST ? t->vain + 1 : NTH_VAIN_MOST;
  t->skip = (uint8_t)((1u << t->vain) - 1);
}

static uint64_t budget_of(struct nth_wait *w, uint64_t now) {
  struct nth_waiter *t = w->waiter;
  if (nth_wait_config.thrifty && !w->crowded)
    return thrifty_budget(t, now);
  if (nth_wait_config.fixed)
    return w->crowded ? nth_wait_config.crowded_ns : nth_wait_config.fixed_ns;
  if (w->crowded || now < os_waiter(w)->spin.until)
    return 0;
  if (w->site == NTH_WAIT_DOCK)
    return dock_budget(w, now);
  uint64_t b = (uint64_t)t->recent_ns[w->site] * 2;
  return b < NTH_SPIN_MIN_NS ? NTH_SPIN_MIN_NS : b > NTH_SPIN_CAP_NS ? NTH_SPIN_CAP_NS : b;
}

/* Another thread may have had the CPU during a gap of this length. */
static void after_gap(struct nth_wait *w, uint64_t now, uint64_t gap) {
  os_waiter(w)->gaps_ns += gap;
  if (nth_wait_config.fixed || !is_contended(os_waiter(w), now))
    return;
  stop_spinning(&os_waiter(w)->spin, now);
  w->budget = 0;
}

/* Offers the CPU; the time that passes tells whether another thread took it. */
static void offer(struct nth_wait *w, uint64_t now) {
  nth_count(NTH_COUNT_YIELDS);
  nth_os_yield();
  uint64_t after = nth_clock_ns();
  if (after - now > NTH_GAP_NS)
    after_gap(w, after, after - now);
  w->last = after;
  w->yield_at = after + NTH_YIELD_EVERY_NS;
}

/* Moves away from another waiter of the runtime on this CPU, or offers the CPU at once. */
static void keep_apart(struct nth_wait *w, uint64_t now) {
  uint32_t me = (uint32_t)((uintptr_t)w->waiter / NTH_LINE);
  switch (nth_apart_tick(&os_waiter(w)->apart, me, &w->cpu, w->waiter->newborn, now)) {
  case NTH_APART_ALONE: break;
  case NTH_APART_SHARES: w->yield_at = now; break;
  case NTH_APART_MOVED: w->waiter->newborn = false; break;
  }
}

static bool first_tick(struct nth_wait *w, uint64_t now) {
  nth_assert(w->start == 0 && (!w->slept || w->waiter->serves)); /* it may have slept as a guest */
  struct nth_waiter *t = os_waiter(w);
  if (t->looked_at < t->spin.until && now >= t->spin.until)
    (void)is_contended(t, now); /* begins a new account: what was lost during the penalty says
                                 * nothing of the next try */
  t->spins++;
  w->start = w->last = now;
  w->cpu = -1;
  t = w->waiter;
  nth_store_rlx(&t->waits, true);
  w->yields = 0;
  w->nap_until = w->window = w->came_at = 0;
  w->gap = w->site == NTH_WAIT_DOCK && w->after && t->gaps && !w->crowded && !nth_wait_config.fixed
               ? nth_gaps_site(t->gaps, *w->after)
               : 0;
  w->look_at = w->gap && !nth_gaps_are_short(w->gap) ? now + NTH_GAPS_LOOK_NS : 0;
  w->yield_at = now + (t->starter ? 0 : NTH_YIELD_AFTER_NS);
  t->starter = t->waker = false;
  w->budget = budget_of(w, now);
  return w->budget > 0 || w->crowded;
}

/* Adds the time since the last tick: of polls, or of a sleep that may have ended. Where members
 * change OS threads another OS thread slept. */
static void note_time(struct nth_wait *w, uint64_t ns) {
  if (!w->slept && ns <= NTH_GAP_NS)
    os_waiter(w)->polled_ns += ns;
  if (!w->slept || w->waiter->serves)
    return;
  w->waiter->slept_ns += ns;
  w->waiter->sleeps++;
}

static bool sleep_now(struct nth_wait *w) {
  nth_assert(w->polls > 0);
  w->polls--; /* the next poll comes here again */
  w->slept = true;
  if (nth_unlikely(w->waiter->serves) && !w->crowded && !nth_wait_config.passive)
    nth_wait_hooks.tire(w->waiter);
  return false;
}

/* From now on it spins. */
static void end_nap(struct nth_wait *w, uint64_t now) {
  nth_assert(w->site == NTH_WAIT_DOCK && now >= w->nap_until);
  if (w->window != 0) {
    bool good = nth_gaps_woke(w->gap, now - w->nap_until);
    uint64_t spin = good ? (w->window - w->start) / NTH_GAPS_SPIN : 0;
    w->window = least(w->window, now + spin);
    w->budget = w->window > w->start ? w->window - w->start : 0;
  }
  w->nap_until = 0;
  w->yield_at = now + NTH_YIELD_AFTER_NS;
}

/* Looks whether the master of a docked worker sleeps. Then a spin is in vain most likely, and the
 * wake-up costs little (gaps.h). */
static bool master_sleeps(struct nth_wait *w, uint64_t now) {
  nth_assert(w->site == NTH_WAIT_DOCK && w->gap && now > w->start);
  w->look_at = now + (now - w->start);
  if (!nth_gaps_look(w->waiter->gaps, w->start, now))
    return false;
  w->budget = 0;
  return true;
}

/* A crowded wait yields while its yields only go to other members with little to do. After a yield
 * that took long a sleep costs little in comparison. And if a stranger had the CPU in between,
 * yielding again and again leaves the CPU to it: the kernel takes a thread that yields for one that
 * does not want the CPU (new kernels charge it a whole slice), but prefers one that is woken. */
static bool yields(struct nth_wait *w, uint64_t now, uint64_t since) {
  struct nth_penalty *p = &w->waiter->yield;
  nth_assert(w->crowded && w->yields <= NTH_YIELDS_OVER && w->polls > 0);
  if (nth_wait_config.fixed || w->slept || w->yields == NTH_YIELDS_OVER || now < p->until)
    return false;
  if (since > NTH_SLOW_YIELD_NS) {
    stop_yields(p, now);
    return false;
  }
  w->yields++;
  nth_count(NTH_COUNT_YIELDS);
  nth_os_yield();
  w->polls--;
  return true;
}

/* Whether the gap that a docked guest begins is predicted. Then the guest has gone on on its own OS
 * thread, which is to be awake when the gap ends: the other one is the master's. */
static bool guest_naps(struct nth_wait *w) {
  if (w->site != NTH_WAIT_DOCK || w->start != 0 || nth_permits_fewer())
    return false; /* that OS thread may be beyond a request for fewer */
  (void)first_tick(w, nth_clock_ns());
  if (w->nap_until == 0)
    return false;
  nth_wait_hooks.try_home(w->waiter);
  return !nth_wait_hooks.is_guest(w->waiter);
}

/* Where others may be nano-threads a crowded wait is their turn (carry.h), and so is a guest's;
 * another one helps where it sees work. */
bool nth_wait_tick(struct nth_wait *w) {
  nth_assert(w->waiter && w->site < NTH_WAIT_SITES && w->polls % NTH_SPIN_POLLS == 0);
  if (nth_unlikely(w->waiter->serves)) {
    if (w->crowded || nth_wait_config.passive ||
        (nth_wait_hooks.is_guest(w->waiter) && !guest_naps(w))) {
      w->nap_until = w->last = w->came_at = 0;
      return sleep_now(w);
    }
    if (nth_wait_hooks.serve(w->waiter))
      return true;
  }
  uint64_t now = nth_clock_ns();
  nth_allowed_look(now, w->start == 0 ? NTH_ALLOWED_FIRST_NS : 0);
  if (w->start == 0 && !first_tick(w, now))
    return sleep_now(w);
  if ((nth_permits_limited() && nth_permits_tick()) ||
      (w->site == NTH_WAIT_DOCK && nth_summons_came()))
    return sleep_now(w);
  uint64_t since = now - w->last;
  if (since > NTH_GAP_NS && !w->slept && !w->crowded)
    after_gap(w, now, since);
  note_time(w, since);
  w->last = now;
  if (!w->crowded)
    keep_apart(w, now);
  if (nth_unlikely(w->nap_until != 0)) {
    if (now < w->nap_until)
      return sleep_now(w);
    end_nap(w, now);
  }
  if (w->crowded && yields(w, now, since))
    return true;
  if (now - w->start >= w->budget ||
      (w->look_at != 0 && now >= w->look_at && master_sleeps(w, now)))
    return sleep_now(w);
  if (now >= w->yield_at)
    offer(w, now);
  return true;
}

uint64_t nth_wait_nap(const struct nth_wait *w) {
  return w->nap_until > w->last ? w->nap_until - w->last : 0;
}

/* The gap ended when the worker was woken, or has just ended. */
static void learn_gap(const struct nth_wait *w, uint64_t now) {
  bool woken = w->came_at > w->start, opened = w->window != 0 && w->nap_until == 0;
  if (opened && !woken)
    nth_count(NTH_COUNT_FORESEEN);
  enum nth_gaps_end end = !opened ? NTH_GAPS_SLEPT : woken ? NTH_GAPS_VAIN : NTH_GAPS_HIT;
  nth_gaps_learn(w->waiter->gaps, w->gap, (woken ? w->came_at : now) - w->start, end);
}

void nth_wait_learn(struct nth_wait *w) {
  nth_assert(w->start != 0);
  nth_store_rlx(&w->waiter->waits, false);
  uint64_t now = nth_clock_ns(), took = now - w->start;
  note_time(w, now - w->last);
  if (nth_wait_config.thrifty)
    thrifty_learn(w, now);
  if (w->crowded && !w->slept && now - w->last > NTH_SLOW_YIELD_NS)
    stop_yields(&w->waiter->yield, now);
  uint32_t ns = took < UINT32_MAX ? (uint32_t)took : UINT32_MAX;
  uint32_t *r = &w->waiter->recent_ns[w->site];
  if (w->site == NTH_WAIT_DOCK) {
    if (w->gap)
      learn_gap(w, now);
    uint32_t error = ns > *r ? ns - *r : *r - ns;
    w->waiter->spread_ns = w->waiter->spread_ns / 2 + error / 2;
  }
  *r = *r == 0 ? ns : *r / 2 + ns / 2;
}
