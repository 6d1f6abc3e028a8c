/* held.c - the queue of created threads, and who wakes or makes an OS thread for them
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "runtime/arch/section.h"
#include "runtime/base/clock.h"
#include "runtime/base/futex.h"
#include "runtime/base/msg.h"
#include "runtime/mem/heap.h"
#include "runtime/place/places/allowed.h"
#include "runtime/sched/hold/called.h"
#include "runtime/sched/hold/lend.h"

struct nth_held_pool nth_held_pool;
struct nth_held_settings nth_held_settings = {0, UINT32_MAX};

/* --- the queue; all in the lock --- */

static void push(struct nth_errand *e) {
  nth_assert(nth_errand_kind(nth_load_rlx(&e->state)) == NTH_ERRAND_QUEUED && !e->queued);
  e->previous = nth_held_pool.newest;
  e->next = 0;
  e->queued = true;
  *(nth_held_pool.newest ? &nth_held_pool.newest->next : &nth_held_pool.oldest) = e;
  nth_held_pool.newest = e;
  nth_store_rlx(&nth_held_pool.pending, nth_load_rlx(&nth_held_pool.pending) + 1);
}

static void drop(struct nth_errand *e) {
  nth_assert(nth_load_rlx(&nth_held_pool.pending) > 0 && e->queued);
  e->queued = false;
  *(e->next ? &e->next->previous : &nth_held_pool.newest) = e->previous;
  *(e->previous ? &e->previous->next : &nth_held_pool.oldest) = e->next;
  nth_store_rlx(&nth_held_pool.pending, nth_load_rlx(&nth_held_pool.pending) - 1);
}

void nth_held_take_this(struct nth_errand *e) {
  nth_held_pool.takes++;
  drop(e);
}

struct nth_errand *nth_held_take(void) {
  struct nth_errand *e = nth_held_pool.newest;
  uint64_t now = nth_held_pool.newest == nth_held_pool.oldest ? 0 : nth_clock_ns();
  if (now > nth_held_pool.oldest_at) {
    e = nth_held_pool.oldest;
    nth_held_pool.oldest_at = now + nth_held_pool.held * (uint64_t)NTH_HOLD_OLDEST_NS;
  }
  nth_held_take_this(e);
  return e;
}

void nth_held_add_running(int32_t n) {
  nth_assert(n > 0 || nth_load_rlx(&nth_held_pool.running) > 0);
  nth_store_rlx(&nth_held_pool.running, nth_load_rlx(&nth_held_pool.running) + (uint32_t)n);
}

/* --- the list of idle ones; all in the lock --- */

void nth_held_list(struct nth_held *h) {
  nth_assert(!h->listed && nth_load_rlx(&h->word) != NTH_HELD_AWAKE);
  h->listed = true;
  h->older = nth_held_pool.newest_idle;
  h->newer = 0;
  *(nth_held_pool.newest_idle ? &nth_held_pool.newest_idle->newer : &nth_held_pool.oldest_idle) = h;
  nth_held_pool.newest_idle = h;
  nth_held_pool.idle++;
}

void nth_held_look(struct nth_held *h) {
  nth_assert(h->listed && nth_mutex_is_held(&nth_held_pool.lock));
  (void)nth_xchg_rlx(&h->word, NTH_HELD_LOOKS);
  nth_futex_wake(&h->word, 1);
}

/* Takes h out of the list of idle ones. If h was the oldest, the next one is, and is woken: the
 * oldest looks now and then whether only held threads are left. */
void nth_held_unlist(struct nth_held *h) {
  nth_assert(h->listed && nth_held_pool.idle > 0);
  h->listed = false;
  if (nth_held_pool.sentry == h)
    nth_held_pool.sentry = 0;
  *(h->newer ? &h->newer->older : &nth_held_pool.newest_idle) = h->older;
  *(h->older ? &h->older->newer : &nth_held_pool.oldest_idle) = h->newer;
  nth_held_pool.idle--;
  if (h->newer && !h->older)
    nth_held_look(h->newer);
}

bool nth_held_valid(void) {
  uint32_t queued = 0, idle = 0;
  for (const struct nth_errand *e = nth_held_pool.oldest; e; e = e->next) {
    if (!e->queued || *(e->next ? &e->next->previous : &nth_held_pool.newest) != e)
      return false;
    queued++;
  }
  for (const struct nth_held *h = nth_held_pool.oldest_idle; h; h = h->newer) {
    if (!h->listed || *(h->newer ? &h->newer->older : &nth_held_pool.newest_idle) != h)
      return false;
    idle++;
  }
  return queued == nth_load_rlx(&nth_held_pool.pending) && idle == nth_held_pool.idle &&
         (queued == 0 || nth_held_pool.searchers > 0 || nth_held_pool.sentry ||
          nth_held_pool.refused || nth_held_pool.left) &&
         (!nth_held_pool.sentry || nth_held_pool.sentry->listed) &&
         nth_held_pool.held >= nth_held_pool.idle + nth_held_pool.searchers + nth_held_pool.lent;
}

/* --- waking and making --- */

/* One more searcher. In the lock. */
static struct nth_held_call call_searcher(void) {
  nth_assert(nth_mutex_is_held(&nth_held_pool.lock));
  struct nth_held_call c = {nth_held_pool.newest_idle, !nth_held_pool.newest_idle};
  nth_held_pool.searchers++;
  if (c.make) {
    nth_held_pool.held++;
  } else {
    nth_held_unlist(c.wake);
    nth_called(c.wake);
  }
  return c;
}

/* One more searcher if errands are queued and there is none (I2). In the lock. */
struct nth_held_call nth_held_call_if_needed(void) {
  bool needed = nth_load_rlx(&nth_held_pool.pending) > 0 && nth_held_pool.searchers == 0;
  struct nth_held_call c = needed ? call_searcher() : (struct nth_held_call){0, false};
  nth_assert_valid(nth_held_valid());
  return c;
}

/* The OS threads that run errands or look for some. In the lock. */
static uint32_t there(void) {
  nth_assert(nth_held_pool.held >= nth_held_pool.idle + nth_held_pool.lent);
  return nth_held_pool.held - nth_held_pool.idle - nth_held_pool.lent;
}

/* Whether the queued errands are left to the threads that run or look: where wake-ups are slow, one
 * takes longer than many errands. In the lock. */
static bool leaves_to_running(void) {
  nth_assert(nth_mutex_is_held(&nth_held_pool.lock));
  nth_held_pool.left = nth_held_wakes_slowly() && nth_held_pool.oldest_idle &&
                       nth_load_rlx(&nth_held_pool.pending) <= NTH_HOLD_SLOW_QUEUE * there();
  return nth_held_pool.left;
}

struct nth_held_call nth_held_call_unless_left(void) {
  return leaves_to_running() ? (struct nth_held_call){0, false} : nth_held_call_if_needed();
}

bool nth_held_is_guard(const struct nth_held *h) {
  return nth_held_pool.oldest_idle == h && nth_load_rlx(&nth_held_pool.pending) > 0 &&
         nth_held_pool.searchers == 0 && nth_held_pool.left;
}

bool nth_held_find_stuck(void) {
  nth_assert(nth_mutex_is_held(&nth_held_pool.lock) && nth_held_pool.left);
  bool stuck = nth_held_pool.takes == nth_held_pool.guarded;
  nth_held_pool.guarded = nth_held_pool.takes;
  if (stuck) {
    nth_store_rlx(&nth_held_pool.wake_ns, 0);
    nth_held_pool.untimed_next = 2 * nth_held_pool.untimed_next + NTH_HOLD_UNTIMED;
    nth_store_rlx(&nth_held_pool.untimed, nth_held_pool.untimed_next);
  }
  return stuck;
}

/* The time after which an idle thread ends. In the lock. */
uint64_t nth_held_keep_ns(void) {
  uint64_t set = nth_load_rlx(&nth_held_settings.idle_ns);
  uint64_t cost = nth_held_pool.cost_ns ? nth_held_pool.cost_ns : NTH_HOLD_COST_NS;
  uint64_t least = NTH_HOLD_IDLE_FACTOR * cost;
  uint64_t learned = nth_held_pool.keep_ns > least ? nth_held_pool.keep_ns : least;
  return set ? set : learned < NTH_HOLD_IDLE_MOST_NS ? learned : NTH_HOLD_IDLE_MOST_NS;
}

/* A thread is made. If one has ended lately, it has been missed: the next ones stay for twice the
 * time after which this one would have been needed. In the lock. */
static void learn_missed(uint64_t now) {
  if (nth_held_pool.gone_at != 0 && now - nth_held_pool.gone_at < NTH_HOLD_IDLE_MOST_NS) {
    uint64_t gap = 2 * (now - nth_held_pool.gone_at);
    nth_held_pool.keep_ns = gap > nth_held_pool.keep_ns ? gap : nth_held_pool.keep_ns;
    nth_held_pool.unmissed = 0;
  }
  nth_held_pool.gone_at = 0;
}

void nth_held_want_more(void) {
  uint32_t wanted = nth_load_rlx(&nth_held_pool.wanted);
  nth_store_rlx(&nth_held_pool.wanted, wanted < NTH_HOLD_AHEAD ? wanted + 1 : wanted);
}

/* h ends since it was idle for long. In the lock. */
void nth_held_learn_ended(const struct nth_held *h) {
  nth_store_rlx(&nth_held_pool.wanted, nth_load_rlx(&nth_held_pool.wanted) / 2);
  nth_held_pool.gone_at = h->idle_since;
  if (++nth_held_pool.unmissed >= NTH_HOLD_UNMISSED) {
    nth_held_pool.keep_ns /= 2;
    nth_held_pool.unmissed = 0;
  }
}

/* An OS thread for h; 0 or an errno value. */
static int make_thread(pthread_t *thread, struct nth_held *h) {
  pthread_attr_t attr;
  int error = pthread_attr_init(&attr);
  if (error)
    return error;
  h->forks = nth_held_pool.forks;
  if (pthread_attr_getstacksize(&attr, &h->stack_bytes) == 0 && nth_lend_extra_stack != 0)
    (void)pthread_attr_setstacksize(&attr, h->stack_bytes += nth_lend_extra_stack);
  error = pthread_create(thread, &attr, nth_held_main, h);
  (void)pthread_attr_destroy(&attr);
  return error;
}

/* Makes a held thread, which begins as a searcher; 0 or an errno value. ahead: of need; for_team: a
 * root's, most likely. */
static int make(bool ahead, bool for_team) {
  pthread_t thread;
  uint64_t begin = nth_clock_ns();
  struct nth_held *h = nth_heap_alloc(sizeof *h);
  if (h)
    h->served = for_team;
  int error = h ? make_thread(&thread, h) : EAGAIN;
  if (error)
    nth_heap_free(h);
  uint64_t now = nth_clock_ns();
  nth_mutex_lock(&nth_held_pool.lock);
  bool tell = error && !nth_held_pool.refused;
  nth_held_pool.refused = error != 0;
  if (error) {
    nth_assert(nth_held_pool.held > 0 && nth_held_pool.searchers > 0);
    nth_held_pool.held--;
    nth_held_pool.searchers--;
  } else {
    nth_held_pool.made++;
    nth_held_pool.most =
        nth_held_pool.held > nth_held_pool.most ? nth_held_pool.held : nth_held_pool.most;
    nth_held_pool.cost_ns =
        nth_held_pool.cost_ns ? (7 * nth_held_pool.cost_ns + now - begin) / 8 : now - begin;
    learn_missed(now);
    if (!ahead && nth_held_pool.lost > 0) {
      nth_held_pool.lost--;
      nth_held_want_more();
    }
  }
  uint32_t left = nth_load_rlx(&nth_held_pool.pending);
  nth_mutex_unlock(&nth_held_pool.lock);
  if (tell && left > 0)
    nth_msg("no OS thread for %u created threads (%s); they wait for others to end", left,
            strerror(error));
  return error;
}

/* A call that wakes a thread took so long. wake_ns follows the median of the calls in equal steps,
 * for one call may last as long as another thread has the CPU. */
static void learn_wake(uint64_t took) {
  uint32_t known = nth_load_rlx(&nth_held_pool.wake_ns);
  if (took > known && known < NTH_HOLD_WAKE_MOST_NS)
    nth_store_rlx(&nth_held_pool.wake_ns, known + NTH_HOLD_WAKE_STEP_NS);
  else if (took <= known && known >= NTH_HOLD_WAKE_STEP_NS)
    nth_store_rlx(&nth_held_pool.wake_ns, known - NTH_HOLD_WAKE_STEP_NS);
}

static void wake(struct nth_held *h) {
  uint32_t untimed = nth_load_rlx(&nth_held_pool.untimed);
  uint64_t begin = untimed == 0 ? nth_clock_ns() : 0;
  nth_futex_wake(&h->word, 1);
  if (untimed == 0)
    learn_wake(nth_clock_ns() - begin);
  else
    nth_store_rlx(&nth_held_pool.untimed, untimed - 1);
}

int nth_held_answer(struct nth_held_call c) {
  if (c.wake && nth_xchg_rel(&c.wake->word, NTH_HELD_AWAKE) != NTH_HELD_POLLS) /* W */
    wake(c.wake);
  return c.make ? make(false, false) : 0;
}

/* Lets a napping searcher look again. In the lock; true: the caller wakes it afterwards. */
static bool open_gate(void) {
  if (nth_held_pool.napping == 0 || nth_load_rlx(&nth_held_pool.pending) == 0)
    return false;
  nth_add_rlx(&nth_held_pool.gate, 1);
  return true;
}

/* --- creators and joiners --- */

/* Whether an idle thread would find a CPU for e, the newest errand. nth_held_busy() does not count
 * a creator that is neither an errand nor a member. Long errands leave such a creator its CPU: it
 * can run one there when it joins. Short errands are done sooner if each wakes a thread. In the
 * lock. */
static bool has_cpu(struct nth_errand *e) {
  uint32_t busy = nth_held_busy() + nth_held_pool.searchers, cpus = nth_load_rlx(&nth_allowed.cpus);
  e->timed = e->made_at && busy + 1 == cpus && !nth_lend_runs_me() && !nth_lend_hooks.in_region();
  return busy < cpus && !(e->timed && nth_load_rlx(&nth_held_pool.lasts_ns) > NTH_HOLD_LONG_NS);
}

/* Queues e. While CPUs are free each errand wakes an idle thread, so that two do not wake one after
 * the other. In the lock. */
static struct nth_held_call queue(struct nth_errand *e) {
  push(e);
  nth_held_pool.over = false;
  uint32_t pending = nth_load_rlx(&nth_held_pool.pending), busy = there() - nth_held_pool.searchers;
  if (pending > 1)
    nth_store_rlx(&nth_held_pool.at_once, 0);
  if (pending <= nth_held_pool.searchers || (pending == 1 && nth_held_pool.sentry) ||
      leaves_to_running())
    return (struct nth_held_call){0, false};
  uint32_t sure = nth_held_pool.most > NTH_HOLD_SURE ? nth_held_pool.most : NTH_HOLD_SURE;
  bool sure_of_thread = pending + busy <= sure && !nth_held_pool.refused;
  bool wakes = nth_held_pool.newest_idle && has_cpu(e);
  return sure_of_thread && !wakes ? nth_held_call_if_needed() : call_searcher();
}

int nth_held_give(struct nth_errand *e) {
  uint32_t generation = nth_errand_generation(nth_load_rlx(&e->state));
  nth_mutex_lock(&nth_held_pool.lock);
  struct nth_held_call c = queue(e);
  nth_mutex_unlock(&nth_held_pool.lock);
  if (nth_held_answer(c) == 0)
    return 0;
  /* A thread may have run e meanwhile, and e may be another errand now. */
  nth_mutex_lock(&nth_held_pool.lock);
  bool same = nth_errand_generation(nth_load_rlx(&e->state)) == generation;
  bool queued = same && e->queued;
  if (queued)
    drop(e);
  nth_mutex_unlock(&nth_held_pool.lock);
  return queued ? EAGAIN : 0;
}

bool nth_held_give_idle(struct nth_errand *e) {
  nth_mutex_lock(&nth_held_pool.lock);
  bool there = nth_held_pool.idle + nth_held_pool.searchers > nth_load_rlx(&nth_held_pool.pending);
  struct nth_held_call c = {0, false};
  if (there) {
    push(e);
    nth_held_pool.over = false;
    if (nth_load_rlx(&nth_held_pool.pending) > nth_held_pool.searchers)
      c = call_searcher();
  } else {
    nth_held_want_more();
  }
  nth_assert(!c.make);
  nth_mutex_unlock(&nth_held_pool.lock);
  (void)nth_held_answer(c);
  return there;
}

void nth_held_make_ahead(bool for_team) {
  if (nth_likely(nth_load_rlx(&nth_held_pool.wanted) == 0) ||
      !nth_held_fits_creator(nth_fresh_look()))
    return;
  nth_mutex_lock(&nth_held_pool.lock);
  uint32_t there = nth_held_pool.idle + nth_held_pool.searchers;
  bool more = there < nth_load_rlx(&nth_held_pool.wanted) &&
              there < nth_load_rlx(&nth_held_settings.idle_most) && !nth_held_pool.refused;
  nth_held_pool.held += more;
  nth_held_pool.searchers += more;
  nth_mutex_unlock(&nth_held_pool.lock);
  if (more)
    (void)make(true, for_team);
}

uint64_t nth_held_waits(bool runs) {
  bool errand = runs && nth_lend_runs_me();
  nth_mutex_lock(&nth_held_pool.lock);
  if (errand)
    nth_held_add_running(-1);
  else if (runs)
    nth_store_rlx(&nth_held_pool.away, nth_load_rlx(&nth_held_pool.away) + 1);
  struct nth_held_call c = nth_held_call_if_needed();
  bool open = open_gate();
  nth_mutex_unlock(&nth_held_pool.lock);
  if (open)
    nth_futex_wake(&nth_held_pool.gate, 1);
  int error = nth_held_answer(c);
  nth_called_bring();
  return error == 0 ? 0 : NTH_HOLD_RETRY_NS;
}

void nth_held_goes_on(void) {
  bool errand = nth_lend_runs_me();
  nth_mutex_lock(&nth_held_pool.lock);
  nth_assert(errand || nth_load_rlx(&nth_held_pool.away) > 0);
  if (errand)
    nth_held_add_running(1);
  else
    nth_store_rlx(&nth_held_pool.away, nth_load_rlx(&nth_held_pool.away) - 1);
  nth_mutex_unlock(&nth_held_pool.lock);
}

bool nth_held_polls(void) {
  uint32_t cpus = nth_load_rlx(&nth_allowed.cpus), busy = nth_held_busy();
  return busy < cpus || (busy == cpus && (nth_load_rlx(&nth_held_pool.pending) == 0 ||
                                          !nth_lend_hooks.in_region()));
}

bool nth_held_fits_creator(uint32_t which) {
  struct nth_traits t;
  nth_traits_read(&t, which & ~(uint32_t)NTH_TRAITS_THREADS_OWN);
  nth_mutex_lock(&nth_held_pool.lock);
  if (!nth_held_pool.has_traits) {
    nth_held_pool.traits = t;
    (void)nth_allowed_cpus(); /* once, before many held threads would find it at a time */
    nth_store_rlx(&nth_lend_any, true);
  }
  nth_held_pool.has_traits = true;
  bool same = memcmp(&nth_held_pool.traits, &t, sizeof t) == 0;
  nth_mutex_unlock(&nth_held_pool.lock);
  return same;
}

void nth_held_count(struct nth_held_counts *c) {
  nth_mutex_lock(&nth_held_pool.lock);
  *c = (struct nth_held_counts){nth_held_pool.made, nth_held_keep_ns(), nth_held_pool.held,
                                nth_held_pool.idle};
  nth_mutex_unlock(&nth_held_pool.lock);
}

NTH_IN_CHILD void nth_held_forked(void) {
  bool runs = nth_lend_runs_me();
  uint32_t forks = nth_held_pool.forks;
  nth_errand_forked();
  memset(&nth_held_pool, 0, sizeof nth_held_pool);
  nth_held_pool.forks = forks + 1;
  nth_store_rlx(&nth_lend_any, false);
  if (!runs)
    return;
  nth_errand_mine()->own = true; /* its thread ends with it, and with it the child */
  nth_held_pool.held = 1;
  nth_store_rlx(&nth_held_pool.running, 1);
}
