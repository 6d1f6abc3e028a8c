/* lrq.h - local ready queue of a processor: its nano-threads that can start, and those to resume
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         "Introducing Batches of Threads", sections 3 and 4: a queue a processor, into which
 *             anybody puts a nano-thread or a batch, in front or at the end, in one operation; its
 *             processor takes from the front, and others when their own queues are empty.
 * Parts       inbox    where all put: two lists under a lock, in front and at the end
 *             stock    the queue's middle, under a lock of the takers. They go through the links,
 *                      and so wait for a line of each nano-thread, while the inbox stays free for
 *                      makers
 *             deque    what the processor has taken out and not started, and what it put in front
 *                      itself: no lock (struct/deque.h). Others steal from it, too. A batch of up
 *                      to NTH_LRQ_TAKE is one item, a pack; who takes it opens it into its own
 *                      queue
 *             resumed  nano-threads that blocked here and can go on: nobody else may take them
 *             near, far, stocked, pushed: what members need to know of each other (batch.h)
 *             The order is deque, inbox in front, stock, inbox at the end. So what others put in
 *             front comes behind at most NTH_LRQ_TAKE nano-threads that have been taken out, and
 *             what the processor itself put in front.
 * Domains     A domain's queue (machine.h) is such a queue without a processor: nobody uses its
 *             deque
 * Use         anybody:   put(), resume(); behind the fence that they end with a look for sleepers
 *             processor: push() and push_batch() in front; pop() and unpack(), or take(0), and
 *             keep(); resumed()
 *             others:    take(1 or more), keep(); steal from the deque, the newest stolen one is
 *                        opened, the others push_item(); force(); seen() to look
 * Invariants  I1  a queued nano-thread is in one part, READY, with nothing to wait for
 *             I2  inbox_count, stock_count, resumed_count = lengths of the lists, changed under the
 *                 locks
 *             I3  locks are taken in the order takers, inbox
 *             I4  a pack's members are linked, its first one has their number and the last one
 * Orders      the lists are under their locks (mutex:A), the deque's items under deque:A, B. What
 *             was done with a nano-thread before it was put comes before what its taker does
 * Sleepers    put, push, resume, keep, open end with a light fence, behind which the caller looks
 *             for sleepers; a sleeper says so, fences all threads (deque:F), calls seen(): see
 *             park.h. Who holds nano-threads between two parts looks for sleepers when they are in
 *             the second
 * Cost        put: one lock, whatever the batch's size. take: one lock, two when the inbox has
 *             something, for up to NTH_LRQ_TAKE. push, pop: the deque's; for a pack once
 * Tested by   tests/model/lrq, tests/unit/nth.c
 */
#ifndef NTH_NTH_LRQ_H
#define NTH_NTH_LRQ_H

#include "runtime/nth/batch.h"
#include "runtime/struct/deque.h"
#include "runtime/struct/mutex.h"

struct nth_lrq {
  /* Who puts in front needs the first line, who puts at the end the second one, too. */
  _Alignas(NTH_APART) struct nth_mutex inbox; /* of these two lines, and of `resumed` */
  _Atomic(uint32_t) inbox_count;              /* w: under inbox; r: all; I2 */
  struct nth_series front;
  struct nth_front near;
  _Alignas(NTH_LINE) struct nth_series end;
  struct nth_rear far;
  _Alignas(NTH_APART) _Atomic(uint32_t) resumed_count; /* w: under inbox; r: the processor; I2 */
  struct nth_series resumed;
  _Alignas(NTH_APART) struct nth_mutex takers; /* of this line */
  _Atomic(uint32_t) stock_count;               /* w: under takers; r: all; I2 */
  struct nth_series stock;
  struct nth_front stocked;
  struct nth_front pushed; /* of packs; w, r: the processor */
  struct nth_deque deque;
};

static_assert(offsetof(struct nth_lrq, end) == NTH_LINE, "the front is on one line");

/* Puts a batch in front or at the end. By any thread. */
void nth_lrq_put(struct nth_lrq *q, struct nth_batch *batch, bool at_end);

/* A blocked nano-thread of this processor can go on. By any thread. */
void nth_lrq_resume(struct nth_lrq *q, struct nth_desc *d);

/* --- the processor --- */

/* The deque is full: moves what is in it into the stock. */
void nth_lrq_spill(struct nth_lrq *q);

/* An item of the deque: a nano-thread, or a pack. */
static inline bool nth_lrq_is_pack(const void *item) { return ((uintptr_t)item & 1) != 0; }
static inline struct nth_desc *nth_lrq_first(void *item) {
  return (struct nth_desc *)((uintptr_t)item & ~(uintptr_t)1);
}

/* In front of all. */
void nth_lrq_push_slow(struct nth_lrq *q, void *item);
static inline void nth_lrq_push(struct nth_lrq *q, void *item) {
  if (nth_unlikely(!nth_deque_push(&q->deque, item)))
    nth_lrq_push_slow(q, item);
  nth_deque_fence();
}
void nth_lrq_push_long(struct nth_lrq *q, struct nth_batch *batch);
static inline void nth_lrq_push_batch(struct nth_lrq *q, struct nth_batch *batch) {
  if (nth_unlikely(batch->size > NTH_LRQ_TAKE)) {
    nth_lrq_push_long(q, batch);
    return;
  }
  struct nth_desc *first = batch->series.first;
  nth_front_put(&q->pushed, batch);
  first->pack = (uint8_t)batch->size;
  first->last = batch->series.last;
  nth_lrq_push(q, (char *)first + 1);
}

static inline void *nth_lrq_pop(struct nth_lrq *q) { return nth_deque_pop_any(&q->deque); }

/* The members of an item that was popped or stolen, up to NTH_LRQ_TAKE; returns how many. */
uint32_t nth_lrq_unpack(void *item, struct nth_desc *member[]);

/* The first that can go on, in the order in which they could; NULL: none. */
static inline bool nth_lrq_may_resume(const struct nth_lrq *q) {
  return nth_load_rlx(&q->resumed_count) != 0;
}
struct nth_desc *nth_lrq_resumed_slow(struct nth_lrq *q);
static inline struct nth_desc *nth_lrq_resumed(struct nth_lrq *q) {
  return nth_unlikely(nth_lrq_may_resume(q)) ? nth_lrq_resumed_slow(q) : 0;
}

/* --- processor and others --- */

/* Takes up to `most` from the front of the lists, the first one first, and not more than all of
 * them divided by 2^share, rounded up. Returns how many. */
uint32_t nth_lrq_take(struct nth_lrq *q, struct nth_desc *d[], uint32_t most, unsigned share);

/* The taker of n keeps the others in its own queue, in their order, and gets the first. n > 0 */
struct nth_desc *nth_lrq_keep(struct nth_lrq *own, struct nth_desc *d[], uint32_t n);

/* Whether something is there that any processor may start. A hint, and sure behind the fence in all
 * threads of who sleeps. */
static inline bool nth_lrq_seen(const struct nth_lrq *q) {
  return nth_load_rlx(&q->inbox_count) != 0 || nth_load_rlx(&q->stock_count) != 0 ||
         nth_deque_any(&q->deque);
}

/* I1 and I2; by the processor while nobody else is at it. */
bool nth_lrq_valid(struct nth_lrq *q);

#endif
