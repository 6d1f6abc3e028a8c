/* recycle.c - recycling queue of a processor: descriptors of nano-threads that have finished
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "runtime/nth/recycle.h"

#include <string.h>

#include "runtime/base/check.h"
#include "runtime/mem/heap.h"
#include "runtime/nth/lrq.h"

/* --- bundles --- */

/* Makes a bundle of n descriptors. */
static struct nth_desc *tie(struct nth_desc *const *d, uint32_t n) {
  struct nth_desc *head = d[0];
  nth_assert(n > 0 && n <= NTH_RECYCLE_BUNDLE);
  head->narg = (uint8_t)n;
  for (uint32_t i = 1; i < n; i++)
    head->word[i - 1] = (uintptr_t)d[i];
  return head;
}

/* Their lines are asked for all at once: who takes a bundle writes to each of them soon. */
static uint32_t untie(struct nth_desc *head, struct nth_desc **d) {
  uint32_t n = head->narg;
  d[0] = head;
  for (uint32_t i = 1; i < n; i++) {
    d[i] = (struct nth_desc *)head->word[i - 1];
    __builtin_prefetch(d[i], 1);
  }
  return n;
}

static void enqueue(struct nth_recycle *r, struct nth_desc *head) {
  nth_mutex_lock_soon(&r->lock);
  head->next = r->bundles;
  r->bundles = head;
  nth_store_rlx(&r->count, nth_load_rlx(&r->count) + 1);
  nth_mutex_unlock(&r->lock);
}

void nth_recycle_bundle(struct nth_recycle *r) {
  enqueue(r, tie(r->array, NTH_RECYCLE_BUNDLE));
  r->kept -= NTH_RECYCLE_BUNDLE;
  memmove(r->array, r->array + NTH_RECYCLE_BUNDLE, r->kept * sizeof *r->array);
}

void nth_recycle_flush(struct nth_recycle *r) {
  while (r->kept > 0) {
    uint32_t n = r->kept < NTH_RECYCLE_BUNDLE ? r->kept : NTH_RECYCLE_BUNDLE;
    r->kept -= n;
    enqueue(r, tie(r->array + r->kept, n));
  }
}

/* --- a batch --- */

static void add(struct nth_series *series, struct nth_desc *d) {
  nth_deps_set(&d->deps, NTH_GOT, 0);
  nth_series_append(series, d);
}

/* Out of the own array. */
static uint64_t draw(struct nth_recycle *own, uint64_t n, struct nth_series *series) {
  uint64_t got = own->kept < n ? own->kept : n;
  for (uint64_t i = 0; i < got; i++)
    add(series, own->array[--own->kept]);
  return got;
}

/* Bundles with n descriptors together, or all there are. The heads' lines are all that is waited for
 * under the lock. */
static struct nth_desc *dequeue(struct nth_recycle *r, uint64_t n) {
  nth_mutex_lock_soon(&r->lock);
  struct nth_desc *first = r->bundles, **rest = &first;
  uint32_t taken = 0;
  for (uint64_t got = 0; *rest && got < n; taken++) {
    got += (*rest)->narg;
    rest = &(*rest)->next;
  }
  r->bundles = *rest;
  *rest = 0;
  nth_store_rlx(&r->count, nth_load_rlx(&r->count) - taken);
  nth_mutex_unlock(&r->lock);
  return first;
}

/* Out of a queue; what the last bundle has too many goes into the own array, which is empty. */
static uint64_t visit(struct nth_recycle *r, struct nth_recycle *own, uint64_t n,
                      struct nth_series *series) {
  if (nth_load_rlx(&r->count) == 0)
    return 0;
  uint64_t got = 0;
  struct nth_desc *head = dequeue(r, n), *next, *d[NTH_RECYCLE_BUNDLE];
  for (; head; head = next) {
    next = head->next;
    uint32_t tied = untie(head, d);
    for (uint32_t i = 0; i < tied; i++) {
      if (got < n) {
        add(series, d[i]);
        got++;
      } else {
        own->array[own->kept++] = d[i];
      }
    }
  }
  return got;
}

/* Not zeroed: who gets a descriptor sets its state, and nobody sees it before. The place of the first one
 * links the slabs, so that leak checkers find them. */
static bool make_slab(struct nth_recycle *own) {
  struct nth_desc *slab = nth_heap_take(NTH_DESC_SLAB);
  if (!slab)
    return false;
  slab->next = own->slabs;
  own->slabs = slab;
  own->fresh = (char *)(slab + 1);
  own->end = (char *)slab + NTH_DESC_SLAB;
  return true;
}

static struct nth_desc *carve(struct nth_recycle *own) {
  if (own->fresh == own->end && !make_slab(own))
    return 0;
  struct nth_desc *d = (struct nth_desc *)own->fresh;
  own->fresh += sizeof *d;
  d->kind = NTH_KIND_THREAD; /* for good */
  return d;
}

static bool carve_many(struct nth_recycle *own, uint64_t n, struct nth_series *series) {
  for (; n > 0; n--) {
    struct nth_desc *d = carve(own);
    if (!d)
      return false;
    add(series, d);
  }
  return true;
}

/* There was not enough memory for a batch. */
static void give_back(struct nth_recycle *own, struct nth_series *series) {
  struct nth_desc *d;
  while ((d = nth_series_pop(series)))
    nth_recycle_give(own, d);
}

uint32_t nth_recycle_gather(struct nth_recycle *own, const struct nth_ring *ring, uint32_t start,
                            uint64_t n, struct nth_series *series) {
  *series = (struct nth_series){0, 0};
  uint64_t got = draw(own, n, series);
  uint32_t visits = 0;
  for (; got < n && visits < ring->size; visits++)
    got += visit(ring->at(ring->of, (start + visits) % ring->size), own, n - got, series);
  if (got < n && !carve_many(own, n - got, series))
    give_back(own, series);
  if (series->first)
    series->last->next = 0;
  return visits;
}

bool nth_recycle_refill(struct nth_recycle *own, const struct nth_ring *ring, uint32_t start) {
  for (uint32_t i = 0; i < ring->size && own->kept == 0; i++) {
    struct nth_recycle *r = ring->at(ring->of, (start + i) % ring->size);
    struct nth_desc *head = nth_load_rlx(&r->count) != 0 ? dequeue(r, 1) : 0;
    if (head)
      own->kept = untie(head, own->array);
  }
  if (own->kept != 0)
    return true;
  struct nth_desc *d;
  while (own->kept < NTH_RECYCLE_BUNDLE && (d = carve(own))) {
    nth_deps_set(&d->deps, NTH_FREE, 0);
    own->array[own->kept++] = d;
  }
  return own->kept != 0;
}

/* --- checks --- */

static bool is_free(const struct nth_desc *d) { return nth_deps_is(&d->deps, NTH_FREE); }

bool nth_recycle_valid(struct nth_recycle *r) {
  bool valid = r->kept <= NTH_RECYCLE_KEPT;
  for (uint32_t i = 0; valid && i < r->kept; i++) {
    valid = is_free(r->array[i]);
    for (uint32_t j = 0; valid && j < i; j++)
      valid = r->array[i] != r->array[j];
  }
  nth_mutex_lock_soon(&r->lock);
  uint32_t bundles = 0;
  for (const struct nth_desc *b = r->bundles; valid && b; b = b->next) {
    valid = b->narg > 0 && b->narg <= NTH_RECYCLE_BUNDLE && is_free(b);
    for (uint32_t i = 1; valid && i < b->narg; i++)
      valid = is_free((const struct nth_desc *)b->word[i - 1]);
    bundles++;
  }
  valid = valid && bundles == nth_load_rlx(&r->count);
  nth_mutex_unlock(&r->lock);
  return valid;
}
