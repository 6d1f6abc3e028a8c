/* mix.c - random trees of nano-threads, by several threads at once */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that trees of random shape, queued one by one and in batches, in front and at the end of
// any queue, with and without dependences among siblings, are complete when whoever waits for them
// goes on.
// RUN: %nth_build %s -o %t && %omp_run %t %mix_seconds
#include "check.h"
#include <nanogomp/nth.h>
#include <pthread.h>

enum { CHILDREN = 12, OUTSIDERS = 2 };

/* What a nano-thread has to do, and whether it and all below have done it. */
struct node {
  struct node *before; /* a sibling that has to be done first; NULL: none */
  long depth;
  uint64_t seed;
  long below; /* nodes in its tree, itself included */
  int done;
};

static void grow(struct node *n);

static void run(struct node *n) {
  if (n->before)
    CHECK(__atomic_load_n(&n->before->done, __ATOMIC_RELAXED));
  CHECK(!n->done);
  grow(n);
  __atomic_store_n(&n->done, 1, __ATOMIC_RELAXED);
}

static void queue(uint64_t *seed, struct nth_desc *first, struct nth_desc *last) {
  int which = (int)(check_random(seed) % (uint32_t)nth_processors());
  int error = check_random(seed) % 2   ? nth_batch_to_lrq(which, first, last)
              : check_random(seed) % 2 ? nth_batch_to_lrq_end(which, first, last)
              : first != last
                  ? nth_batch_to_lrq(nth_processor() < 0 ? 0 : nth_processor(), first, last)
                  : nth_to_lrq_end(which, first);
  CHECK_EQ(error, 0);
}

/* Each one after the one before it. */
static void in_turn(struct node *child, long n, uint64_t *seed, struct nth_desc *self) {
  struct nth_desc *next = NULL, *nth = NULL;
  for (long i = n; i-- > 0; next = nth) {
    child[i].before = i > 0 ? &child[i - 1] : NULL;
    nth = next ? nth_create(run, i > 0, 2, 1, self, next, &child[i])
               : nth_create_ls(run, i > 0, self, 1, &child[i]);
    CHECK(nth);
  }
  queue(seed, nth, nth);
}

static void in_batches(struct node *child, long n, uint64_t *seed, struct nth_desc *self) {
  for (long i = 0; i < n;) {
    long size = 1 + check_random(seed) % 5;
    size = size < n - i ? size : n - i;
    struct nth_desc *last, *first = nth_batch_get_desc(&last, size);
    CHECK(first);
    for (struct nth_desc *nth = first; nth; nth = nth_batch_get_next(nth))
      CHECK_EQ(nth_batch_create_ls(nth, run, 0, self, 1, &child[i++]), 0);
    queue(seed, first, last);
  }
}

static void grow(struct node *n) {
  n->below = 1;
  long children = n->depth == 0 ? 0 : check_random(&n->seed) % CHILDREN;
  if (children == 0)
    return;
  struct node child[CHILDREN];
  struct nth_desc *self = nth_self();
  for (long i = 0; i < children; i++)
    child[i] = (struct node){.depth = check_random(&n->seed) % (uint32_t)n->depth,
                             .seed = n->seed + (uint64_t)i};
  CHECK_EQ(nth_depadd(self, children + 1), 0);
  if (check_random(&n->seed) % 3 == 0)
    in_turn(child, children, &n->seed, self);
  else
    in_batches(child, children, &n->seed, self);
  CHECK_EQ(nth_block(), 0);
  CHECK(self == nth_self());
  for (long i = 0; i < children; i++) {
    CHECK(child[i].done);
    n->below += child[i].below;
  }
}

static double end;
static long trees, nodes, ended;

static void *grows(void *arg) {
  uint64_t seed = (uint64_t)(uintptr_t)arg;
  while (check_seconds() < end) {
    struct node root = {.depth = 6, .seed = seed += 1000};
    grow(&root);
    __atomic_fetch_add(&trees, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&nodes, root.below, __ATOMIC_RELAXED);
  }
  __atomic_fetch_add(&ended, 1, __ATOMIC_RELEASE);
  return NULL;
}

static void nap(void) { check_sleep_ms(1); }

int main(int argc, char **argv) {
  pthread_t t[OUTSIDERS];
  CHECK_EQ(argc, 2);
  end = check_seconds() + atof(argv[1]);
  CHECK_EQ(nth_init(0), 0);
  for (long i = 0; i < OUTSIDERS; i++)
    CHECK_EQ(pthread_create(&t[i], NULL, grows, (void *)(uintptr_t)(i + 1)), 0);
  grows(NULL);
  while (__atomic_load_n(&ended, __ATOMIC_ACQUIRE) < OUTSIDERS + 1) { /* they need processor 0 */
    struct nth_desc *me = nth_self();
    CHECK_EQ(nth_depadd(me, 2), 0);
    CHECK_EQ(nth_to_lrq_end(0, nth_create_ls(nap, 0, me, 0)), 0);
    CHECK_EQ(nth_block(), 0);
  }
  for (int i = 0; i < OUTSIDERS; i++)
    pthread_join(t[i], NULL);
  CHECK_EQ(nth_exit(), 0);
  printf("%ld trees, %ld nano-threads\n", trees, nodes);
  CHECK(trees > 3 && nodes > trees);
  return 0;
}
