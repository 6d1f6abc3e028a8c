/* nth.c - the parts of nano-threads, one thread at a time: dependences, ready queues, batches
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "tests/unit/unit.h"

#include <string.h>

#include "runtime/mem/heap.h"
#include "runtime/nth/lrq.h"
#include "runtime/nth/nano.h"

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
  nth_deps_sleep(&d, 0); /* there is no reason to */
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

/* The first of an item; the rest goes into its taker's queue. */
static struct nth_desc *open_item(struct nth_lrq *own, void *item) {
  struct nth_desc *member[NTH_LRQ_TAKE];
  return nth_lrq_keep(own, member, nth_lrq_unpack(item, member));
}

/* The next one that the owner starts, as the scheduler looks for it. */
static struct nth_desc *next(struct nth_lrq *q) {
  struct nth_desc *d[NTH_LRQ_TAKE];
  void *item = nth_lrq_pop(q);
  if (item)
    return open_item(q, item);
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

/* Batches in front of the own queue, small and large, more than the deque holds; and some
 * stolen. */
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
  unit_check(open_item(&thief, item) == &nano[7]);
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

/* What the processor resumes itself needs no lock, and comes before what others resume later. */
static void lrq_again(void) {
  struct nth_lrq *q = empty_queue();
  nth_mutex_lock(&q->inbox);
  nth_lrq_resume_own(q, &nano[0]);
  nth_lrq_resume_own(q, &nano[1]);
  unit_check(nth_lrq_may_resume(q) && !nth_lrq_was_told(q) && nth_lrq_resumed(q) == &nano[0]);
  nth_mutex_unlock(&q->inbox);
  nth_lrq_resume(q, &nano[2]);
  unit_check(nth_lrq_was_told(q) && nth_lrq_valid(q));
  unit_check(nth_lrq_resumed(q) == &nano[1] && !nth_lrq_was_told(q));
  nth_lrq_resume_own(q, &nano[3]);
  unit_check(nth_lrq_resumed(q) == &nano[2] && nth_lrq_resumed(q) == &nano[3]);
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

/* --- batches --- */

/* What the caller keeps, what its domain and the central pool have; then those that were in
 * nobody's hands. */
enum { OWN, DOMAIN, CENTRAL, PLACES, FRESH = PLACES, MOST = 40 };
static struct nth_desc *known[PLACES][MOST];

/* So many descriptors are in each place; returns the caller's pool. */
static struct nth_pool *fill(const uint32_t count[PLACES]) {
  static struct nth_pool pool[PLACES];
  void *d[PLACES * MOST];
  nth_pool_forked(); /* nothing is left of the last test */
  memset(pool, 0, sizeof pool);
  for (int i = 0; i < PLACES; i++)
    nth_pool_init(&pool[i], i == CENTRAL ? NTH_POOL_LOCAL : NTH_POOL_HIER, 1);
  uint32_t at = 0;
  unit_check(nth_pool_take_many(&pool[OWN], NTH_POOL_NANO, PLACES * MOST, d) == PLACES * MOST);
  memset(known, 0, sizeof known);
  for (int i = 0; i < PLACES; i++) {
    for (uint32_t j = 0; j < count[i]; j++) {
      known[i][j] = d[at++];
      nth_deps_set(&known[i][j]->deps, NTH_RUNS, 0);
      nth_desc_give(&pool[i], known[i][j]);
      unit_check(nth_deps_is(&known[i][j]->deps, NTH_FREE));
    }
    if (i != OWN)
      nth_pool_end(&pool[i]);
  }
  unit_check(nth_pool_valid(&pool[OWN]) && nth_pool_levels_valid());
  return &pool[OWN];
}

static uint32_t place_of(const struct nth_desc *d) {
  for (uint32_t i = 0; i < PLACES; i++)
    for (uint32_t j = 0; j < MOST; j++)
      if (d == known[i][j])
        return i;
  return FRESH;
}

/* A batch of n: from[i] of those in place i, from[FRESH] others. */
static void batch(struct nth_pool *pool, uint64_t n, const uint32_t from[PLACES + 1]) {
  struct nth_series series;
  uint32_t got[PLACES + 1] = {0};
  uint64_t length = 0;
  unit_check(nth_nano_gather(pool, n, &series));
  for (struct nth_desc *d = series.first; d != &nth_nano_end; d = d->next, length++) {
    unit_check(nth_deps_is(&d->deps, NTH_GOT) && d->kind == NTH_KIND_THREAD);
    unit_check((d == series.last) == (d->next == &nth_nano_end));
    got[place_of(d)]++;
  }
  unit_check(length == n && memcmp(got, from, sizeof got) == 0);
  unit_check(nth_pool_valid(pool) && nth_pool_levels_valid());
}

/* As figure 6 of "Introducing Batches of Threads" has it, with the levels of the pools in place of
 * the ring: what the nearest one has, then what the next one has, and the rest from memory. */
static void batch_figure6(void) {
  batch(fill((uint32_t[]){2, 3, 6}), 16, (uint32_t[]){2, 3, 6, 5});
  batch(fill((uint32_t[]){2, 14, 6}), 16, (uint32_t[]){2, 14, 0, 0}); /* "if this queue had at least
                                                                       * 14 ..." */
}

static void batch_nearest_first(void) {
  struct nth_pool *pool = fill((uint32_t[]){10, 40, 40});
  batch(pool, 4, (uint32_t[]){4, 0, 0, 0});
  batch(pool, 16, (uint32_t[]){6, 10, 0, 0});
  batch(pool, 50, (uint32_t[]){0, 30, 20, 0});
  batch(pool, 100, (uint32_t[]){0, 0, 20, 80});
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
  unit_run(lrq_again);
  unit_run(lrq_invalid);
  unit_run(batch_figure6);
  unit_run(batch_nearest_first);
  return 0;
}
