/* misuse.c - what nanogomp/nth.h refuses, and that its queues stay whole */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks errors: NULL, numbers out of range, queued twice, not created, batches that do not hang
// together, waiting for nothing, no processors. After each of them the program goes on as if
// nothing had been.
// RUN: %nth_test
#include "check.h"
#include <errno.h>
#include <limits.h>
#include <nanogomp/nth.h>

static long ran;
static struct nth_desc *me;

static void count(long i) { __atomic_fetch_add(&ran, i, __ATOMIC_RELAXED); }

#define IS_NULL(call, error)                                                                       \
  do {                                                                                             \
    errno = 0;                                                                                     \
    CHECK(!(call));                                                                                \
    CHECK_EQ(errno, error);                                                                        \
  } while (0)

static void without_processors(struct nth_desc *old) {
  CHECK_EQ(nth_processors(), 0);
  CHECK_EQ(nth_processor(), -1);
  IS_NULL(nth_self(), ENXIO);
  IS_NULL(nth_create(count, 0, 0, 1, 1L), ENXIO);
  IS_NULL(nth_create_ls(count, 0, NULL, 1, 1L), ENXIO);
  struct nth_desc *last;
  IS_NULL(nth_batch_get_desc(&last, 8), ENXIO);
  CHECK_EQ(nth_to_lrq(0, old), ENXIO);
  CHECK_EQ(nth_batch_to_lrq_end(0, old, old), ENXIO);
  CHECK_EQ(nth_block(), ENXIO);
  CHECK_EQ(nth_exit(), ENXIO);
}

static void numbers_of_init(void) {
  CHECK_EQ(nth_init(-1), EINVAL);
  CHECK_EQ(nth_init(INT_MAX), EINVAL);
  CHECK_EQ(nth_init(INT_MIN), EINVAL);
  CHECK_EQ(nth_processors(), 0);
}

static void creating(void) {
  IS_NULL(nth_create(NULL, 0, 0, 0), EINVAL);
  IS_NULL(nth_create(count, -1, 0, 1, 1L), EINVAL);
  IS_NULL(nth_create(count, 0, -1, 1, 1L), EINVAL);
  IS_NULL(nth_create(count, 0, 0, -1), EINVAL);
  IS_NULL(nth_create(count, 0, 1, 1, NULL, 1L), EINVAL);
  IS_NULL(nth_create(count, 0, 2, 1, me, NULL, 1L), EINVAL);
  IS_NULL(nth_create(count, 0, 0, NTH_ARGS_MAX + 1, 1L), E2BIG);
  IS_NULL(nth_create(count, 0, NTH_WORDS_MAX, 1, 1L), E2BIG);
  IS_NULL(nth_create(count, 0, INT_MAX, INT_MAX, 1L), E2BIG);
  IS_NULL(nth_create(count, 1 << 28, 0, 0), EOVERFLOW);
  IS_NULL(nth_create_ls(NULL, 0, me, 1, 1L), EINVAL);
  IS_NULL(nth_create_ls(count, -1, me, 1, 1L), EINVAL);
  IS_NULL(nth_create_ls(count, 0, me, -1), EINVAL);
  IS_NULL(nth_create_ls(count, 0, me, NTH_ARGS_MAX + 1), E2BIG);
  struct nth_desc *last = me;
  IS_NULL(nth_batch_get_desc(NULL, 8), EINVAL);
  IS_NULL(nth_batch_get_desc(&last, -1), EINVAL);
  IS_NULL(nth_batch_get_desc(&last, LONG_MIN), EINVAL);
  IS_NULL(nth_batch_get_desc(&last, LONG_MAX), EOVERFLOW);
  IS_NULL(nth_batch_get_desc(&last, 1L << 28), EOVERFLOW);
  CHECK(!last);
  IS_NULL(nth_batch_get_desc(&last, 0), 0);
  IS_NULL(nth_batch_get_next(NULL), EINVAL);
  CHECK_EQ(nth_batch_create(NULL, count, 0, 0, 1, 1L), EINVAL);
  CHECK_EQ(nth_batch_create_ls(NULL, count, 0, me, 1, 1L), EINVAL);
  CHECK_EQ(nth_batch_create_ls(me, count, 0, me, 1, 1L), EINVAL);
}

static void one(void) {
  int processors = nth_processors();
  ran = 0;
  CHECK_EQ(nth_depadd(me, 2), 0);
  struct nth_desc *nth = nth_create_ls(count, 0, me, 1, 1L);
  CHECK_EQ(nth_to_lrq(0, NULL), EINVAL);
  CHECK_EQ(nth_to_lrq_end(0, NULL), EINVAL);
  CHECK_EQ(nth_to_lrq(-1, nth), EINVAL);
  CHECK_EQ(nth_to_lrq(processors, nth), EINVAL);
  CHECK_EQ(nth_to_lrq_end(INT_MAX, nth), EINVAL);
  CHECK_EQ(nth_to_lrq(0, me), EALREADY);
  CHECK_EQ(nth_to_lrq(processors - 1, nth), 0);
  CHECK_EQ(nth_block(), 0);
  CHECK_EQ(ran, 1);
  CHECK_EQ(nth_to_lrq(0, nth), EINVAL);
  CHECK_EQ(nth_depadd(nth, 1), EINVAL);
}

/* On one processor nothing starts before main waits. */
static void twice(void) {
  ran = 0;
  CHECK_EQ(nth_depadd(me, 4), 0);
  struct nth_desc *nth[3];
  for (int i = 0; i < 3; i++)
    CHECK_EQ(nth_to_lrq(0, nth[i] = nth_create_ls(count, 0, me, 1, 1L)), 0);
  for (int i = 0; i < 3; i++) {
    CHECK_EQ(nth_to_lrq(0, nth[i]), EALREADY);
    CHECK_EQ(nth_to_lrq_end(0, nth[i]), EALREADY);
    CHECK_EQ(nth_batch_to_lrq(0, nth[i], nth[i]), EALREADY);
    CHECK_EQ(nth_depadd(nth[i], 1), EINVAL);
    IS_NULL(nth_batch_get_next(nth[i]), EINVAL);
    CHECK_EQ(nth_batch_create_ls(nth[i], count, 0, me, 1, 1L), EINVAL);
  }
  CHECK_EQ(nth_block(), 0);
  CHECK_EQ(ran, 3);
}

static void waits(void) {
  ran = 0;
  CHECK_EQ(nth_depadd(me, 2), 0);
  struct nth_desc *second = nth_create_ls(count, 1, me, 1, 10L);
  CHECK_EQ(nth_to_lrq(0, second), EBUSY);
  CHECK_EQ(nth_to_lrq_end(0, second), EBUSY);
  CHECK_EQ(nth_to_lrq(0, nth_create_ls(count, 0, second, 1, 1L)), 0);
  CHECK_EQ(nth_block(), 0);
  CHECK_EQ(ran, 11);
}

static struct nth_desc *batch(long n, struct nth_desc **last) {
  struct nth_desc *first = nth_batch_get_desc(last, n);
  for (struct nth_desc *d = first; d; d = nth_batch_get_next(d))
    CHECK_EQ(nth_batch_create_ls(d, count, 0, me, 1, 1L), 0);
  return first;
}

static void batches(void) {
  ran = 0;
  CHECK_EQ(nth_depadd(me, 8 + 8 + 1), 0);
  struct nth_desc *last, *last2, *first = nth_batch_get_desc(&last, 8), *first2 = batch(8, &last2);
  CHECK_EQ(nth_batch_to_lrq(0, first, last), EINVAL); /* not created */
  for (struct nth_desc *d = first; d != last; d = nth_batch_get_next(d))
    CHECK_EQ(nth_batch_create_ls(d, count, 0, me, 1, 1L), 0);
  CHECK_EQ(nth_batch_to_lrq(0, first, last), EINVAL); /* the last one is not */
  CHECK_EQ(nth_batch_create_ls(first, count, 0, me, 1, 1L), EINVAL);
  CHECK_EQ(nth_batch_create_ls(last, count, 0, me, 1, 1L), 0);
  CHECK_EQ(nth_batch_to_lrq(0, NULL, last), EINVAL);
  CHECK_EQ(nth_batch_to_lrq(0, first, NULL), EINVAL);
  CHECK_EQ(nth_batch_to_lrq(0, first, last2), EINVAL);
  CHECK_EQ(nth_batch_to_lrq_end(0, last, first), EINVAL);
  CHECK_EQ(nth_batch_to_lrq(nth_processors(), first, last), EINVAL);
  CHECK_EQ(nth_batch_to_lrq_end(-1, first, last), EINVAL);
  struct nth_desc *middle = nth_batch_get_next(first);
  CHECK_EQ(nth_depadd(middle, 1), 0); /* one of them waits */
  CHECK_EQ(nth_batch_to_lrq(0, first, last), EBUSY);
  CHECK_EQ(nth_to_lrq(0, nth_create_ls(count, 0, middle, 1, 100L)), 0);
  CHECK_EQ(nth_batch_to_lrq(0, first2, last2), 0);
  CHECK_EQ(nth_batch_to_lrq(0, first2, last2), EALREADY);
  /* what is left of the first batch; its second member goes alone when it is ready */
  struct nth_desc *third = nth_batch_get_next(middle);
  CHECK_EQ(nth_to_lrq(0, first), 0);
  CHECK_EQ(nth_batch_to_lrq_end(0, third, last), 0);
  CHECK_EQ(nth_block(), 0);
  CHECK_EQ(ran, 116);
}

static void waiting(void) {
  CHECK_EQ(nth_block(), EINVAL);
  CHECK_EQ(nth_depadd(NULL, 1), EINVAL);
  CHECK_EQ(nth_depadd(me, -1), EINVAL);
  CHECK_EQ(nth_depadd(me, 0), 0);
  CHECK_EQ(nth_depadd(me, LONG_MAX), EOVERFLOW);
  CHECK_EQ(nth_depadd(me, 1L << 28), EOVERFLOW);
  CHECK_EQ(nth_depadd(me, (1L << 28) - 1), 0);
  CHECK_EQ(nth_depadd(me, 1), EOVERFLOW);
}

static void inner(void) { CHECK_EQ(nth_exit(), EPERM); }
static void waits_for_nothing(void) { CHECK_EQ(nth_block(), EINVAL); }

static void ending(void) {
  CHECK_EQ(nth_depadd(me, 3), 0);
  CHECK_EQ(nth_to_lrq(0, nth_create_ls(inner, 0, me, 0)), 0);
  if (nth_processors() == 1)
    CHECK_EQ(nth_exit(), EBUSY);
  CHECK_EQ(nth_to_lrq(0, nth_create_ls(waits_for_nothing, 0, me, 0)), 0);
  CHECK_EQ(nth_block(), 0);
  CHECK_EQ(nth_init(1), EBUSY);
}

static void all(void) {
  me = nth_self();
  creating();
  one();
  if (nth_processors() == 1)
    twice();
  waits();
  if (nth_processors() == 1)
    batches();
  ending();
  one();
}

int main(void) {
  without_processors(NULL);
  numbers_of_init();
  for (int i = 0; i < 20; i++) {
    CHECK_EQ(nth_init(i % 2), 0);
    all();
    if (i == 19)
      waiting();
    CHECK_EQ(nth_exit(), 0);
    without_processors(me);
  }
  return 0;
}
