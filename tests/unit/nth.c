/* nth.c - the parts of nano-threads, one thread at a time: dependences, ready and recycling queues
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "tests/unit/unit.h"

#include <string.h>

#include "runtime/mem/heap.h"
#include "runtime/nth/lrq.h"
#include "runtime/nth/recycle.h"

/* --- deps --- */

static void deps_states(void) {
  struct nth_deps d = {0};
  unit_check(nth_deps_is(&d, NTH_FREE) && nth_deps_valid(&d)); /* zeroed memory */
  unit_check(nth_deps_add(&d, 1) == EINVAL && nth_deps_sub(&d, 1) == NTH_DEPS_NOTHING);
  nth_deps_set(&d, NTH_GOT, 0);
  unit_check(nth_deps_add(&d, 1) == EINVAL);
  nth_deps_set(&d, NTH_MADE, 2);
  unit_check(nth_deps_add(&d, 3) == 0 && nth_deps_count(nth_load_rlx(&d.word)) == 5);
  unit_check(nth_deps_sub(&d, 4) == NTH_DEPS_NOTHING && nth_deps_state(&d) == NTH_MADE);
  unit_check(nth_deps_sub(&d, 1) == NTH_DEPS_READY && nth_deps_is(&d, NTH_READY));
  unit_check(nth_deps_sub(&d, 1) == NTH_DEPS_NOTHING && nth_deps_is(&d, NTH_READY));
  unit_check(nth_deps_add(&d, 1) == EINVAL && nth_deps_valid(&d));
}

static void deps_block(void) {
  struct nth_deps d;
  nth_deps_set(&d, NTH_RUNS, 0);
  unit_check(nth_deps_block(&d) == EINVAL && nth_deps_is(&d, NTH_RUNS));
  unit_check(nth_deps_add(&d, 1) == 0);
  unit_check(nth_deps_block(&d) == EALREADY && nth_deps_is(&d, NTH_RUNS));
  unit_check(nth_deps_add(&d, 3) == 0 && nth_deps_block(&d) == 0);
  unit_check(nth_deps_state(&d) == NTH_BLOCKED && nth_deps_valid(&d));
  unit_check(nth_deps_add(&d, 1) == 0); /* by one of those it waits for */
  unit_check(nth_deps_sub(&d, 2) == NTH_DEPS_NOTHING);
  unit_check(nth_deps_sub(&d, 1) == NTH_DEPS_RESUME && nth_deps_is(&d, NTH_READY));
}

static void deps_await(void) {
  struct nth_deps d;
  nth_deps_set(&d, NTH_RUNS, 3);
  unit_check(nth_deps_await(&d) == 0 && nth_deps_state(&d) == NTH_AWAITS && !nth_deps_done(&d));
  unit_check(nth_deps_sub(&d, 2) == NTH_DEPS_NOTHING && nth_deps_done(&d));
  nth_deps_sleep(&d); /* there is no reason to */
  nth_deps_set(&d, NTH_SLEEPS, 1);
  unit_check(nth_deps_sub(&d, 1) == NTH_DEPS_WAKE && nth_deps_done(&d));
}

static void deps_limits(void) {
  struct nth_deps d;
  nth_deps_set(&d, NTH_RUNS, 0);
  unit_check(nth_deps_add(&d, UINT32_MAX) == EOVERFLOW);
  unit_check(nth_deps_add(&d, NTH_DEPS_MOST) == 0 && nth_deps_add(&d, 0) == 0);
  unit_check(nth_deps_add(&d, 1) == EOVERFLOW && nth_deps_state(&d) == NTH_RUNS);
  unit_check(nth_deps_sub(&d, NTH_DEPS_MOST) == NTH_DEPS_NOTHING && nth_deps_is(&d, NTH_RUNS));
  nth_deps_set(&d, NTH_BLOCKED, 2);
  unit_check(nth_deps_sub(&d, 100) == NTH_DEPS_RESUME && nth_deps_is(&d, NTH_READY));
  nth_deps_set(&d, NTH_BLOCKED, 0);
  unit_check(!nth_deps_valid(&d));
  nth_deps_set(&d, NTH_FREE, 1);
  unit_check(!nth_deps_valid(&d));
}

/* --- ready queue --- */

enum { NANOS = 4 * NTH_DEQUE_SLOTS };
static struct nth_desc nano[NANOS];
static struct nth_lrq queue;

static struct nth_lrq *empty_queue(void) {
  memset(&queue, 0, sizeof queue);
  for (int i = 0; i < NANOS; i++)
    nth_deps_set(&nano[i].deps, NTH_READY, 0);
  unit_check(nth_lrq_valid(&queue) && !nth_lrq_seen(&queue));
  return &queue;
}

static struct nth_batch *batch_of(int from, int to) {
  static struct nth_batch b;
  nth_batch_begin(&b, &nano[from], &nano[to - 1]);
  for (int i = from; i < to; i++) {
    nano[i].next = i + 1 < to ? &nano[i + 1] : 0;
    nth_batch_add(&b, &nano[i]);
  }
  return &b;
}

static void put(struct nth_lrq *q, int from, int to, bool at_end) {
  nth_lrq_put(q, batch_of(from, to), at_end);
  unit_check(nth_lrq_valid(q) && nth_lrq_seen(q));
}

/* The next one that the owner starts, as the scheduler looks for it. */
static struct nth_desc *next(struct nth_lrq *q) {
  struct nth_desc *d[NTH_LRQ_TAKE];
  void *item = nth_lrq_pop(q);
  if (item)
    return nth_lrq_open(q, item);
  uint32_t n = nth_lrq_take(q, d, NTH_LRQ_TAKE, false);
  unit_check(n <= NTH_LRQ_TAKE);
  return n > 0 ? nth_lrq_keep(q, d, n) : 0;
}

static void gives(struct nth_lrq *q, int from, int to) {
  for (int i = from; i < to; i++) {
    unit_check(next(q) == &nano[i]);
    unit_check(nth_lrq_valid(q));
  }
}

static void is_empty(struct nth_lrq *q) {
  unit_check(!next(q) && !nth_lrq_seen(q) && nth_lrq_valid(q));
}

static void lrq_order(void) {
  struct nth_lrq *q = empty_queue();
  put(q, 10, 20, false);
  put(q, 20, 25, true);
  put(q, 5, 10, false);
  put(q, 25, 26, true);
  for (int i = 4; i >= 0; i--)
    nth_lrq_push(q, &nano[i]);
  gives(q, 0, 26);
  is_empty(q);
}

/* What others put in front comes behind what has been taken out, and before the rest. */
static void lrq_front_late(void) {
  struct nth_lrq *q = empty_queue();
  put(q, 0, 8, true);
  put(q, 10, 20, true);
  gives(q, 0, 1);
  put(q, 8, 10, false);
  gives(q, 1, 20);
  is_empty(q);
}

/* More than the deque holds, one by one and as series between. */
static void lrq_spill(void) {
  struct nth_lrq *q = empty_queue();
  put(q, NANOS - 2, NANOS, true);
  for (int i = NANOS - 3; i >= NANOS / 2; i--)
    nth_lrq_push(q, &nano[i]);
  unit_check(nth_lrq_valid(q));
  nth_lrq_push_batch(q, batch_of(100, NANOS / 2));
  unit_check(nth_lrq_valid(q));
  for (int i = 99; i >= 10; i--)
    nth_lrq_push(q, &nano[i]);
  nth_lrq_push_batch(q, batch_of(0, 10));
  gives(q, 0, NANOS);
  is_empty(q);
}

/* In each list everybody knows who comes NTH_AHEAD places behind, whatever the batches' sizes. */
static void knows_ahead(const struct nth_desc *first, int n) {
  const struct nth_desc *behind = first;
  for (int i = 0; i < (int)NTH_AHEAD && behind; i++)
    behind = behind->next;
  for (int i = 0; i + (int)NTH_AHEAD < n; i++, first = first->next, behind = behind->next)
    unit_check(first->ahead == behind);
}

static void lrq_ahead(void) {
  static const int sizes[] = {1, 1, 2, 1, 3, 3, 4, 1, 5, 8, 2, 2, 17, 1, 1, 1, 7, 4, 4, 6};
  struct nth_lrq *q = empty_queue();
  int front = NANOS / 4, end = front, near = NANOS / 2, far = near;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    nth_lrq_push_long(q, batch_of(front - sizes[i], front));
    front -= sizes[i];
    knows_ahead(q->stock.first, end - front);
  }
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    put(q, near - sizes[i], near, false);
    near -= sizes[i];
    knows_ahead(q->front.first, NANOS / 2 - near);
    put(q, far, far + sizes[i], true);
    far += sizes[i];
    knows_ahead(q->end.first, far - NANOS / 2);
  }
  gives(q, near, NANOS / 2);
  gives(q, front, end);
  gives(q, NANOS / 2, far);
  is_empty(q);
  put(q, 0, 3, true); /* nobody writes into those that were taken */
  unit_check(nano[far - 1].ahead == 0);
  gives(q, 0, 3);
}

/* Batches in front of the own queue, small and large, more than the deque holds; and some stolen. */
static void lrq_packs(void) {
  struct nth_lrq *q = empty_queue();
  int from = NANOS;
  for (unsigned i = 0, size; from > 0; i++, from -= (int)size) {
    size = i * 7 % (NTH_LRQ_TAKE + (i % 50 == 0 ? 20 : 0)) + 1;
    size = (int)size < from ? size : (unsigned)from;
    nth_lrq_push_batch(q, batch_of(from - (int)size, from));
    unit_check(nth_lrq_valid(q) && nth_lrq_seen(q));
  }
  gives(q, 0, NANOS);
  is_empty(q);
  nth_lrq_push_batch(q, batch_of(7, 10));
  nth_lrq_push_batch(q, batch_of(5, 7));
  nth_lrq_push(q, &nano[4]);
  nth_deque_publish(&q->deque);
  static struct nth_lrq thief;
  void *item;
  unit_check(nth_deque_steal(&q->deque, &item, 1) == 1 && nth_lrq_is_pack(item));
  unit_check(nth_lrq_open(&thief, item) == &nano[7]);
  gives(&thief, 8, 10);
  is_empty(&thief);
  gives(q, 4, 7);
  is_empty(q);
}

static void lrq_take_half(void) {
  struct nth_lrq *q = empty_queue();
  struct nth_desc *d[NTH_LRQ_TAKE];
  unit_check(nth_lrq_take(q, d, NTH_LRQ_TAKE, true) == 0);
  put(q, 0, 1, false);
  unit_check(nth_lrq_take(q, d, NTH_LRQ_TAKE, true) == 1 && d[0] == &nano[0]);
  put(q, 0, 5, true);
  unit_check(nth_lrq_take(q, d, NTH_LRQ_TAKE, true) == 3 && d[2] == &nano[2]);
  put(q, 5, 100, true);
  unit_check(nth_lrq_take(q, d, NTH_LRQ_TAKE, true) == NTH_LRQ_TAKE && d[0] == &nano[3]);
  unit_check(nth_lrq_take(q, d, 1, true) == 1);
  unit_check(nth_lrq_valid(q));
}

static void lrq_resumed(void) {
  struct nth_lrq *q = empty_queue();
  unit_check(!nth_lrq_may_resume(q) && !nth_lrq_resumed(q));
  put(q, 10, 11, false);
  for (int i = 0; i < 5; i++)
    nth_lrq_resume(q, &nano[i]);
  unit_check(nth_lrq_may_resume(q) && nth_lrq_valid(q));
  for (int i = 0; i < 5; i++)
    unit_check(nth_lrq_resumed(q) == &nano[i] && nth_lrq_valid(q));
  unit_check(!nth_lrq_resumed(q));
  gives(q, 10, 11);
  is_empty(q);
}

/* valid() sees what is wrong. */
static void lrq_invalid(void) {
  struct nth_lrq *q = empty_queue();
  put(q, 0, 3, false);
  nth_store_rlx(&q->inbox_count, 2);
  unit_check(!nth_lrq_valid(q));
  nth_store_rlx(&q->inbox_count, 3);
  nth_deps_set(&nano[1].deps, NTH_RUNS, 0);
  unit_check(!nth_lrq_valid(q));
  nth_deps_set(&nano[1].deps, NTH_READY, 0);
  unit_check(nth_lrq_valid(q));
}

/* --- recycling queues --- */

enum { QUEUES = 4, MOST = 100 };
static struct nth_recycle recycle[QUEUES];
static struct nth_desc spent[QUEUES][MOST];

static struct nth_recycle *at(void *of, uint32_t i) { return (struct nth_recycle *)of + i; }
static const struct nth_ring ring = {at, recycle, QUEUES};

/* Queue i holds count[i] descriptors, in bundles. */
static void fill(const uint32_t count[QUEUES]) {
  for (uint32_t i = 0; i < QUEUES; i++) {
    for (struct nth_desc *slab; (slab = recycle[i].slabs);) {
      recycle[i].slabs = slab->next;
      nth_heap_free(slab);
    }
  }
  memset(recycle, 0, sizeof recycle);
  for (uint32_t i = 0; i < QUEUES; i++) {
    for (uint32_t j = 0; j < count[i]; j++) {
      nth_deps_set(&spent[i][j].deps, NTH_RUNS, 0);
      nth_recycle_give(&recycle[i], &spent[i][j]);
      unit_check(nth_recycle_valid(&recycle[i]));
    }
    nth_recycle_flush(&recycle[i]);
    unit_check(nth_recycle_valid(&recycle[i]) && recycle[i].kept == 0);
  }
}

/* Whose the descriptor is; QUEUES: new memory. */
static uint32_t owner_of(const struct nth_desc *d) {
  for (uint32_t i = 0; i < QUEUES; i++)
    if (d >= spent[i] && d < spent[i] + MOST)
      return i;
  return QUEUES;
}

/* A batch of n for processor `me`: from[i] of queue i's, from[QUEUES] new ones. Returns the visits. */
static uint32_t batch(uint32_t me, uint64_t n, const uint32_t from[QUEUES + 1]) {
  struct nth_series series;
  uint32_t visits = nth_recycle_gather(&recycle[me], &ring, me, n, &series), got[QUEUES + 1] = {0};
  uint64_t length = 0;
  for (struct nth_desc *d = series.first; d; d = d->next, length++) {
    unit_check(nth_deps_is(&d->deps, NTH_GOT));
    unit_check((d == series.last) == !d->next);
    got[owner_of(d)]++;
  }
  unit_check(length == n && visits <= QUEUES);
  unit_check(memcmp(got, from, sizeof got) == 0);
  for (uint32_t i = 0; i < QUEUES; i++)
    unit_check(nth_recycle_valid(&recycle[i]));
  return visits;
}

/* Figure 6 of "Introducing Batches of Threads": a batch of 16 for processor 2 finds 2, 3, 5 and 1
 * descriptors in queues 2, 3, 0 and 1, and gets the other 5 from memory. */
static void recycle_figure6(void) {
  fill((uint32_t[]){5, 1, 2, 3});
  unit_check(batch(2, 16, (uint32_t[]){5, 1, 2, 3, 5}) == QUEUES);
  fill((uint32_t[]){5, 1, 2, 14}); /* "if this queue had at least 14 ..." */
  unit_check(batch(2, 16, (uint32_t[]){0, 0, 2, 14, 0}) == 2);
}

static void recycle_own_first(void) {
  fill((uint32_t[]){0, 40, 40, 40});
  unit_check(batch(1, 16, (uint32_t[]){0, 16, 0, 0, 0}) == 1);
  unit_check(batch(1, 24, (uint32_t[]){0, 24, 0, 0, 0}) == 1);
  unit_check(batch(1, 40, (uint32_t[]){0, 0, 40, 0, 0}) == 2);
  unit_check(batch(1, 1, (uint32_t[]){0, 0, 0, 1, 0}) == 3);
  unit_check(batch(1, 50, (uint32_t[]){0, 0, 0, 39, 11}) == QUEUES);
}

/* What a bundle has too many stays with who has taken it. */
static void recycle_surplus(void) {
  fill((uint32_t[]){0, 0, 8, 0});
  unit_check(batch(0, 3, (uint32_t[]){0, 0, 3, 0, 0}) == 3);
  unit_check(recycle[0].kept == 5);
  unit_check(batch(0, 5, (uint32_t[]){0, 0, 5, 0, 0}) == 0);
  unit_check(recycle[0].kept == 0);
}

static void recycle_one_by_one(void) {
  static struct nth_desc *seen[MOST];
  fill((uint32_t[]){20, 0, 0, 3});
  for (int i = 0; i < 30; i++) {
    struct nth_desc *d = seen[i] = nth_recycle_take(&recycle[0], &ring, 0);
    unit_check(owner_of(d) == (i < 20 ? 0 : i < 23 ? 3 : QUEUES));
    for (int j = 0; j < i; j++)
      unit_check(seen[j] != d);
  }
  for (int i = 0; i < 30; i++)
    nth_recycle_give(&recycle[0], seen[i]);
  unit_check(recycle[0].kept <= NTH_RECYCLE_KEPT && nth_recycle_valid(&recycle[0]));
  unit_check(nth_recycle_take(&recycle[0], &ring, 0) == seen[29]); /* the one used last */
}

static void recycle_invalid(void) {
  fill((uint32_t[]){20, 0, 0, 0});
  nth_deps_set(&recycle[0].bundles->deps, NTH_READY, 0);
  unit_check(!nth_recycle_valid(&recycle[0]));
  nth_deps_set(&recycle[0].bundles->deps, NTH_FREE, 0);
  unit_check(nth_recycle_valid(&recycle[0]));
  nth_store_rlx(&recycle[0].count, 7);
  unit_check(!nth_recycle_valid(&recycle[0]));
}

int main(void) {
  unit_begin();
  unit_run(deps_states);
  unit_run(deps_block);
  unit_run(deps_await);
  unit_run(deps_limits);
  unit_run(lrq_order);
  unit_run(lrq_front_late);
  unit_run(lrq_spill);
  unit_run(lrq_ahead);
  unit_run(lrq_packs);
  unit_run(lrq_take_half);
  unit_run(lrq_resumed);
  unit_run(lrq_invalid);
  unit_run(recycle_figure6);
  unit_run(recycle_own_first);
  unit_run(recycle_surplus);
  unit_run(recycle_one_by_one);
  unit_run(recycle_invalid);
  return 0;
}
