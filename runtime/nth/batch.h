/* batch.h - a batch of nano-threads on its way into a ready queue, and what a queue fetches ahead
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         From "Introducing Batches of Threads", figure 3: by its first and last member a batch
 *             is a queue of its own, and is put into a ready queue as a whole.
 *             A taker of nano-threads reads one line of each, which another CPU or the memory has.
 *             It knows the next nano-thread only when that line is there. So it has one miss after
 *             the other, 100 ns each, more than all the rest. Therefore a queued descriptor also
 *             points to the one that comes NTH_AHEAD places after it (`ahead`), and the taker of
 *             the first asks for the line of the second. That halves the time of an empty
 *             nano-thread.
 * Use         nth_batch_begin(), nth_batch_add() for each member in order; nth_front_put() or
 *             nth_rear_put() when the batch becomes part of a list. These
 *             also update the list's front or rear
 * A hint      `ahead` is only fetched, never read: it may point to a descriptor that was taken long
 *             ago, or be NULL. It is exact within a batch, and between two batches while nothing is
 *             taken where they meet
 * Ownership   a batch is its maker's, who must not copy it, since it may point into itself. A front
 *             or rear is under the lock of its list
 * Cost        for a member two instructions where the loop is unrolled (nano.c), ten elsewhere
 * Tested by   tests/unit/nth.c (lrq_ahead)
 */
#ifndef NTH_NTH_BATCH_H
#define NTH_NTH_BATCH_H

#include "runtime/nth/desc.h"

static_assert(NTH_AHEAD == 4, "there are four notes, each with a name");

/* Where the next four members are noted: in `ahead` of the batch's last four, or in `head` of the
 * batch while it has fewer members. a: where the next one is. */
struct nth_notes {
  struct nth_desc **a, **b, **c, **d;
};

struct nth_batch {
  struct nth_series series;
  uint32_t size;
  struct nth_notes note;
  struct nth_desc *head[NTH_AHEAD]; /* the first members, at most `size`; NULL: not known */
  struct nth_desc *sink;            /* takes notes that nobody reads */
};

static inline struct nth_notes nth_batch_heads(struct nth_batch *b) {
  return (struct nth_notes){&b->head[0], &b->head[1], &b->head[2], &b->head[3]};
}

/* The caller makes the links from first to last. */
static inline void nth_batch_begin(struct nth_batch *b, struct nth_desc *first,
                                   struct nth_desc *last) {
  nth_assert(first);
  b->series = (struct nth_series){first, last};
  b->size = 0;
  b->note = nth_batch_heads(b);
  for (uint32_t i = 0; i < NTH_AHEAD; i++)
    b->head[i] = 0;
}

static inline void nth_batch_add(struct nth_batch *b, struct nth_desc *d) {
  struct nth_notes *n = &b->note;
  nth_assert(d && b->series.first);
  *n->a = d;
  *n = (struct nth_notes){n->b, n->c, n->d, &d->ahead};
  b->size++;
}

/* Adds n members, whose `ahead` is set already, and touches none of them. */
static inline void nth_batch_add_known(struct nth_batch *b, struct nth_desc *first, uint32_t n) {
  nth_assert(first && n > 0);
  *b->note.a = first;
  b->note = (struct nth_notes){&b->sink, &b->sink, &b->sink, &b->sink};
  b->size += n;
}

/* The first members of a list that grows in front. */
struct nth_front {
  struct nth_desc *d[NTH_AHEAD];
};

/* The batch comes before the list's first member. */
static inline void nth_front_put(struct nth_front *f, struct nth_batch *b) {
  nth_assert(b->size > 0 && b->head[0] == b->series.first);
  *b->note.a = f->d[0];
  *b->note.b = f->d[1];
  *b->note.c = f->d[2];
  *b->note.d = f->d[3];
  for (uint32_t i = 0; i < NTH_AHEAD; i++)
    f->d[i] = b->head[i];
}

/* The last members of a list that grows at its end. */
struct nth_rear {
  uint32_t count;                    /* members put there since the list was empty */
  struct nth_desc **note[NTH_AHEAD]; /* member number i is noted at *note[i % NTH_AHEAD], if
                                      * i >= NTH_AHEAD */
};

/* The batch comes after the list's last member. The members before it are still in the list. */
static inline void nth_rear_put(struct nth_rear *r, const struct nth_batch *b) {
  nth_assert(b->size > 0 && b->head[0] == b->series.first);
  struct nth_desc **note[] = {b->note.a, b->note.b, b->note.c, b->note.d};
  uint32_t n = b->size < NTH_AHEAD ? b->size : NTH_AHEAD;
  /* Notes the batch's members. First, since a small batch's members are noted in each other. */
  for (uint32_t i = 0; i < n; i++)
    if (r->count + i >= NTH_AHEAD)
      *r->note[(r->count + i) % NTH_AHEAD] = b->head[i];
  r->count += b->size;
  /* Where the next ones are noted: in the list's last four. */
  for (uint32_t i = NTH_AHEAD - n; i < NTH_AHEAD; i++) {
    *note[i] = 0;
    r->note[(r->count + i) % NTH_AHEAD] = note[i];
  }
}

/* The whole list was taken out. */
static inline void nth_rear_clear(struct nth_rear *r) { r->count = 0; }

#endif
