/* held_threads.c - created threads on held OS threads: each runs once, is joined once
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include <errno.h>

#include "tests/unit/unit.h"

#include "runtime/base/atomic.h"
#include "runtime/sched/hold/held.h"
#include "runtime/sched/hold/tholder.h"
#include "runtime/sched/hold/traits.h"

enum { CREATORS = 4, ROUNDS = 60, AT_ONCE = 20, DEPTH = 8, WAITERS = 80 };

static _Atomic(uint64_t) ran;
static _Atomic(bool) open_now;

static uint64_t start(void *(*f)(void *), void *argument) {
  uint64_t t;
  unit_check(nth_tholder_create(&t, 0, f, argument) == 0);
  return t;
}

static void *result(uint64_t t) {
  void *value = &ran;
  unit_check(nth_tholder_join(t, &value) == 0);
  return value;
}

static void *once(void *argument) {
  nth_add_rlx(&ran, 1);
  return argument;
}

static void *wait_open(void *argument) {
  nth_add_rlx(&ran, 1);
  while (!nth_load_acq(&open_now))
    usleep(1000);
  return argument;
}

/* A tree of threads: each creates two and joins them. Returns how many leaves it has. */
static void *tree(void *depth) {
  uintptr_t d = (uintptr_t)depth;
  if (d == 0)
    return (void *)1;
  uint64_t left = start(tree, (void *)(d - 1)), right = start(tree, (void *)(d - 1));
  return (void *)((uintptr_t)result(left) + (uintptr_t)result(right));
}

/* Joins most, detaches every fifth. */
static void create(unsigned number) {
  uint64_t t[AT_ONCE];
  for (int round = 0; round < ROUNDS; round++) {
    for (uintptr_t i = 0; i < AT_ONCE; i++)
      t[i] = start(once, (void *)(i + number));
    for (uintptr_t i = 0; i < AT_ONCE; i++)
      if (i % 5 == 4)
        unit_check(nth_tholder_detach(t[i]) == 0);
      else
        unit_check(result(t[i]) == (void *)(i + number));
    unit_check(nth_tholder_join(t[0], 0) == ESRCH);
  }
}

static void wait_for(uint64_t n) {
  while (nth_load_rlx(&ran) < n)
    usleep(1000);
}

static void many_creators(void) {
  nth_store_rlx(&ran, 0);
  unit_threads(CREATORS, create);
  wait_for(CREATORS * ROUNDS * AT_ONCE);
}

static void trees(void) {
  for (int i = 0; i < 3; i++)
    unit_check(tree((void *)DEPTH) == (void *)(1u << DEPTH));
}

static void grow_tree(unsigned number) {
  (void)number;
  unit_check(tree((void *)(DEPTH - 2)) == (void *)(1u << (DEPTH - 2)));
}

/* Threads that wait for something that the runtime does not see all start. */
static void waiters(void) {
  uint64_t t[WAITERS];
  nth_store_rlx(&ran, 0);
  for (int i = 0; i < WAITERS; i++)
    t[i] = start(wait_open, &t[i]);
  wait_for(WAITERS);
  nth_store_rel(&open_now, true);
  for (int i = 0; i < WAITERS; i++)
    unit_check(result(t[i]) == &t[i]);
}

/* They ran on OS threads that were used again; idle ones end when they are told to. */
static void held(void) {
  struct nth_held_counts c;
  nth_held_count(&c);
  unit_check(nth_tholder_count().own == 0);
  unit_check(c.made < nth_tholder_count().created / 4);
  nth_store_rlx(&nth_held_settings.idle_ns, 1000000);
  (void)result(start(once, 0));
  for (int i = 0; i < 3000 && c.held > 0; i++, nth_held_count(&c)) /* most sleep for the old time */
    usleep(20000);
  unit_check(c.held == 0 && c.idle == 0);
  (void)result(start(once, 0));
}

/* Rings of io_uring belong to an OS thread, by whatever name the program makes them. */
static void traits(void) {
  unit_check(nth_trait_of("io_uring_setup") == NTH_TRAIT_NEVER);
  unit_check(nth_trait_of("io_uring_queue_init") == NTH_TRAIT_NEVER);
  unit_check(nth_trait_of("io_uring_queue_init_mem") == NTH_TRAIT_NEVER);
  unit_check(nth_trait_of("io_uring_queue_init_params") == NTH_TRAIT_NEVER);
  unit_check(nth_trait_of("io_uring_queue_exit") == 0);
}

int main(void) {
  unit_begin();
  unit_run(traits);
  unit_run(many_creators);
  unit_run(trees);
  unit_threads(CREATORS, grow_tree);
  unit_run(waiters);
  unit_run(held);
  return 0;
}
