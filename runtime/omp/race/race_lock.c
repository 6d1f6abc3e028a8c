/* race_lock.c - the thread sanitizer hears of locks, critical, atomic and ordered regions
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The token of a lock is its address. A lock that is left is free before its event comes, so the
 * next owner may hear that it has the lock before the last owner has released the token. Therefore
 * a table has the locks that are held as far as events tell, and the next owner waits for the last
 * one's event. A program may end a lock in ways that no event tells (memory that is freed), so the
 * wait has a limit.
 */
#include <sched.h>
#include <stdlib.h>

#include "runtime/arch/section.h"
#include "runtime/base/clock.h"
#include "runtime/omp/race/race.h"
#include "runtime/struct/mutex.h"

enum { BUCKETS = 256, PATIENCE_NS = 1000000000 };

struct held {
  struct held *next;
  ompt_wait_id_t lock;
};

/* Held locks of one hash. w, r: any, under the lock. */
static struct {
  struct nth_mutex lock;
  struct held *first;
} buckets[BUCKETS] NTH_SPARSE;

static uint32_t bucket_of(ompt_wait_id_t lock) {
  return (uint32_t)((lock >> 2 ^ lock >> 10) % BUCKETS);
}

static void enter(uint32_t b) {
  while (!nth_mutex_try(&buckets[b].lock))
    sched_yield();
}
static void leave(uint32_t b) { (void)nth_mutex_unlock(&buckets[b].lock); }

static struct held **find(uint32_t b, ompt_wait_id_t lock) {
  struct held **at = &buckets[b].first;
  while (*at && (*at)->lock != lock)
    at = &(*at)->next;
  return at;
}

/* Makes a lock held, once its last owner has told. */
static void hold(ompt_wait_id_t lock) {
  struct held *mine = malloc(sizeof *mine);
  uint32_t b = bucket_of(lock);
  uint64_t until = 0;
  if (!mine)
    return;
  mine->lock = lock;
  enter(b);
  while (*find(b, lock) && (until == 0 || nth_clock_ns() < until)) {
    leave(b);
    until = until ? until : nth_clock_ns() + PATIENCE_NS;
    sched_yield();
    enter(b);
  }
  mine->next = buckets[b].first;
  buckets[b].first = mine;
  leave(b);
}

static void drop(ompt_wait_id_t lock) {
  uint32_t b = bucket_of(lock);
  enter(b);
  struct held **at = find(b, lock), *it = *at;
  if (it)
    *at = it->next;
  leave(b);
  nth_race_free(it);
}

/* --- events --- */

static void on_acquired(ompt_mutex_t kind, ompt_wait_id_t lock, const void *ra) {
  (void)kind, (void)ra;
  if (!lock)
    return;
  hold(lock);
  nth_race_acquire((void *)(uintptr_t)lock);
}

static void on_released(ompt_mutex_t kind, ompt_wait_id_t lock, const void *ra) {
  (void)kind, (void)ra;
  if (!lock)
    return;
  nth_race_release((void *)(uintptr_t)lock);
  drop(lock);
}

/* A new lock at an old one's address. */
static void on_init(ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t lock,
                    const void *ra) {
  (void)kind, (void)hint, (void)impl, (void)ra;
  drop(lock);
}

NTH_IN_CHILD void nth_race_lock_forked(void) {
  for (uint32_t b = 0; b < BUCKETS; b++) {
    nth_mutex_init(&buckets[b].lock);
    buckets[b].first = 0;
  }
}

void nth_race_lock_begin(void) {
  nth_store_rlx(&nth_tool.call.mutex_acquired, on_acquired);
  nth_store_rlx(&nth_tool.call.mutex_released, on_released);
  nth_store_rlx(&nth_tool.call.lock_init, on_init);
}
