/* lrq.h - local ready queue of a processor: its nano-threads that can start, and those to resume
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         From "Introducing Batches of Threads", sections 3 and 4: each processor has a queue.
 *             Anybody puts a nano-thread or a batch into it, in front or at the end, in one
 *             operation. Its processor takes from the front; so do others when their own queues are
 *             empty.
 * Parts       inbox    where all threads put: two lists under a lock, one in front and one at the
 *                      end
 *             stock    the queue's middle, under a lock of the takers. Takers go through the links,
 *                      and so wait for a line of each nano-thread; the inbox stays free for makers
 *             deque    what the processor has taken out and not started, and what it has put in
 *                      front itself: no lock (struct/deque.h). Others steal from it, too. A batch
 *                      of up to NTH_LRQ_TAKE is one item, a pack; its taker opens it into its own
 *                      queue
 *             resumed  nano-threads that blocked here and that others let go on, under the inbox's
 *                      lock. Only this processor takes them
 *             again    the same, where this processor itself resolved the last dependence: no lock,
 *                      and no line that thieves look at. What is resumed goes to its end
 *             near, far, stocked, pushed: where members are noted in each other (batch.h).
 *             The order is: deque, inbox in front, stock, inbox at the end. So a nano-thread that
 *             others put in front comes after at most NTH_LRQ_TAKE that have been taken out, and
 *             after all that the processor itself has put in front.
 * Domains     A domain's queue (machine.h) is such a queue without a processor: nobody uses its
 *             deque
 * Use         anybody:   put(), resume(). Both end with a fence; after it the caller looks for
 *                        sleepers
 *             processor: push() and push_batch() in front; pop() and unpack(), or take(0) and
 *                        keep(); resumed()
 *             others:    take(1 or more), keep(). Or steal from the deque: the newest stolen item
 *                        is opened, the others are pushed. force(); seen() to look
 * Invariants  I1  a queued nano-thread is in one part, READY, with nothing to wait for
 *             I2  inbox_count, stock_count, resumed_count = lengths of the lists, changed under the
 *                 locks
 *             I3  locks are taken in the order takers, inbox
 *             I4  the members of a pack are linked; the first one has their number and a pointer to
 *                 the last
 * Orders      the lists are under their locks (mutex:A), the deque's items under deque:A, B. What
 *             was done with a nano-thread before it was put comes before what its taker does
 * Sleepers    put, push, push_batch, resume and keep end with a light fence, after which the caller
 *             looks for sleepers. A sleeper says that it sleeps, fences all threads (deque:F), and
 *             calls seen(): park.h. A thread that holds nano-threads between two parts looks for
 *             sleepers when they are in the second part
 * Cost        put: one lock, whatever the batch's size. take: one lock for up to NTH_LRQ_TAKE; two
 *             when the inbox has something. push, pop: as the deque's; once for a whole pack
 * Tested by   tests/model/lrq, tests/unit/nth.c
 */
#ifndef NTH_NTH_LRQ_H
#define NTH_NTH_LRQ_H

#include "runtime/nth/batch.h"
#include "runtime/struct/deque.h"
#include "runtime/struct/mutex.h"

struct nth_lrq {
  /* A put in front needs the first line; one at the end needs the second line, too. */
  _Alignas(NTH_APART) struct nth_mutex inbox; /* of these two lines, and of `resumed` */
  _Atomic(uint32_t) inbox_count;              /* w: under inbox; r: all; I2 */
  struct nth_series front;
  struct nth_front near;
  _Alignas(NTH_LINE) struct nth_series end;
  struct nth_rear far;
  _Alignas(NTH_APART) _Atomic(uint32_t) resumed_count; /* w: under inbox; r: the processor; I2 */
  struct nth_series resumed;
  struct nth_series again;                     /* w, r: the processor */
  _Alignas(NTH_APART) struct nth_mutex takers; /* of this line */
  _Atomic(uint32_t) stock_count;               /* w: under takers; r: all; I2 */
  struct nth_series stock;
  struct nth_front stocked;
  struct nth_front pushed; /* of packs; w, r: the processor */
  struct nth_deque deque;
};

static_assert(offsetof(struct nth_lrq, end) == NTH_LINE, "the front is on one line");

/* Puts a batch in front or at the end. By any thread, which has the batch's members alone. */
void nth_lrq_put(struct nth_lrq *q, struct nth_batch *batch, bool at_end);

/* d, which blocked on this processor, can go on. By the thread that has resolved its last
 * dependence, another one than this processor. */
void nth_lrq_resume(struct nth_lrq *q, struct nth_desc *d);

/* --- the processor --- */

/* Moves all items of a full deque into the stock. */
void nth_lrq_spill(struct nth_lrq *q);

/* An item of the deque is a nano-thread or a pack. */
static inline bool nth_lrq_is_pack(const void *item) { return ((uintptr_t)item & 1) != 0; }
static inline struct nth_desc *nth_lrq_first(void *item) {
  return (struct nth_desc *)((uintptr_t)item & ~(uintptr_t)1);
}

/* Puts a nano-thread, an item, or a batch in front of all others. */
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
  nth_assert(first && batch->series.last);
  nth_front_put(&q->pushed, batch);
  first->pack = (uint8_t)batch->size;
  first->last = batch->series.last;
  nth_lrq_push(q, (char *)first + 1);
}

static inline void *nth_lrq_pop(struct nth_lrq *q) { return nth_deque_pop_any(&q->deque); }

/* The members of an item that was popped or stolen. Returns how many: up to NTH_LRQ_TAKE. */
uint32_t nth_lrq_unpack(void *item, struct nth_desc *member[]);

/* The same as nth_lrq_resume(), by this processor. */
static inline void nth_lrq_resume_own(struct nth_lrq *q, struct nth_desc *d) {
  nth_assert(nth_deps_is(&d->deps, NTH_READY));
  nth_series_append(&q->again, d);
}

/* Whether another thread has let a nano-thread go on. */
static inline bool nth_lrq_was_told(const struct nth_lrq *q) {
  return nth_load_rlx(&q->resumed_count) != 0;
}

/* Whether a nano-thread can go on here. */
static inline bool nth_lrq_may_resume(const struct nth_lrq *q) {
  return ((uintptr_t)q->again.first | nth_load_rlx(&q->resumed_count)) != 0; /* one branch */
}
struct nth_desc *nth_lrq_resumed_slow(struct nth_lrq *q);
/* Takes the nano-thread that became able to go on first; NULL: there is none. */
static inline struct nth_desc *nth_lrq_resumed(struct nth_lrq *q) {
  return nth_unlikely(nth_lrq_may_resume(q)) ? nth_lrq_resumed_slow(q) : 0;
}

/* --- processor and others --- */

/* Takes nano-threads from the front of the lists: at most `most`, and at most the number of all
 * divided by 2^share, rounded up. d[0] is the first. Returns how many. */
uint32_t nth_lrq_take(struct nth_lrq *q, struct nth_desc *d[], uint32_t most, unsigned share);

/* The taker of n > 0: returns the first, and pushes the others into its own queue, in their
 * order. */
struct nth_desc *nth_lrq_keep(struct nth_lrq *own, struct nth_desc *d[], uint32_t n);

/* Whether something is there that any processor may start. A hint; after a sleeper's fence in all
 * threads it is sure. */
static inline bool nth_lrq_seen(const struct nth_lrq *q) {
  return nth_load_rlx(&q->inbox_count) != 0 || nth_load_rlx(&q->stock_count) != 0 ||
         nth_deque_any(&q->deque);
}

/* I1 and I2. By the processor. */
bool nth_lrq_valid(struct nth_lrq *q);

#endif
