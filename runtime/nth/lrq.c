/* lrq.c - local ready queue of a processor: its nano-threads that can start, and those to resume
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/nth/lrq.h"

static uint32_t measure(const struct nth_series *c);

/* Under the count's lock. */
static void count(_Atomic(uint32_t) *counter, uint32_t n) {
  nth_store_rlx(counter, nth_load_rlx(counter) + n);
}

void nth_lrq_put(struct nth_lrq *q, struct nth_batch *batch, bool at_end) {
  struct nth_series series = batch->series;
  nth_assert(batch->size > 0 && series.first && series.last);
  nth_assert_valid(measure(&series) == batch->size); /* I1 */
  nth_mutex_lock_soon(&q->inbox);
  if (at_end) {
    nth_rear_put(&q->far, batch);
    nth_series_join(&q->end, &series);
  } else {
    nth_front_put(&q->near, batch);
    nth_series_join(&series, &q->front);
    q->front = series;
  }
  count(&q->inbox_count, batch->size);
  nth_mutex_unlock(&q->inbox);
  nth_deque_fence();
}

void nth_lrq_resume(struct nth_lrq *q, struct nth_desc *d) {
  nth_assert(nth_deps_is(&d->deps, NTH_READY));
  nth_mutex_lock_soon(&q->inbox);
  nth_series_append(&q->resumed, d);
  count(&q->resumed_count, 1);
  nth_mutex_unlock(&q->inbox);
  nth_deque_fence();
}

/* --- the processor --- */

static void take_resumed(struct nth_lrq *q) {
  nth_mutex_lock_soon(&q->inbox);
  struct nth_series resumed = q->resumed;
  q->resumed = (struct nth_series){0, 0};
  nth_store_rlx(&q->resumed_count, 0);
  nth_mutex_unlock(&q->inbox);
  nth_assert(resumed.first); /* only this processor takes them */
  nth_series_join(&q->again, &resumed);
}

struct nth_desc *nth_lrq_resumed_slow(struct nth_lrq *q) {
  if (nth_load_rlx(&q->resumed_count) != 0)
    take_resumed(q);
  struct nth_desc *d = nth_series_pop(&q->again);
  nth_assert(d && nth_deps_is(&d->deps, NTH_READY));
  return d;
}

/* Puts a batch in front of the stock. Under the takers' lock. */
static void restock(struct nth_lrq *q, struct nth_batch *batch) {
  struct nth_series series = batch->series;
  nth_assert(nth_mutex_is_held(&q->takers) && series.first && series.last);
  nth_front_put(&q->stocked, batch);
  nth_series_join(&series, &q->stock);
  q->stock = series;
  count(&q->stock_count, batch->size);
}

/* Moves what others have put into the stock. Under the takers' lock. */
static void empty_inbox_slow(struct nth_lrq *q) {
  nth_assert(nth_mutex_is_held(&q->takers)); /* I3 */
  nth_mutex_lock_soon(&q->inbox);
  uint32_t n = nth_load_rlx(&q->inbox_count);
  struct nth_series front = q->front, end = q->end;
  if (front.first)
    q->stocked = q->near;
  q->front = q->end = (struct nth_series){0, 0};
  nth_rear_clear(&q->far);
  nth_store_rlx(&q->inbox_count, 0);
  nth_mutex_unlock(&q->inbox);
  nth_assert((front.first || end.first) == (n > 0)); /* I2 */
  nth_series_join(&front, &q->stock);
  nth_series_join(&front, &end);
  q->stock = front;
  count(&q->stock_count, n);
}
static inline void empty_inbox(struct nth_lrq *q) {
  if (nth_load_rlx(&q->inbox_count) != 0)
    empty_inbox_slow(q);
}

/* Adds an item's nano-threads to a batch; returns the last one. */
static inline struct nth_desc *add_item(struct nth_batch *b, void *item) {
  struct nth_desc *d = nth_lrq_first(item);
  if (!nth_lrq_is_pack(item)) {
    nth_batch_add(b, d);
    return d;
  }
  nth_batch_add_known(b, d, d->pack);
  return d->last;
}

/* The deque's oldest items are the queue's last, so each piece goes in front of the piece before
 * it. Of a pack only the first and the last member are touched. */
void nth_lrq_spill(struct nth_lrq *q) {
  void *item[64];
  uint32_t n;
  nth_mutex_lock_soon(&q->takers);
  empty_inbox(q); /* the deque's items go in front of it */
  nth_deque_publish(&q->deque);
  while ((n = nth_deque_steal(&q->deque, item, 64)) > 0) {
    struct nth_batch piece;
    nth_batch_begin(&piece, nth_lrq_first(item[n - 1]), 0);
    for (uint32_t i = n; i-- > 0;) {
      struct nth_desc *last = add_item(&piece, item[i]);
      last->next = i > 0 ? nth_lrq_first(item[i - 1]) : 0;
      piece.series.last = last;
    }
    restock(q, &piece);
  }
  nth_assert_valid(nth_deque_valid(&q->deque) && nth_deque_items_valid(&q->deque));
  nth_mutex_unlock(&q->takers);
}

void nth_lrq_push_slow(struct nth_lrq *q, void *item) {
  nth_lrq_spill(q);
  if (nth_deque_push(&q->deque, item))
    return;
  struct nth_batch alone; /* a thief is copying, and its slots are not free yet */
  nth_batch_begin(&alone, nth_lrq_first(item), 0);
  alone.series.last = add_item(&alone, item);
  nth_lrq_put(q, &alone, false);
}

void nth_lrq_push_long(struct nth_lrq *q, struct nth_batch *batch) {
  nth_assert_valid(measure(&batch->series) == batch->size); /* I1 */
  if (nth_deque_any(&q->deque))
    nth_lrq_spill(q);
  nth_mutex_lock_soon(&q->takers);
  empty_inbox(q); /* the batch goes in front of it */
  restock(q, batch);
  nth_mutex_unlock(&q->takers);
  nth_deque_fence();
}

uint32_t nth_lrq_unpack(void *item, struct nth_desc *member[]) {
  struct nth_desc *d = member[0] = nth_lrq_first(item);
  if (!nth_lrq_is_pack(item))
    return 1;
  uint32_t n = d->pack;
  nth_assert(n > 0 && n <= NTH_LRQ_TAKE);
  for (uint32_t i = 0; i < n; i++, d = d->next) {
    __builtin_prefetch(d->ahead, 1);
    member[i] = d;
  }
  nth_assert(member[n - 1] == member[0]->last); /* I4 */
  return n;
}

/* --- processor and others --- */

uint32_t nth_lrq_take(struct nth_lrq *q, struct nth_desc *d[], uint32_t most, unsigned share) {
  nth_assert(most > 0 && share < 32);
  if (nth_load_rlx(&q->inbox_count) == 0 && nth_load_rlx(&q->stock_count) == 0)
    return 0;
  nth_mutex_lock_soon(&q->takers);
  empty_inbox(q);
  uint32_t all = nth_load_rlx(&q->stock_count), n = (all + (1u << share) - 1) >> share;
  n = n < most ? n : most;
  for (uint32_t i = 0; i < n; i++) {
    d[i] = nth_series_pop(&q->stock);
    nth_assert(d[i] && nth_deps_is(&d[i]->deps, NTH_READY)); /* I1, I2 */
    __builtin_prefetch(d[i]->ahead, 1);
  }
  count(&q->stock_count, 0 - n);
  nth_mutex_unlock(&q->takers);
  return n;
}

struct nth_desc *nth_lrq_keep(struct nth_lrq *own, struct nth_desc *d[], uint32_t n) {
  nth_assert(n > 0 && n <= NTH_LRQ_TAKE);
  while (n > 1)
    nth_lrq_push(own, d[--n]);
  nth_deque_fence(); /* also for what is left in the queue that they come from */
  return d[0];
}

/* --- checks --- */

/* The length of a series; UINT32_MAX: something is wrong with it. */
static uint32_t measure(const struct nth_series *c) {
  uint32_t n = 0;
  for (const struct nth_desc *d = c->first; d; d = d->next) {
    if (!nth_deps_is(&d->deps, NTH_READY) || n == UINT32_MAX - 1)
      return UINT32_MAX;
    n++;
    if (d == c->last)
      return n;
  }
  return c->first ? UINT32_MAX : 0;
}

bool nth_lrq_valid(struct nth_lrq *q) {
  nth_mutex_lock_soon(&q->takers);
  nth_mutex_lock_soon(&q->inbox);
  uint32_t front = measure(&q->front), end = measure(&q->end);
  bool valid =
      front != UINT32_MAX && end != UINT32_MAX && front + end == nth_load_rlx(&q->inbox_count) &&
      measure(&q->resumed) == nth_load_rlx(&q->resumed_count) && measure(&q->again) != UINT32_MAX &&
      measure(&q->stock) == nth_load_rlx(&q->stock_count);
  nth_mutex_unlock(&q->inbox);
  nth_mutex_unlock(&q->takers);
  return valid && nth_deque_valid(&q->deque);
}
