/* batch.h - a batch of threads on its way into a ready queue; what to fetch ahead in a queue
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         "Introducing Batches of Threads", figure 3: first and last make a batch a queue of its own.
 *             Who takes nano-threads out of a list reads one line of each, which another CPU or the memory
 *             has, and knows the next one only then: one miss after the other, 100 ns each, more than all
 *             the rest. So a queued descriptor also points to one that comes NTH_AHEAD places behind it
 *             (`ahead`), and who takes the first asks for the line of the second. That halves the time
 *             of an empty nano-thread.
 * Use         nth_batch_begin(), nth_batch_add() for each member in order; nth_window_front() and nth_window_end() when the
 *             batch becomes a part of a list, whose window they keep up to date
 * A hint      `ahead` is only ever fetched, never looked into: it may point to one that was taken long ago,
 *             or be NULL. Exact are the members of one batch and the places where batches meet, as long as
 *             nothing was taken there in between
 * Ownership   of the batch's maker; a window is under the lock of its list
 */
#ifndef NTH_NTH_BATCH_H
#define NTH_NTH_BATCH_H

#include "runtime/nth/desc.h"

struct nth_batch {
  struct nth_series series;
  uint32_t size;
  struct nth_desc *head[NTH_AHEAD]; /* the first ones */
  struct nth_desc *tail[NTH_AHEAD]; /* the last ones; member i is in place i % NTH_AHEAD */
};

static inline void nth_batch_begin(struct nth_batch *b) {
  b->series = (struct nth_series){0, 0};
  b->size = 0;
}

/* The next member; the links between members are the caller's. */
static inline void nth_batch_add(struct nth_batch *b, struct nth_desc *d) {
  uint32_t i = b->size++, place = i % NTH_AHEAD;
  if (i < NTH_AHEAD)
    b->head[i] = d;
  else
    b->tail[place]->ahead = d;
  b->tail[place] = d;
  b->series.last = d;
  if (i == 0)
    b->series.first = d;
}

static inline struct nth_batch nth_batch_of(struct nth_desc *d) {
  struct nth_batch b;
  nth_batch_begin(&b);
  nth_batch_add(&b, d);
  return b;
}

/* The first ones of a list that grows in front, or the last ones of one that grows at its end. */
struct nth_window {
  uint32_t count; /* at the end: how many have been put there since the window was empty */
  struct nth_desc *d[NTH_AHEAD];
};

/* The batch comes before the list's first one. */
static inline void nth_window_front(struct nth_window *w, const struct nth_batch *b) {
  uint32_t n = b->size < NTH_AHEAD ? b->size : NTH_AHEAD;
  for (uint32_t i = b->size - n; i < b->size; i++)
    b->tail[i % NTH_AHEAD]->ahead = w->d[NTH_AHEAD - (b->size - i)];
  for (uint32_t i = NTH_AHEAD; i-- > n;)
    w->d[i] = w->d[i - n];
  for (uint32_t i = 0; i < n; i++)
    w->d[i] = b->head[i];
}

/* The batch comes behind the list's last one. Those in the window are still in the list. */
static inline void nth_window_end(struct nth_window *w, const struct nth_batch *b) {
  uint32_t n = b->size < NTH_AHEAD ? b->size : NTH_AHEAD;
  for (uint32_t i = 0; i < n; i++) /* before the members: with a small batch they come behind each other */
    if (w->count + i >= NTH_AHEAD)
      w->d[(w->count + i) % NTH_AHEAD]->ahead = b->head[i];
  for (uint32_t i = b->size - n; i < b->size; i++) {
    b->tail[i % NTH_AHEAD]->ahead = 0;
    w->d[(w->count + i) % NTH_AHEAD] = b->tail[i % NTH_AHEAD];
  }
  w->count += b->size;
}

/* The list was taken away. */
static inline void nth_window_clear(struct nth_window *w) { w->count = 0; }

#endif
