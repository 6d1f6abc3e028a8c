/* lend.c - one set of OS threads for created threads and for teams
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/sched/hold/lend.h"

#include <pthread.h>

#include "runtime/base/futex.h"
#include "runtime/mem/heap.h"
#include "runtime/mem/huge.h"
#include "runtime/place/places/allowed.h"
#include "runtime/sched/adapt/crowd.h"
#include "runtime/sched/hold/held_inside.h"

static bool no(void) { return false; }
static uint32_t none(uint32_t most) { return (void)most, 0; }
struct nth_lend_hooks nth_lend_hooks = {no, none, no};
size_t nth_lend_extra_stack;
_Atomic(bool) nth_lend_any;

/* --- who has the CPUs --- */

bool nth_lend_runs_me(void) {
  const struct nth_errand *e = nth_lend_used() ? nth_errand_mine() : 0;
  return e && nth_errand_kind(nth_load_rlx(&e->state)) == NTH_ERRAND_RUNS && !e->own;
}

/* Only the program's threads that have been members are masters of outermost teams. */
uint32_t nth_held_busy(void) {
  uint32_t running = nth_load_rlx(&nth_held_pool.running), cpus = nth_load_rlx(&nth_allowed.cpus),
           away = nth_load_rlx(&nth_held_pool.away);
  if (running >= cpus || nth_load_rlx(&nth_crowd.roots) == 0)
    return running;
  uint32_t members = nth_lend_hooks.at_work(cpus + away);
  return running + (members > away ? members - away : 0);
}

void nth_lend_root_ended(void) {
  if (!nth_lend_used())
    nth_store_rlx(&nth_lend_any, true);
}

/* --- the lender --- */

/* An idle thread with such a stack, out of the list; NULL: there is none. In the lock. */
static struct nth_held *take_idle(size_t stack_bytes) {
  struct nth_held *h = nth_held_pool.newest_idle;
  while (h && h->stack_bytes < stack_bytes)
    h = h->older;
  if (!h)
    return 0;
  nth_assert(!h->main);
  nth_held_unlist(h);
  nth_held_pool.lent++;
  return h;
}

bool nth_lend(bool (*main)(void *), void *argument, size_t stack_bytes) {
  nth_assert(nth_lend_used() && main);
  uint32_t which = nth_fresh_look(), own = which & NTH_TRAITS_OWN;
  if ((own && own != NTH_TRAIT_ENDS) || (which & NTH_TRAIT_ABROAD) || !nth_held_fits_creator(which))
    return false;
  struct nth_traits_given given = nth_fresh_given(which);
  nth_mutex_lock(&nth_held_pool.lock);
  struct nth_held *h = take_idle(stack_bytes);
  if (h) {
    h->main = main;
    h->argument = argument;
    h->given = given;
  } else if (own) {
    nth_held_want_more();
  }
  struct nth_held_call c = nth_held_call_if_needed(); /* h may have been the sentry */
  nth_mutex_unlock(&nth_held_pool.lock);
  if (h)
    (void)nth_held_answer((struct nth_held_call){h, false});
  (void)nth_held_answer(c);
  return h != 0;
}

/* --- the thread --- */

/* The thread of h ends, or has become a searcher. */
static void come_back(struct nth_held *h, bool again) {
  nth_mutex_lock(&nth_held_pool.lock);
  nth_assert(nth_held_pool.lent > 0 && nth_held_pool.held >= nth_held_pool.lent);
  h->main = 0;
  nth_held_pool.lent--;
  if (again)
    nth_held_pool.searchers++;
  else
    nth_held_pool.held--;
  nth_mutex_unlock(&nth_held_pool.lock);
}

/* The OS thread of h ends inside main (pthread_exit, a cancellation). */
static void leave(void *arg) {
  struct nth_held *h = arg;
  if (!nth_held_is_forked(h))
    come_back(h, false);
  nth_lend_end(h);
}

/* Whether the calling thread can serve again. It forgets its number, which was that of a worker
 * (tholder_self()). */
static bool serves_again(struct nth_held *h) {
  uint32_t which = nth_fresh_look();
  nth_errand_forget();
  h->served = true;
  if (nth_held_is_forked(h) || (which & NTH_TRAIT_ABROAD) || !nth_held_is_fresh(h, which))
    return false;
  if (which & NTH_TRAIT_MASK)
    (void)nth_traits_block(); /* until it serves again: end_errand() in held_thread.c */
  return true;
}

bool nth_lend_serve(struct nth_held *h) {
  if (!h->main)
    return true;
  bool again = false;
  nth_assert(!h->listed);
  nth_fresh_start(&h->fresh, &h->given);
  pthread_cleanup_push(leave, h);
  again = h->main(h->argument);
  (void)pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, 0);
  pthread_cleanup_pop(0);
  again = again && serves_again(h);
  if (again || !nth_held_is_forked(h))
    come_back(h, again);
  if (!again && !nth_held_is_forked(h))
    nth_held_make_ahead(true);
  return again;
}

struct nth_held *nth_lend_arrive(size_t stack_bytes) {
  nth_huge_stack(stack_bytes);
  struct nth_held *h = nth_heap_alloc(sizeof *h);
  if (!h)
    return 0;
  h->stack_bytes = stack_bytes;
  nth_mutex_lock(&nth_held_pool.lock);
  h->forks = nth_held_pool.forks;
  struct nth_traits traits = nth_held_pool.traits;
  nth_mutex_unlock(&nth_held_pool.lock);
  nth_fresh_begin(&h->fresh, &traits);
  return h;
}

void nth_lend_end(struct nth_held *h) {
  if (h)
    nth_fresh_end(&h->fresh);
  nth_heap_free(h);
  (void)pthread_detach(pthread_self());
}

void *nth_lend_stay(struct nth_held *h) {
  if (!h || !serves_again(h)) {
    if (h && !nth_held_is_forked(h))
      nth_held_make_ahead(true);
    nth_lend_end(h);
    return 0;
  }
  nth_mutex_lock(&nth_held_pool.lock);
  nth_held_pool.held++;
  nth_held_pool.searchers++;
  if (nth_held_pool.held > nth_held_pool.most)
    nth_held_pool.most = nth_held_pool.held;
  return nth_held_live(h);
}
