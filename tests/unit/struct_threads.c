/* struct_threads.c - the structures of runtime/struct under real threads and real sleep
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The models (tests/model) look at every order of a few steps; here many steps run in whatever
 * order the machine makes.
 */
#include "tests/unit/unit.h"

#include <limits.h>
#include <sched.h>
#include <string.h>

#include "runtime/struct/bell.h"
#include "runtime/struct/djs.h"
#include "runtime/struct/mutex.h"
#include "runtime/struct/range.h"
#include "runtime/struct/wdarray.h"

/* --- range: every unit once, by whoever --- */

enum { RANGE_MEMBERS = 4, RANGE_UNITS = 100000, RANGE_ROUNDS = 20 };
static struct nth_range range[RANGE_MEMBERS];
static _Atomic(uint8_t) done[RANGE_UNITS];

static void range_drain(unsigned me) {
  uint32_t unit;
  while (nth_range_take(&range[me], &unit)) {
    unit_check(unit < RANGE_UNITS);
    unit_check(nth_add_rlx(&done[unit], 1) == 0);
  }
}

static void range_member(unsigned me) {
  range_drain(me);
  for (unsigned tries = 0; tries < RANGE_MEMBERS; tries++) {
    unsigned victim = (me + 1 + tries) % RANGE_MEMBERS;
    uint32_t next, end;
    if (victim == me || !nth_range_steal(&range[victim], &next, &end))
      continue;
    unit_check(next < end && end <= RANGE_UNITS);
    nth_range_give(&range[me], next, end);
    range_drain(me);
    tries = 0;
  }
}

static void range_once(void) {
  for (int round = 0; round < RANGE_ROUNDS; round++) {
    for (uint32_t i = 0; i < RANGE_UNITS; i++)
      nth_store_rlx(&done[i], 0);
    for (unsigned i = 0; i < RANGE_MEMBERS; i++) /* uneven: two have nothing */
      nth_range_set(&range[i], i < 2 ? i * RANGE_UNITS / 2 : 0,
                    i < 2 ? (i + 1) * RANGE_UNITS / 2 : 0);
    unit_threads(RANGE_MEMBERS, range_member);
    for (uint32_t i = 0; i < RANGE_UNITS; i++)
      unit_check(nth_load_rlx(&done[i]) == 1);
  }
}

/* --- mutex: eight threads count in plain memory --- */

enum { MUTEX_THREADS = 8, MUTEX_COUNTS = 20000 };
static struct nth_mutex mutex;
static long counter;

static void mutex_counter(unsigned me) {
  for (int i = 0; i < MUTEX_COUNTS; i++) {
    if (me % 2 == 0 || !nth_mutex_try(&mutex))
      (me % 4 == 0 ? nth_mutex_lock_soon : nth_mutex_lock)(&mutex);
    counter++;
    if (i % 1024 == 0)
      sched_yield(); /* let the others run into a taken mutex and sleep */
    nth_mutex_unlock(&mutex);
  }
}

static void mutex_counts(void) {
  unit_threads(MUTEX_THREADS, mutex_counter);
  unit_check(counter == (long)MUTEX_THREADS * MUTEX_COUNTS);
  unit_check(nth_load_rlx(&mutex.word) == 0);
}

/* --- bell: many sleepers follow a counter, then share tokens --- */

enum { BELL_THREADS = 12, BELL_STEPS = 500, BELL_TOKENS = 4000 };
static struct nth_bell bell;
static _Atomic(uint32_t) step, followed, tokens, taken;

static void bell_await_step(uint32_t n) {
  while (nth_load_acq(&step) < n) {
    uint32_t ticket = nth_bell_enter(&bell);
    if (nth_load_acq(&step) < n)
      nth_bell_sleep(&bell, ticket, 0);
    nth_bell_leave(&bell);
  }
}

/* Thread 0 steps when all others have followed. */
static void bell_follower(unsigned me) {
  for (uint32_t n = 1; n <= BELL_STEPS; n++) {
    if (me == 0) {
      nth_add_acqrel(&step, 1);
      nth_fence_full();
      nth_bell_ring(&bell, INT_MAX);
      while (nth_load_acq(&followed) < n * (BELL_THREADS - 1))
        sched_yield();
      unit_check(nth_bell_valid(&bell));
    } else {
      bell_await_step(n);
      nth_add_rel(&followed, 1);
    }
  }
}

static bool bell_take(void) {
  uint32_t n = nth_load_acq(&tokens);
  while (n > 0) {
    if (nth_cas_acqrel(&tokens, &n, n - 1))
      return true;
  }
  return false;
}

/* Thread 0 gives tokens one by one and wakes one sleeper for each; the others share them. */
static void bell_taker(unsigned me) {
  if (me == 0) {
    for (int i = 0; i < BELL_TOKENS; i++) {
      nth_add_rel(&tokens, 1);
      nth_fence_full();
      nth_bell_ring(&bell, 1);
    }
    while (nth_load_acq(&taken) < BELL_TOKENS)
      sched_yield();
    nth_add_acqrel(&step, 1); /* the end */
    nth_fence_full();
    nth_bell_ring(&bell, INT_MAX);
    return;
  }
  for (;;) {
    if (bell_take()) {
      nth_add_rel(&taken, 1);
      continue;
    }
    if (nth_load_acq(&step) > 0)
      return;
    uint32_t ticket = nth_bell_enter(&bell);
    if (nth_load_acq(&tokens) == 0 && nth_load_acq(&step) == 0)
      nth_bell_sleep(&bell, ticket, 0);
    nth_bell_leave(&bell);
  }
}

static void bell_steps(void) {
  nth_store_rlx(&bell.seq, UINT32_MAX - BELL_STEPS / 2); /* tickets wrap on the way */
  unit_threads(BELL_THREADS, bell_follower);
  unit_check(nth_load_rlx(&bell.sleepers) == 0);
}

static void bell_tokens(void) {
  nth_store_rlx(&step, 0);
  unit_threads(BELL_THREADS, bell_taker);
  unit_check(nth_load_rlx(&taken) == BELL_TOKENS && nth_load_rlx(&tokens) == 0);
  unit_check(nth_load_rlx(&bell.sleepers) == 0);
}

/* --- fork and join: wdarray out, djs back, the master asleep in between --- */

enum { JOIN_SLAVES = 3, JOIN_REGIONS = 3000 };
static struct nth_wdarray lwd[JOIN_SLAVES], gwd;
static struct nth_djs djs[JOIN_SLAVES];
static long input, result[JOIN_SLAVES];                           /* plain */
static const uint32_t join_base = 0x7fffffffu - JOIN_REGIONS / 2; /* counts wrap on the way */

static void join_get(unsigned i, uint32_t *position, bool group, struct nth_wd *wd) {
  struct nth_wdarray *a = group ? &gwd : &lwd[i];
  while (!nth_wdarray_get(a, position, group, i, wd))
    sched_yield();
}

static void join_await(uint32_t i, uint32_t expect) {
  uint32_t ticket;
  while (!nth_djs_done(&djs[i], expect)) {
    if (nth_djs_announce(&djs[i], expect, &ticket))
      nth_djs_sleep(&djs[i], ticket, 0);
  }
}

static void join_slave(unsigned i, bool group) {
  struct nth_wd wd;
  uint32_t position = 1;
  for (uint32_t n = 1; n <= JOIN_REGIONS; n++) {
    join_get(i, &position, group, &wd);
    unit_check(wd.owner == n);
    result[i] = input + (long)(uintptr_t)wd.data;
    nth_djs_arrive(&djs[i], join_base + n);
  }
}

static void join_master(bool group) {
  for (uint32_t n = 1; n <= JOIN_REGIONS; n++) {
    struct nth_wd wd = {0, (void *)(uintptr_t)n, n, JOIN_SLAVES};
    input = 1000L * n;
    for (unsigned i = 0; i < (group ? 1 : JOIN_SLAVES); i++)
      nth_wdarray_put(group ? &gwd : &lwd[i], &wd);
    for (unsigned i = 0; i < JOIN_SLAVES; i++) {
      join_await(i, join_base + n);
      unit_check(result[i] == 1001L * n);
    }
  }
}

static void join_lwd(unsigned me) {
  if (me == JOIN_SLAVES)
    join_master(false);
  else
    join_slave(me, false);
}
static void join_gwd(unsigned me) {
  if (me == JOIN_SLAVES)
    join_master(true);
  else
    join_slave(me, true);
}

static void join_both(void) {
  for (int group = 0; group < 2; group++) {
    for (unsigned i = 0; i < JOIN_SLAVES; i++)
      nth_store_rlx(&djs[i].count, join_base);
    unit_threads(JOIN_SLAVES + 1, group ? join_gwd : join_lwd);
    unit_check(nth_wdarray_valid(&gwd) && nth_wdarray_valid(&lwd[0]));
  }
}

int main(void) {
  unit_begin();
  unit_run(range_once);
  unit_run(mutex_counts);
  unit_run(bell_steps);
  unit_run(bell_tokens);
  unit_run(join_both);
  return 0;
}
