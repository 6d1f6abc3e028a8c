/* watchdog.c - a thread that gets OS threads for members that are ready and that nobody runs
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/sched/nano/watchdog.h"

#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>

#include "runtime/arch/section.h"
#include "runtime/base/clock.h"
#include "runtime/base/count.h"
#include "runtime/base/msg.h"
#include "runtime/base/os.h"
#include "runtime/base/syscall.h"
#include "runtime/place/places/allowed.h"
#include "runtime/place/places/places.h"
#include "runtime/sched/nano/carrier.h"
#include "runtime/sched/nano/handlers.h"

_Atomic(uint32_t) nth_watch_armed;

static struct {
  struct nth_mutex lock; /* list, started */
  _Atomic(struct nth_carrier *) carriers;
  bool started;
  uint32_t roots;          /* under lock */
  uint32_t looks;          /* so far, from 1 on; w: watchdog */
  uint64_t cpu_ns, cpu_at; /* the process's CPU time when last read, and the time of that reading,
                            * ns; w: watchdog */
  _Atomic(uint64_t) switches; /* of all carriers, to the last look; w: watchdog; r: reports */
  _Atomic(uint32_t) word;     /* futex word where the watchdog sleeps */
  /* why there is no thread, an errno value that no message has told yet; 0: none. w: under lock,
   * and who tells it */
  _Atomic(uint32_t) refused;
} watch;

/* --- a look --- */

/* What one look has found. */
struct look {
  uint64_t now;
  bool waits;        /* an identity waits for more than work */
  bool ready;        /* one could go on, */
  bool late;         /* and could at the last look */
  uint64_t until;    /* the earliest end of a wait in a queue, ns; 0: none has a time limit */
  uint32_t switches; /* of all carriers so far */
};

/* The OS thread at rest that can run x: x's own, or, if that one runs another identity, that
 * identity's, and so on. The OS thread may be of another place than x: x binds its own OS thread to
 * a new place (nth_carry_bind()) while that OS thread runs a guest, and the guest may wait for x.
 * NULL: not found, as all change. */
static struct nth_carrier *at_rest(const struct nth_identity *x) {
  struct nth_carrier *c = x->own;
  for (int steps = 0; steps < NTH_WATCH_STEPS; steps++) {
    struct nth_identity *current = nth_load_rlx(&c->current);
    if (!current)
      return c;
    if (current->own == c || current == x)
      break;
    c = current->own;
  }
  return 0;
}

/* An identity of c's queue that could go on; NULL: none. */
static struct nth_identity *ready_one(struct nth_carrier *c, struct look *l) {
  nth_mutex_lock_soon(&c->lock);
  nth_assert_valid(nth_carrier_valid(c));
  struct nth_identity *x = c->first;
  for (; x && !nth_identity_can(x, l->now); x = x->next) {
    l->waits |= !x->docks;
    if (x->until != 0 && (l->until == 0 || x->until < l->until))
      l->until = x->until;
  }
  nth_mutex_unlock(&c->lock);
  l->ready |= x != 0;
  return x;
}

/* Whether other processes use CPU time that this one wants. The watchdog has just been woken up, on
 * an idle CPU if there is one. If another thread takes the CPU that it offers, no CPU is idle. If
 * this process has had nearly all the time of its CPUs, that thread is its own. */
static bool is_crowded_out(const struct look *l) {
  uint64_t cpu = nth_os_cpu_of(0), had = cpu - watch.cpu_ns;
  uint64_t all = (l->now - watch.cpu_at) * nth_allowed_soon();
  watch.cpu_ns = cpu;
  watch.cpu_at = l->now;
  return had < all - all / 8 && nth_os_offer_cpu();
}

/* What c's OS thread has had of a CPU since this was last asked, of *all ns. */
static uint64_t cpu_had(struct nth_carrier *c, const struct look *l, uint64_t *all) {
  uint64_t cpu = nth_os_cpu_of(c->tid), had = cpu - c->cpu_ns;
  *all = l->now - c->cpu_at;
  c->cpu_ns = cpu;
  c->cpu_at = l->now;
  return had;
}

/* Whether c switches and yet leaves half of its CPU unused, for several looks that find a ready
 * identity in its queue: its members wait elsewhere, each for less than the time between two looks.
 * Looks in between may find none, as members that have waited so meet at a barrier. Not if c has
 * slept in between, which it does when nothing is ready. If no CPU is idle, it may have waited for
 * one: then it takes more looks, at each of which it had hardly any of a CPU. */
static bool is_spare(struct nth_carrier *c, const struct look *l) {
  uint32_t dozes = nth_load_rlx(&c->dozes);
  uint64_t all, had = cpu_had(c, l, &all);
  bool unused = dozes == c->dozes_seen && had < all / 2;
  c->dozes_seen = dozes;
  if (!unused || nth_permits_fewer()) {
    c->spare = 0;
    return false;
  }
  if (!nth_os_offer_cpu())
    c->spare += NTH_WATCH_SPARE / NTH_WATCH_LOOKS;
  else if (had < all / NTH_WATCH_HARDLY)
    c->spare++;
  if (c->spare < NTH_WATCH_SPARE)
    return false;
  c->spare = 0;
  return true;
}

/* Whether c, with a ready identity in its queue, has been busy otherwise for long. Not if c had no
 * CPU in between because of other processes: one more OS thread would not help then. */
static bool is_stuck(struct nth_carrier *c, const struct look *l) {
  uint32_t switches = nth_load_rlx(&c->switches);
  if (switches != c->switches_seen) {
    c->switches_seen = switches;
    c->stuck = c->lost = 0;
    return is_spare(c, l);
  }
  uint64_t all, had = cpu_had(c, l, &all);
  if (c->stuck > 0 && had < all / 2 && c->lost < NTH_WATCH_LOST && is_crowded_out(l)) {
    c->stuck = 0;
    c->lost++;
  }
  return ++c->stuck > (nth_permits_fewer() ? NTH_AWAY_LOOK_NS / NTH_WATCH_NS : 1);
}

/* Gives x, which is late in c's queue, to an OS thread that is at rest. */
static void hand_over(struct nth_carrier *c, struct nth_identity *x) {
  struct nth_carrier *to = at_rest(x);
  if (!nth_carrier_remove(c, x))
    return;
  if (!to || to == c) { /* all change; x goes to the end of the queue */
    if (!nth_carrier_put(c, x))
      (void)nth_carrier_put(x->own, x);
    return;
  }
  if (!nth_carrier_put(to, x) && !nth_carrier_put(c, x))
    (void)nth_carrier_put(x->own, x);
  nth_carrier_alarm(to);
}

/* How many late members of a carrier are handed over: twice as many each time in a row. */
static uint32_t most_at_once(const struct nth_family *f) {
  nth_assert(f->strikes <= NTH_WATCH_STRIKES);
  return 1u << f->strikes;
}

/* From now on members of f wait on their own OS threads, or no longer do. */
static void set_apart(struct nth_family *f, bool apart) {
  nth_store_rlx(&f->apart, apart);
  if (apart)
    nth_or_rlx(&nth_carrier_special, NTH_APART_SEEN);
}

static void strike(struct nth_family *f, uint64_t now) {
  if (f->struck_in == watch.looks)
    return;
  f->struck_in = watch.looks;
  if (f->strikes == 0 && now - f->calmed_at < NTH_WATCH_AGAIN_NS && f->before >= NTH_WATCH_APART)
    f->strikes = f->before;
  f->strikes += f->strikes < NTH_WATCH_STRIKES;
  set_apart(f, f->strikes >= NTH_WATCH_APART);
  f->calm_at = now + (NTH_APART_NS << f->strikes);
}

static void look_at(struct nth_carrier *c, struct look *l) {
  struct nth_family *f = c->family;
  nth_assert(f && c->watched);
  struct nth_identity *x = ready_one(c, l);
  bool stuck = x && is_stuck(c, l);
  l->late |= x && (c->stuck != 0 || c->spare != 0);
  if (stuck) {
    nth_count(NTH_COUNT_ACTS);
    if (nth_load_rlx(&c->asleep) != 0) {
      nth_carrier_alarm(c); /* c's master meant to run x, and is busy otherwise */
      return;
    }
    if (nth_load_rlx(&f->asleep) != 0 && !nth_load_rlx(&x->pinned) && f->strikes == 0)
      nth_carrier_call_one(c); /* a regular carrier takes x, and others */
    else
      for (uint32_t most = most_at_once(f); x && most > 0; most--, x = ready_one(c, l))
        hand_over(c, x);
    strike(f, l->now);
  } else if (f->strikes != 0 && l->now >= f->calm_at) {
    f->calmed_at = l->now;
    f->before = f->strikes;
    f->strikes = 0;
    nth_store_rlx(&f->apart, 0);
  }
  l->waits |= f->strikes != 0;
  /* after a first strike the next one comes soon, if at all */
  l->late |= f->strikes != 0 && f->strikes < NTH_WATCH_APART;
}

/* Adds c's switches since the last look to the sum, which has no end as theirs has. Returns c's. */
static uint32_t add_switches(struct nth_carrier *c) {
  uint32_t switches = nth_load_rlx(&c->switches), more = switches - nth_load_rlx(&c->summed);
  nth_store_rlx(&c->summed, switches);
  nth_store_rlx(&watch.switches, nth_load_rlx(&watch.switches) + more);
  return switches;
}

uint64_t nth_watch_switches(void) {
  uint64_t sum = nth_load_rlx(&watch.switches);
  for (struct nth_carrier *c = nth_load_acq(&watch.carriers); c; c = c->known) /* L */
    sum += (uint32_t)(nth_load_rlx(&c->switches) - nth_load_rlx(&c->summed));
  return sum;
}

/* handlers: ask the kernel about them. */
static struct look look(bool handlers) {
  nth_count(NTH_COUNT_LOOKS);
  watch.looks++;
  struct look l = {.now = nth_clock_ns()};
  nth_allowed_look(l.now, 0);
  l.waits = nth_handlers_watch(nth_load_acq(&watch.carriers), handlers);         /* L */
  for (struct nth_carrier *c = nth_load_acq(&watch.carriers); c; c = c->known) { /* L */
    l.switches += add_switches(c);
    if (c->family && (nth_load_rlx(&c->queued) != 0 || c->family->strikes != 0))
      look_at(c, &l);
  }
  return l;
}

/* --- the thread --- */

/* Nothing waits. Whether the thread may end: no root is left for which that may change. */
static bool may_end(void) {
  nth_mutex_lock(&watch.lock);
  nth_assert(watch.started);
  bool end = watch.roots == 0;
  if (end)
    watch.started = false;
  nth_mutex_unlock(&watch.lock);
  return end;
}

/* Nothing waits: sleeps until something does, or until a wait for work has ended by time and yet
 * stands in a queue. False: the thread is to end. */
static bool disarm(uint32_t word) {
  nth_store_rlx(&nth_watch_armed, 0);
  nth_fence_full(); /* D */
  struct look l = look(false);
  if (!l.waits && !l.ready) {
    if (may_end())
      return false;
    nth_futex_wait(&watch.word, word, l.until ? l.until - l.now + NTH_WATCH_NS : 0);
  }
  nth_store_rlx(&nth_watch_armed, 1);
  return true;
}

/* How long to look on though nothing waits and no carrier switches, ns. After a short sleep that is
 * longer: who arms the watchdog again so soon would pay a wake-up each time. The first sleep, which
 * a root's first region ends, says nothing. sleeps: how many there have been. */
static uint64_t patience(uint64_t slept, uint32_t sleeps) {
  return sleeps > 1 && slept < NTH_WATCH_PERIOD_NS ? slept * 2 : 0;
}

/* A look costs the thread that it interrupts some 15 us, so looks become rarer while all goes
 * well. */
static uint64_t next_interval(const struct look *l, uint64_t interval) {
  uint64_t most = l->ready ? NTH_WATCH_READY_NS : NTH_WATCH_MOST_NS;
  if (l->late)
    return NTH_WATCH_NS;
  interval += interval / 8;
  return interval < most ? interval : most;
}

static void *watch_main(void *arg) {
  uint64_t interval = NTH_WATCH_NS, busy_at = 0, grace = 0;
  uint32_t switches = 0, sleeps = 0;
  (void)arg;
  nth_places_unbind();
  nth_syscall(SYS_prctl, PR_SET_NAME, (long)"nanogomp-watch", 0, 0, 0);
  nth_futex_wait(&watch.word, nth_load_acq(&watch.word), interval); /* W */
  for (bool handlers = false;; handlers = true) { /* the root has just asked for handlers */
    uint32_t word = nth_load_acq(&watch.word);    /* W */
    struct look l = look(handlers);
    interval = next_interval(&l, interval);
    if (l.waits || l.ready || l.switches != switches)
      busy_at = l.now;
    switches = l.switches;
    if (l.now - busy_at < grace || l.waits || l.ready) {
      nth_futex_wait(&watch.word, word, interval);
    } else {
      if (!disarm(word))
        return 0;
      busy_at = nth_clock_ns();
      grace = patience(busy_at - l.now, ++sleeps);
      interval = NTH_WATCH_NS;
    }
  }
}

void nth_watch_roots(bool more) {
  nth_mutex_lock(&watch.lock);
  nth_assert(more || watch.roots > 0);
  watch.roots += more ? 1 : UINT32_MAX;
  bool last = watch.roots == 0;
  nth_mutex_unlock(&watch.lock);
  if (last) {
    nth_add_rel(&watch.word, 1); /* W */
    nth_futex_wake(&watch.word, 1);
  }
}

/* There is no watchdog. A member of f that waits outside the runtime would keep others waiting, so
 * all wait on their own OS threads until there is a watchdog. The message comes when there is
 * something to watch: perhaps no member gets a thread either. */
static void do_without(struct nth_family *f, int error) {
  static bool said; /* under lock */
  if (!said)
    nth_store_rlx(&watch.refused, (uint32_t)error);
  said = true;
  f->strikes = NTH_WATCH_APART;
  f->calm_at = 0;
  set_apart(f, true);
}

static void say_refused(void) {
  uint32_t error = nth_load_rlx(&watch.refused);
  if (error != 0 && nth_cas_rlx(&watch.refused, &error, 0))
    nth_msg("no thread to watch over nano-thread members (%s); they wait on OS threads of their "
            "own",
            strerror((int)error));
}

void nth_watch_carrier(struct nth_carrier *c, bool held) {
  nth_assert(c->family && held == !c->root);
  nth_mutex_lock(&watch.lock);
  if (!watch.started && held) {
    nth_store_rlx(&nth_watch_armed, 1); /* the watchdog's first sleep ends by itself */
    int e = nth_os_thread(watch_main, 0);
    watch.started = e == 0;
    if (e != 0) {
      nth_store_rlx(&nth_watch_armed, 0);
      do_without(c->family, e);
    }
  }
  if (!c->watched) {
    c->watched = true;
    c->known = nth_load_rlx(&watch.carriers);
    nth_store_rel(&watch.carriers, c); /* L */
  }
  nth_mutex_unlock(&watch.lock);
}

void nth_watch_arm_slow(void) {
  say_refused();
  nth_store_rlx(&nth_watch_armed, 1);
  nth_add_rel(&watch.word, 1); /* W */
  nth_futex_wake(&watch.word, 1);
}

NTH_IN_CHILD void nth_watch_forked(uint32_t roots) {
  nth_mutex_init(&watch.lock);
  nth_handlers_forked(nth_load_rlx(&watch.carriers));
  for (struct nth_carrier *c = nth_load_rlx(&watch.carriers); c; c = c->known) {
    nth_mutex_init(&c->lock); /* its OS thread is not in this process, nor are those of its queue */
    (void)nth_carrier_empty(c, true);
    nth_store_rlx(&c->asleep, 0);
    nth_store_rlx(&c->current, NULL);
    if (c->family) {
      nth_store_rlx(&c->family->asleep, 0);
      nth_store_rlx(&c->family->apart, 0);
      c->family->strikes = c->family->before = 0;
    }
    c->family = 0;
  }
  watch.roots = roots;
  watch.started = false;
  nth_store_rlx(&nth_watch_armed, 0);
}

bool nth_watch_any(void) { return nth_load_rlx(&watch.carriers) != NULL; }

/* The carrier of f, without a place, that began first and is neither regular nor called; NULL. */
static struct nth_carrier *first_of(const struct nth_family *f) {
  struct nth_carrier *first = 0;
  for (struct nth_carrier *c = nth_load_acq(&watch.carriers); c; c = c->known) /* L */
    if (c->family == f && !nth_load_rlx(&c->regular) && !nth_load_rlx(&c->called) &&
        nth_load_rlx(&c->place) == 0)
      first = c;
  return first;
}

static void grow(struct nth_family *f, uint32_t cpus) {
  uint32_t more = nth_load_rlx(&f->capacity);
  cpus = cpus < f->room ? cpus : f->room;
  if (cpus <= more)
    return;
  more = cpus - more;
  nth_store_rlx(&f->capacity, cpus);
  for (struct nth_carrier *c; more > 0 && (c = first_of(f)); more--) {
    nth_store_rlx(&c->called, true);
    nth_carrier_alarm(c);
  }
}

void nth_watch_grow(uint32_t cpus) {
  for (struct nth_carrier *c = nth_load_acq(&watch.carriers); c; c = c->known) /* L */
    if (c->root && c->family)
      grow(c->family, cpus);
}

void nth_watch_call_back(void) {
  nth_fence_full(); /* B: the new limit, before these looks */
  for (struct nth_carrier *c = nth_load_acq(&watch.carriers); c; c = c->known) /* L */
    if (nth_load_rlx(&c->away))
      nth_carrier_alarm(c);
}
