/* desc.h - the descriptor of a nano-thread, and series of descriptors
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         "A Library Implementation of the Nano-Threads Programming Model" (Euro-Par 1996),
 *             section 3: one structure of fixed size, with a counter of unresolved dependencies and
 *             a reference to the successor. Theirs holds the stack too; here a stack is taken when
 *             a nano-thread starts beside a blocked one (stack.h), so a descriptor is a head
 *             (struct/head.h) and what it calls: two lines, and one with one successor and two
 *             arguments uses the first line only.
 * Series       "Introducing Batches of Threads", figure 3: the link that queues use is also the
 *              link
 *             of a batch, which first and last make a queue of its own.
 * Ownership   one thread has a descriptor at a time: its creator, a queue (under the queue's
 *             order), its runner, a pool. All fields but `deps` are plain and go with it. While it
 *             is blocked its runner has it, and whoever resolves its last dependency, which that
 *             orders (deps:A), reads home and puts it into its list
 * Handles     a program's pointer to one may point to a task's node instead (across.h). Of such a
 *             one deps and kind are all that is looked at. A slab's descriptors begin at lines;
 *             nodes do not, so the type does not say so
 * Memory      type-stable: descriptors are never given back to the system, so that a program that
 *             uses one too late meets a state that says so, in memory of the right type
 */
#ifndef NTH_NTH_DESC_H
#define NTH_NTH_DESC_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/config.h"
#include "runtime/mem/pool.h"
#include "runtime/struct/head.h"

struct nth_processor;
struct nth_stack;

/* Successors and arguments of a nano-thread together, and its arguments. Limits of nanogomp/nth.h,
 * too. */
enum { NTH_DESC_WORDS = 11, NTH_DESC_ARGS = 8 };

struct nth_desc {
  NTH_HEAD(struct nth_desc, void (*fn)(void),
           struct nth_processor *home); /* blocked: who resumes it */
  union {
    struct nth_stack *stack; /* while it is blocked: where it waits */
    struct nth_desc *ahead;  /* while it is in a list of a ready queue: batch.h */
  };
  uintptr_t word[NTH_DESC_WORDS]; /* successors, then arguments */
};

static_assert(sizeof(struct nth_desc) == NTH_POOL_NANO_SIZE, "two lines");
static_assert(NTH_KIND_THREAD == 0, "a pool's new object has its kind, for good");
static_assert(offsetof(struct nth_desc, word[3]) == NTH_LINE, "three words are in the first line");

static inline struct nth_node *nth_desc_successor(const struct nth_desc *d, uint32_t i) {
  return (struct nth_node *)d->word[i];
}

/* Descriptors linked by next. first NULL: none; last->next means nothing. */
struct nth_series {
  struct nth_desc *first, *last;
};

static inline void nth_series_append(struct nth_series *c, struct nth_desc *d) {
  if (c->first)
    c->last->next = d;
  else
    c->first = d;
  c->last = d;
}

/* a, then b; b is empty afterwards. */
static inline void nth_series_join(struct nth_series *a, struct nth_series *b) {
  if (!b->first)
    return;
  if (a->first)
    a->last->next = b->first;
  else
    a->first = b->first;
  a->last = b->last;
  *b = (struct nth_series){0, 0};
}

static inline struct nth_desc *nth_series_pop(struct nth_series *c) {
  struct nth_desc *d = c->first;
  c->first = d == c->last ? 0 : d->next;
  return d;
}

/* d has finished, or was taken in vain, and nobody has it any more. pool: the caller's. */
static inline void nth_desc_give(struct nth_pool *pool, struct nth_desc *d) {
  nth_deps_set(&d->deps, NTH_FREE, 0);
  nth_pool_give(pool, d, NTH_POOL_NANO);
}

#endif
