/* batch.h - a batch of threads on its way into a ready queue; what to fetch ahead in a queue
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         "Introducing Batches of Threads", figure 3: first and last make a batch a queue of
 *             its own. Who takes nano-threads out of a list reads one line of each, which another
 *             CPU or the memory has, and knows the next one only then: one miss after the other,
 *             100 ns each, more than all the rest. So a queued descriptor also points to one that
 *             comes NTH_AHEAD places behind it (`ahead`), and who takes the first asks for the line
 *             of the second. That halves the time of an empty nano-thread.
 * Use         nth_batch_begin(), nth_batch_add() for each member in order; nth_front_put() or
 *             nth_rear_put() when the batch becomes a part of a list, whose front or rear they keep
 *             up to date
 * A hint      `ahead` is only ever fetched, never looked into: it may point to one that was taken
 *             long ago, or be NULL. Exact are the members of one batch and the places where batches
 *             meet, as long as nothing was taken there in between
 * Ownership   of the batch's maker, who must not copy it, for it may point into itself; a front or
 *             rear is under the lock of its list
 * Cost        a member: two instructions where the loop is unrolled (nano.c), ten elsewhere
 * Tested by   tests/unit/nth.c (lrq_ahead)
 */
#ifndef NTH_NTH_BATCH_H
#define NTH_NTH_BATCH_H

#include "runtime/nth/desc.h"

static_assert(NTH_AHEAD == 4, "there are four notes, each with a name");

/* Where the next four are noted that come behind a batch: in its last four, or in `head` as long as
 * it has fewer. The next one in a. */
struct nth_notes {
  struct nth_desc **a, **b, **c, **d;
};

struct nth_batch {
  struct nth_series series;
  uint32_t size;
  struct nth_notes note;
  struct nth_desc *head[NTH_AHEAD]; /* the first ones, `size` of them; NULL: not known */
  struct nth_desc *sink;            /* notes that nobody reads */
};

static inline struct nth_notes nth_batch_heads(struct nth_batch *b) {
  return (struct nth_notes){&b->head[0], &b->head[1], &b->head[2], &b->head[3]};
}

/* The links from first to last are the caller's. */
static inline void nth_batch_begin(struct nth_batch *b, struct nth_desc *first,
                                   struct nth_desc *last) {
  b->series = (struct nth_series){first, last};
  b->size = 0;
  b->note = nth_batch_heads(b);
  for (uint32_t i = 0; i < NTH_AHEAD; i++)
    b->head[i] = 0;
}

static inline void nth_batch_add(struct nth_batch *b, struct nth_desc *d) {
  struct nth_notes *n = &b->note;
  *n->a = d;
  *n = (struct nth_notes){n->b, n->c, n->d, &d->ahead};
  b->size++;
}

/* n members that know all that comes behind them, as far as it is known. Touches none of them. */
static inline void nth_batch_add_known(struct nth_batch *b, struct nth_desc *first, uint32_t n) {
  *b->note.a = first;
  b->note = (struct nth_notes){&b->sink, &b->sink, &b->sink, &b->sink};
  b->size += n;
}

/* The first ones of a list that grows in front. */
struct nth_front {
  struct nth_desc *d[NTH_AHEAD];
};

/* The batch comes before the list's first one. */
static inline void nth_front_put(struct nth_front *f, struct nth_batch *b) {
  *b->note.a = f->d[0];
  *b->note.b = f->d[1];
  *b->note.c = f->d[2];
  *b->note.d = f->d[3];
  for (uint32_t i = 0; i < NTH_AHEAD; i++)
    f->d[i] = b->head[i];
}

/* The last ones of a list that grows at its end. */
struct nth_rear {
  uint32_t count;                    /* how many have been put there since the list was empty */
  struct nth_desc **note[NTH_AHEAD]; /* number i is noted in place i % NTH_AHEAD, if i >=
                                      * NTH_AHEAD */
};

/* The batch comes behind the list's last one. Those before it are still in the list. */
static inline void nth_rear_put(struct nth_rear *r, const struct nth_batch *b) {
  struct nth_desc **note[] = {b->note.a, b->note.b, b->note.c, b->note.d};
  uint32_t n = b->size < NTH_AHEAD ? b->size : NTH_AHEAD;
  for (uint32_t i = 0; i < n; i++) /* before the members: with a small batch they come behind each
                                    * other */
    if (r->count + i >= NTH_AHEAD)
      *r->note[(r->count + i) % NTH_AHEAD] = b->head[i];
  r->count += b->size;
  for (uint32_t i = NTH_AHEAD - n; i < NTH_AHEAD; i++) { /* the last four are from count on */
    *note[i] = 0;
    r->note[(r->count + i) % NTH_AHEAD] = note[i];
  }
}

/* The list was taken away. */
static inline void nth_rear_clear(struct nth_rear *r) { r->count = 0; }

#endif
