/* nth_threads.c - ready queues of nano-threads, and their pools, under real threads
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * All fields of a descriptor but its word are plain memory: the thread sanitizer sees whether the
 * queues order one life of it with the next one.
 */
#include "tests/unit/unit.h"

#include <sched.h>

#include "runtime/nth/lrq.h"
#include "runtime/nth/nano.h"

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__) || NTH_CHECK > 1
enum { SLOWER = 10 };
#else
enum { SLOWER = 1 };
#endif

enum { PROCESSORS = 4, NANOS = 400000 / SLOWER };
static struct nth_lrq queue[PROCESSORS];
static struct nth_pool pool[PROCESSORS];

static _Atomic(uint32_t) ran, made;
static uint64_t sum[PROCESSORS]; /* of the numbers of those that ran here */

/* Number i, with a check in each of its words. */
static void write_on(struct nth_desc *d, uint32_t i) {
  d->nsucc = 0;
  d->narg = (uint8_t)(i % 9);
  for (uint32_t j = 0; j < NTH_DESC_WORDS; j++)
    d->word[j] = i + j;
  nth_deps_set(&d->deps, NTH_READY, 0);
}

static void run(unsigned me, struct nth_desc *d) {
  uintptr_t i = d->word[0];
  unit_check(nth_deps_is(&d->deps, NTH_READY) && d->narg == i % 9);
  for (uint32_t j = 1; j < NTH_DESC_WORDS; j++)
    unit_check(d->word[j] == i + j);
  d->word[0] = 0;
  sum[me] += i;
  nth_desc_give(&pool[me], d);
  nth_add_rlx(&ran, 1);
}

static struct nth_desc *take(unsigned me, struct nth_lrq *q, bool half) {
  struct nth_desc *d[NTH_LRQ_TAKE];
  uint32_t n = nth_lrq_take(q, d, NTH_LRQ_TAKE, half);
  return n > 0 ? nth_lrq_keep(&queue[me], d, n) : 0;
}

/* The first of an item; the rest goes into its taker's queue. */
static struct nth_desc *open_item(struct nth_lrq *own, void *item) {
  struct nth_desc *member[NTH_LRQ_TAKE];
  return nth_lrq_keep(own, member, nth_lrq_unpack(item, member));
}

static struct nth_desc *next(unsigned me, bool deep) {
  struct nth_desc *d = nth_lrq_resumed(&queue[me]);
  void *item = d ? 0 : nth_lrq_pop(&queue[me]);
  if (item)
    return open_item(&queue[me], item);
  if (d || (d = take(me, &queue[me], false)))
    return d;
  for (unsigned i = 1; i < PROCESSORS; i++) {
    struct nth_lrq *from = &queue[(me + i) % PROCESSORS];
    if ((d = take(me, from, true)))
      return d;
    if (deep)
      nth_deque_force(&from->deque);
    if (nth_deque_steal(&from->deque, &item, 1) == 1)
      return open_item(&queue[me], item);
  }
  return 0;
}

/* Makes the numbers begin .. end - 1 in batches of 1 to 20, for any queue. */
static void make_some(unsigned me, uint32_t i, uint32_t n) {
  struct nth_series series;
  unit_check(nth_nano_gather(&pool[me], n, &series));
  uint32_t number = i;
  struct nth_batch batch;
  nth_batch_begin(&batch, series.first, series.last);
  for (struct nth_desc *d = series.first; d != &nth_nano_end; d = d->next) {
    write_on(d, number++);
    nth_batch_add(&batch, d);
  }
  unit_check(number == i + n);
  unsigned to = i % PROCESSORS;
  if (i % 7 == 0 && n == 1)
    nth_lrq_resume(&queue[to], series.first);
  else if (to != me || i % 3 == 0)
    nth_lrq_put(&queue[to], &batch, i % 2);
  else if (n == 1)
    nth_lrq_push(&queue[me], series.first);
  else
    nth_lrq_push_batch(&queue[me], &batch);
}

static void processor(unsigned me) {
  unsigned idle = 0;
  while (nth_load_rlx(&ran) < NANOS) {
    uint32_t i = nth_load_rlx(&made), n = i % 20 + 1;
    if (i < NANOS && (i - nth_load_rlx(&ran) < 3000 || me == 0)) {
      n = n < NANOS - i ? n : NANOS - i;
      if (nth_cas_rlx(&made, &i, i + n))
        make_some(me, i, n);
    }
    for (int turn = 0; turn < 15; turn++) {
      struct nth_desc *d = next(me, idle > 10);
      if (!d) {
        idle++;
        sched_yield();
        break;
      }
      idle = 0;
      run(me, d);
    }
  }
}

static void all_once(void) {
  unit_threads(PROCESSORS, processor);
  uint64_t all = 0;
  for (int i = 0; i < PROCESSORS; i++) {
    unit_check(nth_lrq_valid(&queue[i]) && !nth_lrq_seen(&queue[i]));
    unit_check(nth_pool_valid(&pool[i]));
    nth_pool_end(&pool[i]);
    all += sum[i];
  }
  struct nth_pool_figures f = nth_pool_count(NTH_POOL_NANO);
  unit_check(f.idle == f.made && nth_pool_levels_valid());
  unit_check(nth_load_rlx(&ran) == NANOS && all == (uint64_t)NANOS * (NANOS - 1) / 2);
}

int main(void) {
  unit_begin();
  nth_os_begin();
  for (int i = 0; i < PROCESSORS; i++)
    nth_pool_init(&pool[i], NTH_POOL_HIER, (uint32_t)i % 2);
  unit_run(all_once);
  return 0;
}
