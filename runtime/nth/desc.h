/* desc.h - the descriptor of a nano-thread, and series of descriptors
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         From "A Library Implementation of the Nano-Threads Programming Model" (Euro-Par
 *             1996), section 3: one structure of fixed size, with a counter of unresolved
 *             dependences and a reference to the successor. In the paper it holds the stack too.
 *             Here a stack is taken when a nano-thread starts beside a blocked one (stack.h). So a
 *             descriptor is a head (struct/head.h) and its words, two lines in all. With one
 *             successor and two arguments it uses the first line only.
 * Series      From "Introducing Batches of Threads", figure 3: the link that queues use is also the
 *             link of a batch. By its first and last member a batch is a queue of its own.
 * Ownership   one thread has a descriptor at a time: its creator, a queue (under the queue's
 *             order), its runner, or a pool. All fields but `deps` are plain and go with it. While
 *             a nano-thread is blocked its runner has the descriptor. The thread that resolves its
 *             last dependence reads home, ordered by deps:A, and puts it into the list of home
 * Handles     a program's pointer to a nano-thread may point to a task's node instead (across.h).
 *             Then only deps and kind may be read. A slab's descriptors begin at lines. Nodes do
 *             not, so the type has no alignment
 * Memory      type-stable: descriptors are never given back to the system. A program that uses one
 *             too late meets a state that says so, in memory of the right type
 */
#ifndef NTH_NTH_DESC_H
#define NTH_NTH_DESC_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/check.h"
#include "runtime/base/config.h"
#include "runtime/mem/pool.h"
#include "runtime/struct/head.h"

struct nth_processor;
struct nth_stack;

/* The most successors and arguments of a nano-thread together, and the most arguments:
 * NTH_WORDS_MAX and NTH_ARGS_MAX of nanogomp/nth.h. */
enum { NTH_DESC_WORDS = 11, NTH_DESC_ARGS = 8 };

struct nth_desc {
  NTH_HEAD(struct nth_desc, void (*fn)(void),
           struct nth_processor *home); /* while it is blocked: the processor that resumes it */
  union {
    struct nth_stack *stack; /* while it is blocked: the stack on which it waits */
    struct nth_desc *ahead;  /* while it is in a ready queue: batch.h */
  };
  uintptr_t word[NTH_DESC_WORDS]; /* successors, then arguments */
};

static_assert(sizeof(struct nth_desc) == NTH_POOL_NANO_SIZE, "two lines");
static_assert(NTH_KIND_THREAD == 0, "a pool's new object has its kind, for good");
static_assert(offsetof(struct nth_desc, word[3]) == NTH_LINE, "three words are in the first line");

static inline struct nth_node *nth_desc_successor(const struct nth_desc *d, uint32_t i) {
  return (struct nth_node *)d->word[i];
}

/* Descriptors linked by next. first NULL: none, and last means nothing; last->next never means
 * anything. */
struct nth_series {
  struct nth_desc *first, *last;
};

static inline void nth_series_append(struct nth_series *c, struct nth_desc *d) {
  nth_assert(d && (!c->first || c->last));
  if (c->first)
    c->last->next = d;
  else
    c->first = d;
  c->last = d;
}

/* Appends b to a; b is empty afterwards. */
static inline void nth_series_join(struct nth_series *a, struct nth_series *b) {
  if (!b->first)
    return;
  nth_assert(b->last && (!a->first || a->last));
  if (a->first)
    a->last->next = b->first;
  else
    a->first = b->first;
  a->last = b->last;
  *b = (struct nth_series){0, 0};
}

static inline struct nth_desc *nth_series_pop(struct nth_series *c) {
  struct nth_desc *d = c->first;
  nth_assert(!d || c->last);
  c->first = d == c->last ? 0 : d->next;
  return d;
}

/* Gives back d, which has ended or was not needed. The caller has it alone. pool: the caller's. */
static inline void nth_desc_give(struct nth_pool *pool, struct nth_desc *d) {
  nth_assert(pool && d->kind == NTH_KIND_THREAD && nth_deps_state(&d->deps) != NTH_BLOCKED);
  nth_deps_set(&d->deps, NTH_FREE, 0);
  nth_pool_give(pool, d, NTH_POOL_NANO);
}

#endif
