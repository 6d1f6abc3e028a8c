/* recycle.h - recycling queue of a processor: descriptors of nano-threads that have finished
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         "Introducing Batches of Threads", section 4.2 and figure 6: a queue of free descriptors a
 *             processor. A batch is gathered from the own one and then from the others in ring order, as
 *             many from each as there are, so P queues are visited at most; what is still missing comes
 *             from memory.
 * How         A processor keeps up to two bundles of descriptors to itself, as an array, without a lock;
 *             the queue proper consists of bundles. Who takes a bundle gets its pointers from one
 *             descriptor, the bundle's head, so it need not wait for the lines of the others, which
 *             another CPU may have: it writes there first. A processor that has nothing to do puts what
 *             it keeps into its queue.
 * Use         processor: nth_recycle_give(); nth_recycle_take() one, nth_recycle_gather() many, out of
 *             all queues of a ring; nth_recycle_flush() before it waits
 * Free ones   head of a bundle: next: the next bundle, narg: descriptors in this one, itself included;
 *             word[0 .. narg - 2]: the others
 * Invariants  I1  a descriptor is FREE in one array or bundle, or in use, or not carved yet
 *             I2  count = bundles in the queue; changed under the lock
 * Orders      the arrays are their processors' alone; the bundles are under the lock (mutex:A), which
 *             also orders what a nano-thread did before what the descriptor's next user does
 * Cost        give, take: an array; one lock in NTH_RECYCLE_BUNDLE
 * Tested by   tests/unit/nth.c (figure 6), tests/unit/nth_threads.c
 */
#ifndef NTH_NTH_RECYCLE_H
#define NTH_NTH_RECYCLE_H

#include "runtime/nth/desc.h"
#include "runtime/struct/mutex.h"

enum { NTH_RECYCLE_KEPT = 2 * NTH_RECYCLE_BUNDLE };

struct nth_recycle {
  /* the processor's own */
  _Alignas(NTH_APART) uint32_t kept; /* in the array, the newest last */
  struct nth_desc *array[NTH_RECYCLE_KEPT];
  char *fresh, *end;                 /* what is left of its newest slab */
  struct nth_desc *slabs;            /* all it has made */
  /* the queue */
  _Alignas(NTH_APART) struct nth_mutex lock;
  _Atomic(uint32_t) count;           /* bundles; w: under the lock; r: all, to see whether to come; I2 */
  struct nth_desc *bundles;
};

static_assert(NTH_RECYCLE_BUNDLE - 1 <= NTH_DESC_WORDS, "a bundle's pointers fit into its head");

/* The array is full: half of it, the oldest, becomes a bundle. */
void nth_recycle_bundle(struct nth_recycle *r);

/* d has finished, and nobody has it any more. */
static inline void nth_recycle_give(struct nth_recycle *r, struct nth_desc *d) {
  nth_deps_set(&d->deps, NTH_FREE, 0);
  if (nth_unlikely(r->kept == NTH_RECYCLE_KEPT))
    nth_recycle_bundle(r);
  r->array[r->kept++] = d;
}

/* What a processor keeps to itself goes where all can take it. */
void nth_recycle_flush(struct nth_recycle *r);

/* The queues of all processors; at(ring, i) is the one of processor i. */
struct nth_ring {
  struct nth_recycle *(*at)(void *of, uint32_t i);
  void *of;
  uint32_t size;
};

/* n > 0 descriptors for the caller, whose own queue is `own` and whose number is `start` (the queue it
 * begins with), linked, GOT. Series empty: no memory. Returns how many queues were visited. */
uint32_t nth_recycle_gather(struct nth_recycle *own, const struct nth_ring *ring, uint32_t start,
                            uint64_t n, struct nth_series *series);

/* The array is empty: fills it with a bundle, out of the queues or from memory. False: no memory. */
bool nth_recycle_refill(struct nth_recycle *own, const struct nth_ring *ring, uint32_t start);

/* One; NULL: no memory. */
static inline struct nth_desc *nth_recycle_take(struct nth_recycle *own,
                                                const struct nth_ring *ring, uint32_t start) {
  if (nth_unlikely(own->kept == 0) && !nth_recycle_refill(own, ring, start))
    return 0;
  return own->array[--own->kept];
}

/* I1 and I2, as far as one queue shows; by its processor. */
bool nth_recycle_valid(struct nth_recycle *r);

#endif
