/* carried.c - a joiner runs the created thread itself, as an idle held thread
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/sched/hold/carried.h"

#include <pthread.h>

#include "runtime/arch/insn.h"
#include "runtime/arch/switch.h"
#include "runtime/base/clock.h"
#include "runtime/base/futex.h"
#include "runtime/base/os.h"
#include "runtime/sched/hold/called.h"
#include "runtime/sched/nano/carry.h"
#include "runtime/watch/valgrind.h"

/* --- whether it is possible --- */

static bool possible; /* w: find_out(); r: after it */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void find_out(void) {
  pthread_attr_t usual;
  size_t bytes = 0;
  if (!NTH_SWITCH || nth_valgrind() || nth_os_shadow_stack() || nth_fresh_sanitized() ||
      pthread_attr_init(&usual) != 0)
    return;
  possible = pthread_attr_getstacksize(&usual, &bytes) == 0 && bytes >= NTH_CARRIED_LEAST;
  (void)pthread_attr_destroy(&usual);
  nth_switch_begin();
}

bool nth_carried_may(uint32_t which) {
  pthread_once(&once, find_out);
  return possible && !(which & NTH_TRAITS_CARRIED);
}

/* --- the joiner --- */

static bool is_parked(struct nth_held *h) {
  uint32_t idle = NTH_HELD_IDLE;
  return h->parked && nth_cas_rlx(&h->word, &idle, NTH_HELD_CARRIED);
}

/* Takes e out of the queue, and a parked thread out of the list; NULL: nothing. In the lock. */
static struct nth_held *take(struct nth_errand *e) {
  struct nth_held *h = e->queued ? nth_held_pool.newest_idle : 0;
  for (int i = 0; h && !is_parked(h); i++)
    h = i < NTH_CARRIED_TRIES ? h->older : 0;
  if (!h)
    return 0;
  nth_held_unlist(h);
  nth_held_take_this(e);
  nth_held_pool.carried++;
  h->errand = e;
  h->home = false;
  return h;
}

/* h is idle again; its OS thread has slept all the time. */
static void give_back(struct nth_held *h, bool passes) {
  nth_mutex_lock(&nth_held_pool.lock);
  h->errand = 0;
  h->joiner = 0;
  h->idle_since = nth_clock_ns();
  (void)nth_xchg_rel(&h->word, NTH_HELD_IDLE); /* H */
  nth_held_list(h);
  if (h->watches && !nth_held_pool.sentry)
    nth_held_pool.sentry = h;
  if (nth_held_pool.oldest_idle == h && h->sleeps_on)
    nth_held_look(h);
  if (!passes)
    nth_held_add_running(-1);
  nth_assert_valid(nth_held_valid());
  nth_mutex_unlock(&nth_held_pool.lock);
}

/* The errand's first frame, on the stack of h. */
static void begin(void *arg) {
  struct nth_held *h = arg;
  void *result = 0;
  if (!nth_held_run(h, h->errand, &result))
    pthread_exit(result); /* on its own OS thread, whose first frames are still there */
  nth_switch(&h->sp, h->joiner, h->joiner_pointer);
  nth_assert(false && "nobody comes back");
}

enum nth_carried nth_carried_run(struct nth_errand *e, bool passes) {
  nth_mutex_lock(&nth_held_pool.lock);
  struct nth_held *h = take(e);
  if (h && !passes)
    nth_held_add_running(1);
  struct nth_held_call c = nth_held_call_unless_left();
  nth_mutex_unlock(&nth_held_pool.lock);
  (void)nth_held_answer(c);
  if (!h)
    return NTH_CARRIED_NOT;
  nth_called_send();
  h->joiner_pointer = nth_switch_pointer();
  uint32_t raised = nth_float_flags();
  uint64_t control = nth_switch_control();
  nth_switch(&h->joiner, nth_switch_make(h->top, begin, h, control), h->pointer);
  if (nth_switch_control() != control) /* nth_switch() leaves what has been raised */
    nth_set_control(control);
  if (nth_float_flags() != raised)
    nth_set_float_flags(raised);
  if (h->home) {
    (void)nth_xchg_rel(&h->word, NTH_HELD_RETURNS); /* H */
    nth_futex_wake(&h->word, 1);
    return NTH_CARRIED_HOME;
  }
  nth_assert(nth_errand_kind(nth_load_rlx(&e->state)) == NTH_ERRAND_DONE);
  give_back(h, passes);
  return NTH_CARRIED_DONE;
}

void nth_carried_learn(uint64_t made_at) {
  uint32_t row = nth_load_rlx(&nth_held_pool.at_once);
  bool soon = nth_clock_ns() - made_at < NTH_CARRIED_AT_ONCE_NS;
  uint32_t next = !soon ? 0 : row < NTH_CARRIED_ROW ? row + 1 : row;
  if (next != row)
    nth_store_rlx(&nth_held_pool.at_once, next);
}

bool nth_carried_at_once(void) { return nth_load_rlx(&nth_held_pool.at_once) >= NTH_CARRIED_ROW; }

/* --- the held thread --- */

void nth_carried_park(struct nth_held *h) {
  h->parked = nth_carried_may(nth_fresh_look());
  if (!h->parked)
    return;
  h->mask = nth_traits_block();
  if (h->pointer != 0)
    return;
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  h->top = (void *)((here - NTH_REST_BYTES) & ~(uintptr_t)63);
  nth_carry_unregister_rseq(nth_switch_pointer());
  h->pointer = nth_switch_pointer();
}

void nth_carried_unpark(struct nth_held *h) {
  if (h->parked)
    nth_traits_set_mask(h->mask);
  h->parked = false;
}

bool nth_carried_watches(struct nth_held *h) {
  nth_assert(nth_mutex_is_held(&nth_held_pool.lock));
  if (h->listed && h->parked && !nth_held_pool.sentry && nth_carried_at_once()) {
    nth_held_pool.sentry = h;
    h->looks = 0;
  }
  if (nth_held_pool.sentry == h) {
    h->looks = h->carried == nth_held_pool.carried ? h->looks + 1 : 0;
    h->carried = nth_held_pool.carried;
    if (h->looks > NTH_CARRIED_LOOKS && nth_load_rlx(&nth_held_pool.pending) == 0)
      nth_held_pool.sentry = 0;
  }
  h->watches = nth_held_pool.sentry == h;
  return h->watches;
}

bool nth_carried_is_late(uint64_t now) {
  const struct nth_errand *e = nth_held_pool.oldest;
  return e && now - e->made_at >= NTH_CARRIED_LOOK_NS / 2;
}

/* The OS thread of h goes on with the errand that it has in hand, for good. */
static void go_on(struct nth_held *h) {
  void *rest;
  nth_carried_unpark(h);
  nth_switch(&rest, h->sp, h->pointer);
}

bool nth_carried_sleep(struct nth_held *h, uint64_t limit) {
  bool over;
  uint32_t word = NTH_HELD_IDLE;
  do {
    over = nth_futex_wait(&h->word, word, limit);
    word = NTH_HELD_IDLE;
    if (nth_cas_acq(&h->word, &word, NTH_HELD_LOOKS)) /* H */
      return over;
  } while (word == NTH_HELD_CARRIED);
  if (word == NTH_HELD_RETURNS)
    go_on(h);
  return over;
}

void nth_carried_come_home(struct nth_held *h) {
  if (!h->joiner || h->errand->own)
    return; /* it is here; or this is a forked child, which has no other OS thread */
  void *joiner = h->joiner;
  h->joiner = 0;
  h->home = true;
  nth_switch(&h->sp, joiner, h->joiner_pointer);
}
