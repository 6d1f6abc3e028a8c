/* deque_threads.c - runtime/struct/deque.h under real threads: each item is taken once
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * An owner and three thieves. The owner makes bursts of items and takes some back; now and then it
 * is away in a long task, which ends when thieves have emptied its deque, so by force.
 */
#include "tests/unit/unit.h"

#include <sched.h>
#include <string.h>

#include "runtime/struct/deque.h"

enum { THREADS = 4, ITEMS = 240000, AWAY_EVERY = 2000, FORCE_AFTER = 20 };
static struct nth_deque deque;
static struct item {
  uint32_t number;        /* plain: written before the push */
  _Atomic(uint8_t) taken; /* may be looked at by who has not taken it */
} item[ITEMS];
static uint32_t pushed;        /* so many items have been in the deque; owner */
static _Atomic(uint32_t) done; /* so many have been taken */
static uint32_t by_owner, by_force[THREADS], stolen[THREADS]; /* plain, each thread its own */

static void take(struct item *i) {
  unit_check(i >= item && i < item + ITEMS && i->number == (uint32_t)(i - item) + 1);
  unit_check(nth_add_rlx(&i->taken, 1) == 0);
  nth_add_rel(&done, 1);
}

static uint32_t random_number(void) {
  static uint32_t state = 2463534242u;
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}

/* A burst of items; with a full deque it has to run one itself. */
static void make(uint32_t n) {
  for (; n > 0 && pushed < ITEMS; n--) {
    struct item *i = &item[pushed++];
    i->number = pushed;
    if (!nth_deque_push(&deque, i)) {
      take(i);
      by_owner++;
    }
  }
}

/* At most n of those from base on, which are item[first] and later ones. */
static void run(uint32_t base, uint32_t first, uint32_t n) {
  for (struct item *i; n > 0 && (i = nth_deque_pop(&deque, base)); n--) {
    unit_check(i >= &item[first]);
    take(i);
    by_owner++;
  }
}

static void owner(void) {
  uint32_t away_at = AWAY_EVERY;
  while (pushed < ITEMS) {
    uint32_t first = pushed, base = nth_deque_base(&deque), n = random_number();
    make(n % 64 == 0 ? 2 * NTH_DEQUE_SLOTS : n % 8 + 1);
    unit_check(nth_deque_valid(&deque));
    for (uint32_t i = 0; i < (n >> 24) % 64; i++)
      nth_pause(); /* let the thieves catch up */
    if (n % 128 == 3)
      sched_yield();
    if (n & 256)
      run(base, first, n / 512 % 16);
    if (n & 8192)
      run(base - NTH_DEQUE_SLOTS, 0, 1);
    if (pushed >= away_at) {
      away_at += AWAY_EVERY;
      while (nth_deque_any(&deque))
        sched_yield();
    }
  }
  run(nth_deque_base(&deque) - NTH_DEQUE_SLOTS, 0, NTH_DEQUE_SLOTS);
}

static void thief(unsigned me) {
  void *got[8];
  uint32_t unlucky = 0;
  while (nth_load_acq(&done) < ITEMS) {
    const struct item *seen = nth_deque_oldest(&deque);
    if (seen)
      unit_check(nth_load_rlx(&seen->taken) <= 1);
    uint32_t n = nth_deque_steal(&deque, got, me == 1 ? 1 : 8);
    for (uint32_t i = 0; i < n; i++)
      take(got[i]);
    stolen[me] += n;
    unlucky = n > 0 ? 0 : unlucky + 1;
    if (unlucky >= FORCE_AFTER) {
      unlucky = 0;
      by_force[me] += nth_deque_force(&deque);
      sched_yield();
    }
  }
}

static void member(unsigned me) {
  if (me == 0)
    owner();
  else
    thief(me);
}

/* One item at a time, which the owner takes back at once: force meets pop. */
static void duel(unsigned me) {
  if (me == 0) {
    while (pushed < ITEMS) {
      uint32_t first = pushed, base = nth_deque_base(&deque);
      make(1);
      for (uint32_t i = 0; i < first % 8; i++)
        nth_pause();
      run(base, first, 1);
    }
    return;
  }
  while (nth_load_acq(&done) < ITEMS) {
    void *got;
    by_force[me] += nth_deque_force(&deque);
    if (nth_deque_oldest(&deque) && nth_deque_steal(&deque, &got, 1) == 1) {
      take(got);
      stolen[me]++;
    }
  }
}

static void each_once(unsigned threads, void (*f)(unsigned)) {
  memset(&deque, 0, sizeof deque);
  memset(item, 0, sizeof item);
  nth_store_rlx(&deque.head, UINT32_MAX - ITEMS / 4); /* positions wrap on the way */
  nth_deque_clear(&deque);
  pushed = by_owner = 0;
  nth_store_rlx(&done, 0);
  memset(by_force, 0, sizeof by_force);
  memset(stolen, 0, sizeof stolen);
  unit_threads(threads, f);
  unit_check(nth_deque_valid(&deque) && !nth_deque_any(&deque));
  unit_check(nth_load_rlx(&deque.copied) == nth_load_rlx(&deque.head));
  for (uint32_t i = 0; i < ITEMS; i++)
    unit_check(nth_load_rlx(&item[i].taken) == 1);
  uint32_t thieves = stolen[1] + stolen[2] + stolen[3];
  unit_check(by_owner + thieves == ITEMS);
  printf("  owner %u, thieves %u, forced %u\n", by_owner, thieves,
         by_force[1] + by_force[2] + by_force[3]);
}

static void many(void) { each_once(THREADS, member); }
static void one_by_one(void) { each_once(2, duel); }

static void without_membarrier(void) {
  bool has = nth_os_fences_all;
  nth_os_fences_all = false;
  many();
  one_by_one();
  nth_os_fences_all = has;
}

int main(void) {
  unit_begin();
  nth_os_begin();
  unit_run(many);
  unit_run(one_by_one);
  unit_run(without_membarrier);
  return 0;
}
