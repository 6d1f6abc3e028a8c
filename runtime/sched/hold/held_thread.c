/* held_thread.c - a held thread: it searches for errands, runs them, rests, ends
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include <pthread.h>

#include "runtime/base/clock.h"
#include "runtime/base/futex.h"
#include "runtime/base/os.h"
#include "runtime/mem/heap.h"
#include "runtime/place/places/allowed.h"
#include "runtime/sched/adapt/crowd.h"
#include "runtime/sched/hold/called.h"
#include "runtime/sched/hold/carried.h"
#include "runtime/sched/hold/held_inside.h"
#include "runtime/sched/hold/lend.h"
#include "runtime/sched/nano/self.h"

/* Searches for a while. False: nothing is queued. */
static bool poll(void) {
  int polls = nth_held_wakes_slowly() ? NTH_HOLD_SLOW_POLLS : NTH_HOLD_POLLS;
  for (int i = 0; i < polls; i++) {
    if (nth_load_rlx(&nth_held_pool.pending) > 0)
      return true;
    nth_pause();
  }
  return false;
}

/* Whether only threads of ours are left in the process: then nobody can create any more. */
static bool is_alone(void) {
  nth_mutex_lock(&nth_held_pool.lock);
  uint32_t idle = nth_held_pool.idle == nth_held_pool.held ? nth_held_pool.held : 0;
  nth_mutex_unlock(&nth_held_pool.lock);
  return idle > 0 && nth_crowd_is_left(idle);
}

/* Tells all idle threads to end. */
static void end_all(void) {
  nth_mutex_lock(&nth_held_pool.lock);
  nth_held_pool.over = true;
  for (struct nth_held *h = nth_held_pool.oldest_idle; h; h = h->newer)
    nth_held_look(h);
  nth_mutex_unlock(&nth_held_pool.lock);
}

/* What an idle thread does next. TAKEN: it is out of the list, and about to be woken. */
enum idle { SLEEPS, TAKEN, SEARCHES, ENDS };

/* h looks what it is to do. In the lock. limit: how long it may sleep, ns; 0: no limit. */
static enum idle look_idle(struct nth_held *h, uint64_t *limit) {
  if (!h->listed)
    return TAKEN;
  uint64_t keep = nth_held_keep_ns(), now = nth_clock_ns();
  bool late = now - h->idle_since >= keep, watches = nth_carried_watches(h);
  bool queued = watches && nth_load_rlx(&nth_held_pool.pending) > 0, guards = nth_held_is_guard(h);
  bool stuck = guards && nth_held_find_stuck(), waited = queued && nth_carried_is_late(now);
  if (stuck || waited) {
    nth_held_unlist(h);
    nth_held_pool.searchers++;
    if (!stuck)
      nth_store_rlx(&nth_held_pool.at_once, 0);
    return SEARCHES;
  }
  if (!queued && !guards && (late || nth_held_pool.over)) {
    nth_held_unlist(h);
    nth_held_learn_ended(h);
    nth_held_pool.held--;
    return ENDS;
  }
  *limit = late ? 0 : keep - (now - h->idle_since);
  if (guards || (nth_held_pool.oldest_idle == h && *limit > NTH_HOLD_ALONE_NS))
    *limit = NTH_HOLD_ALONE_NS;
  if (watches)
    *limit = NTH_CARRIED_LOOK_NS;
  h->sleeps_on = *limit == 0 || *limit > NTH_HOLD_ALONE_NS;
  (void)nth_xchg_rlx(&h->word, NTH_HELD_IDLE); /* from here on a joiner may have its TLS */
  return SLEEPS;
}

/* The thread that has taken h writes the word next. */
static void await_waker(struct nth_held *h) {
  nth_assert(!h->listed);
  while (nth_load_acq(&h->word) != NTH_HELD_AWAKE) /* held:W */
    nth_futex_wait(&h->word, NTH_HELD_LOOKS, 0);
}

/* h, in the list of idle ones since then, polls for as long as a docked worker would, unless it has
 * been taken or told to look already. crowded: there is no CPU for it, so it only yields for a
 * while. True: it is awake; false: it is to look. */
static bool poll_idle(struct nth_held *h, uint64_t since, bool crowded) {
  struct nth_wait w;
  uint32_t word;
  uint64_t last = since;
  bool lost = crowded;
  h->waiter.apart.movable = true;
  nth_wait_begin_for_team(&w, &h->waiter, NTH_WAIT_DOCK, crowded);
  while ((word = nth_load_acq(&h->word)) == NTH_HELD_POLLS) {               /* held:W */
    if (!nth_wait_poll(&w) && nth_cas_acq(&h->word, &word, NTH_HELD_LOOKS)) /* held:W */
      break;
    if (w.start == 0 || w.last == last)
      continue;
    if (w.last - last > NTH_HOLD_SHARED_NS && !lost) {
      lost = true; /* most likely to the thread that makes roots */
      nth_apart_lost(&h->waiter.apart, w.last);
    }
    last = w.last;
  }
  if (!lost)
    nth_apart_kept(&h->waiter.apart);
  nth_wait_end(&w);
  if (crowded)
    return word == NTH_HELD_AWAKE;
  nth_mutex_lock(&nth_held_pool.lock);
  nth_assert(nth_held_pool.polling > 0);
  nth_held_pool.polling--;
  nth_mutex_unlock(&nth_held_pool.lock);
  return word == NTH_HELD_AWAKE;
}

/* h, in the list of idle ones since then, polls or sleeps. crowded: it polls without a CPU for it;
 * else it counts as polling. True: it is a searcher again, or lent; false: it ends. */
static bool sleep_idle(struct nth_held *h, uint64_t since, bool polls, bool crowded) {
  uint64_t limit = 0;
  enum idle next;
  if (polls && poll_idle(h, since, crowded)) {
    nth_called_comes(h);
    return true;
  }
  nth_carried_park(h);
  for (;;) {
    nth_mutex_lock(&nth_held_pool.lock);
    next = look_idle(h, &limit);
    bool oldest = nth_held_pool.oldest_idle == h;
    nth_mutex_unlock(&nth_held_pool.lock);
    if (next == TAKEN) {
      await_waker(h);
      next = SEARCHES;
    }
    if (next != SLEEPS)
      break;
    bool over = nth_carried_sleep(h, limit);
    if (nth_load_acq(&h->word) == NTH_HELD_AWAKE) { /* held:W */
      next = SEARCHES;
      break;
    }
    if (over && oldest && limit == NTH_HOLD_ALONE_NS && is_alone())
      end_all();
  }
  nth_called_comes(h);
  nth_carried_unpark(h);
  return next == SEARCHES;
}

/* Whether there is a CPU for one more idle thread that polls. In the lock. */
static bool has_cpu_to_poll(void) {
  return nth_held_busy() + nth_held_pool.polling < nth_load_rlx(&nth_allowed.cpus);
}

/* h becomes idle, or ends; it was a searcher. In the lock, which it leaves. */
static bool rest(struct nth_held *h) {
  uint64_t now = nth_clock_ns();
  bool stays = nth_held_pool.idle < nth_load_rlx(&nth_held_settings.idle_most);
  bool polls = h->served, crowded = stays && polls && !has_cpu_to_poll();
  nth_assert(nth_held_pool.searchers > 0);
  nth_held_pool.searchers--;
  if (stays) {
    nth_held_pool.polling += polls && !crowded;
    (void)nth_xchg_rlx(&h->word, polls ? NTH_HELD_POLLS : NTH_HELD_LOOKS);
    h->idle_since = now;
    nth_held_list(h);
  } else {
    nth_held_pool.held--;
  }
  nth_mutex_unlock(&nth_held_pool.lock);
  return stays && sleep_idle(h, now, polls, crowded);
}

/* A searcher gives the running errands time to end or to wait. If they have hardly used the CPUs
 * meanwhile, and nobody else wants these, they wait for something that the runtime does not see:
 * then the next searchers, more each time in a row, start errands at once. In the lock, which it
 * leaves and takes. */
static void nap(uint32_t cpus) {
  uint32_t gate = nth_load_rlx(&nth_held_pool.gate);
  uint64_t takes = nth_held_pool.takes;
  nth_held_pool.napping++;
  nth_mutex_unlock(&nth_held_pool.lock);
  uint64_t begin = nth_clock_ns(), used = nth_os_cpu_of(0);
  nth_futex_wait(&nth_held_pool.gate, gate, NTH_HOLD_STUCK_NS);
  used = nth_os_cpu_of(0) - used;
  bool idle = used < cpus * (nth_clock_ns() - begin) / 2 && !nth_os_offer_cpu();
  nth_mutex_lock(&nth_held_pool.lock);
  nth_held_pool.napping--;
  if (takes != nth_held_pool.takes)
    return;
  nth_held_pool.free_takes = idle ? 2 * nth_held_pool.free_takes + NTH_HOLD_SURE : 1;
  nth_held_pool.free_until = takes + nth_held_pool.free_takes;
}

/* Whether a searcher may take an errand now. One at most waits for CPUs: if there are more, they
 * were made because errands were too many to be sure of a thread. In the lock. */
static bool may_take(uint32_t cpus) {
  return nth_held_pool.searchers > 1 || nth_held_pool.takes < nth_held_pool.free_until ||
         nth_held_busy() < cpus;
}

/* Takes an errand, and sees to it that there is a searcher for the others. In the lock, which it
 * leaves. */
static struct nth_errand *take_and_call(void) {
  struct nth_errand *e = nth_held_take();
  nth_assert(nth_held_pool.searchers > 0);
  nth_held_pool.searchers--;
  nth_held_add_running(1);
  struct nth_held_call c = nth_held_call_unless_left();
  nth_mutex_unlock(&nth_held_pool.lock);
  (void)nth_held_answer(c);
  return e;
}

/* The next errand of h, a searcher; NULL: h ends. In the lock, which it leaves. */
static struct nth_errand *search(struct nth_held *h, uint32_t cpus) {
  bool polled = h->served;
  for (;;) {
    while (nth_load_rlx(&nth_held_pool.pending) > 0 && !may_take(cpus))
      nap(cpus);
    if (nth_load_rlx(&nth_held_pool.pending) > 0)
      return take_and_call();
    if (polled || nth_held_pool.searchers > 1 || nth_held_busy() >= cpus || nth_carried_at_once()) {
      if (!rest(h) || !nth_lend_serve(h))
        return 0;
      polled = h->served;
    } else {
      nth_mutex_unlock(&nth_held_pool.lock);
      polled = !poll();
    }
    nth_mutex_lock(&nth_held_pool.lock);
  }
}

/* The OS thread of h ends, with its errand. */
static void leave(void *arg) {
  struct nth_held *h = arg;
  nth_carried_come_home(h);
  struct nth_errand *e = h->errand;
  nth_mutex_lock(&nth_held_pool.lock);
  nth_assert(nth_held_pool.held > nth_held_pool.idle + nth_held_pool.searchers);
  nth_held_add_running(-1);
  nth_held_pool.held--;
  nth_held_pool.lost += nth_held_pool.lost < NTH_HOLD_AHEAD;
  struct nth_held_call c = nth_held_call_if_needed();
  nth_mutex_unlock(&nth_held_pool.lock);
  (void)nth_held_answer(c);
  nth_fresh_end(&h->fresh);
  nth_heap_free(h);
  nth_errand_ends(e);
}

/* The member comes last: the program's destructors are to find it if the thread ends. */
bool nth_held_is_fresh(struct nth_held *h, uint32_t which) {
  h->fresh.member = nth_self;
  return !(which & NTH_TRAITS_OWN) && nth_fresh_again(&h->fresh, which) &&
         (!nth_self || nth_lend_hooks.end_member());
}

/* Ends e, and goes on to other errands; false: it was asked to end. Between two created threads the
 * OS thread takes no signals of the process: the program may have blocked them in all its
 * threads. */
static bool end_errand(struct nth_errand *e, uint32_t which) {
  uint64_t mask = which & NTH_TRAIT_MASK ? nth_traits_block() : 0;
  if (nth_errand_done(e))
    return true;
  if (which & NTH_TRAIT_MASK)
    nth_traits_set_mask(mask);
  return false;
}

/* e, which was timed, ends. */
static void learn_lasts(const struct nth_errand *e) {
  uint64_t took = nth_clock_ns() - e->made_at, before = nth_load_rlx(&nth_held_pool.lasts_ns);
  took = took < 8 * NTH_HOLD_LONG_NS ? took : 8 * NTH_HOLD_LONG_NS;
  nth_store_rlx(&nth_held_pool.lasts_ns, (3 * before + took) / 4);
}

bool nth_held_run(struct nth_held *h, struct nth_errand *e, void **result) {
  nth_assert(!h->listed && !e->queued);
  h->errand = e;
  h->served = false;
  nth_fresh_start(&h->fresh, &e->given);
  nth_errand_start(e);
  pthread_cleanup_push(leave, h);
  *result = e->start(e->argument);
  (void)pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, 0);
  pthread_cleanup_pop(0);
  (void)nth_errand_become(0);
  e->result = *result;
  if (e->timed)
    learn_lasts(e);
  uint32_t which = nth_fresh_look();
  if (!nth_carried_may(which))
    nth_carried_come_home(h);
  /* An errand that has come home ends its OS thread: begin() has no joiner to go back to. */
  if (!e->own && !h->home && nth_held_is_fresh(h, which) && end_errand(e, which))
    return true;
  (void)nth_errand_become(e);
  leave(h);
  return false;
}

void *nth_held_live(struct nth_held *h) {
  struct nth_errand *e;
  void *result = 0;
  uint32_t cpus = nth_allowed_all(); /* like the traits, known since before the first thread */
  h->tid = nth_os_tid();
  while ((e = search(h, cpus))) {
    if (!nth_held_run(h, e, &result))
      return result;
    nth_mutex_lock(&nth_held_pool.lock);
    nth_held_add_running(-1);
    nth_held_pool.searchers++;
  }
  nth_fresh_end(&h->fresh);
  nth_heap_free(h);
  (void)pthread_detach(pthread_self());
  return 0;
}

void *nth_held_main(void *arg) {
  struct nth_held *h = arg;
  nth_fresh_begin(&h->fresh, &nth_held_pool.traits);
  if (nth_fresh_look() & NTH_TRAIT_MASK)
    (void)nth_traits_block(); /* until its first errand: end_errand() */
  nth_mutex_lock(&nth_held_pool.lock);
  return nth_held_live(h);
}
