/* order.c - ready queues: in front, at the end, whole batches */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks on one processor in which order nano-threads start: what was put in front last is first,
// what was put at the end last is last, a batch keeps its order, and what a nano-thread puts in
// front starts next.
// REQUIRES: base
// RUN: %nth_test
#include "check.h"
#include <nanogomp/nth.h>

static long seen[10000], count;
static struct nth_desc *me;

static void note(long i) { seen[count++] = i; }

static struct nth_desc *make(long i) { return nth_create_ls(note, 0, me, 1, i); }

/* A batch of from .. to - 1. */
static struct nth_desc *batch(long from, long to, struct nth_desc **last) {
  struct nth_desc *first = nth_batch_get_desc(last, to - from);
  CHECK(first);
  for (struct nth_desc *d = first; d; d = nth_batch_get_next(d))
    CHECK_EQ(nth_batch_create_ls(d, note, 0, me, 1, from++), 0);
  CHECK_EQ(from, to);
  return first;
}

static void front(long i) { CHECK_EQ(nth_to_lrq(0, make(i)), 0); }
static void end(long i) { CHECK_EQ(nth_to_lrq_end(0, make(i)), 0); }
static void batch_front(long from, long to) {
  struct nth_desc *last, *first = batch(from, to, &last);
  CHECK_EQ(nth_batch_to_lrq(0, first, last), 0);
}
static void batch_end(long from, long to) {
  struct nth_desc *last, *first = batch(from, to, &last);
  CHECK_EQ(nth_batch_to_lrq_end(0, first, last), 0);
}

static void expect(long n) {
  count = 0;
  CHECK_EQ(nth_depadd(me, n + 1), 0);
}

static void in_order(long n) {
  CHECK_EQ(nth_block(), 0);
  CHECK_EQ(count, n);
  for (long i = 0; i < n; i++)
    CHECK_EQ(seen[i], i);
}

static void fronts(long n) {
  expect(n);
  for (long i = n; i-- > 0;)
    front(i);
  in_order(n);
}

static void ends(long n) {
  expect(n);
  for (long i = 0; i < n; i++)
    end(i);
  in_order(n);
}

/* From the middle outwards, one by one and in batches of `size`. */
static void both(long half, long size) {
  expect(2 * half);
  for (long i = 0; i < half; i += size)
    if (i / size % 2) {
      batch_front(half - i - size, half - i);
      batch_end(half + i, half + i + size);
    } else {
      for (long j = i; j < i + size; j++) {
        front(half - j - 1);
        end(half + j);
      }
    }
  in_order(2 * half);
}

/* Nano-thread i puts 3i + 1 to 3i + 3 in front: a tree in depth first order. */
static long visited;
static void visit(long depth, long number) {
  CHECK_EQ(visited++, number);
  long below = 1; /* of each child, itself included */
  for (long d = depth - 1; d > 0; d--)
    below = 3 * below + 1;
  if (depth == 0)
    return;
  CHECK_EQ(nth_depadd(me, 3), 0);
  for (long i = 3; i-- > 0;)
    CHECK_EQ(nth_to_lrq(0, nth_create_ls(visit, 0, me, 2, depth - 1, number + 1 + i * below)), 0);
}

int main(void) {
  CHECK_EQ(nth_init(1), 0);
  CHECK_EQ(nth_processors(), 1);
  CHECK_EQ(nth_processor(), 0);
  me = nth_self();
  static const long sizes[] = {1, 2, 8, 9, 255, 256, 257, 511, 512, 513, 3000};
  for (int i = 0; i < 11; i++) {
    fronts(sizes[i]);
    ends(sizes[i]);
  }
  both(8, 2);
  both(4000, 8);
  both(4000, 500);
  CHECK_EQ(nth_depadd(me, 2), 0);
  CHECK_EQ(nth_to_lrq(0, nth_create_ls(visit, 0, me, 2, 8L, 0L)), 0);
  CHECK_EQ(nth_block(), 0);
  CHECK_EQ(visited, (6561 * 3 - 1) / 2);
  CHECK_EQ(nth_exit(), 0);
  return 0;
}
