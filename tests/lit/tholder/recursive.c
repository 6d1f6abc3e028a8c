/* recursive.c - created threads that create threads and join them */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks a chain of 2000 threads, each of which waits for the next one, a binary tree of 2047, and
// threads that are joined by others than those that created them.
// UNSUPPORTED: emulated
// RUN: %th_test
#include "names.h"

enum { CHAIN = CHECK_TIMES(2000), DEPTH = 10, THREADS = 8 };

/* Returns how many threads there are from here on. */
static void *link_of_chain(void *argument) {
  intptr_t left = (intptr_t)argument;
  if (left == 1)
    return th_pointer(1);
  return th_pointer((intptr_t)th_call(link_of_chain, th_pointer(left - 1)) + 1);
}

/* Node i has the children 2i and 2i + 1. Returns the sum of the nodes' numbers. */
static void *node(void *argument) {
  intptr_t i = (intptr_t)argument;
  if (i >= 1 << DEPTH)
    return argument;
  tholder_t left = th_start(node, th_pointer(2 * i)), right = th_start(node, th_pointer(2 * i + 1));
  CHECK(!tholder_equal(left, right));
  intptr_t sum = (intptr_t)th_result(right) + (intptr_t)th_result(left);
  return th_pointer(sum + i);
}

/* ---- each joins the one that the thread before it has created ---- */

static tholder_t child[THREADS];
static int created[THREADS];

static void *leaf(void *argument) { return th_pointer((intptr_t)argument + 100); }

static void *joins_neighbour(void *argument) {
  intptr_t i = (intptr_t)argument, next = (i + 1) % THREADS;
  child[i] = th_start(leaf, argument);
  th_set(&created[i], 1);
  CHECK_WAIT_UNTIL(th_is_set(&created[next]));
  CHECK(th_result(child[next]) == th_pointer(next + 100));
  return argument;
}

static void neighbours(void) {
  tholder_t t[THREADS];
  for (int i = 0; i < THREADS; i++)
    created[i] = 0;
  for (int i = 0; i < THREADS; i++)
    t[i] = th_start(joins_neighbour, th_pointer(i));
  for (int i = 0; i < THREADS; i++)
    CHECK(th_result(t[i]) == th_pointer(i));
}

/* ---- the creator has ended before its thread has ---- */

static int creator_ended;

static void *outlives(void *argument) {
  CHECK_WAIT_UNTIL(th_is_set(&creator_ended));
  return argument;
}

static void *leaves_one(void *argument) {
  *(tholder_t *)argument = th_start(outlives, argument);
  return NULL;
}

static void orphan(void) {
  tholder_t t;
  creator_ended = 0;
  th_call(leaves_one, &t);
  th_set(&creator_ended, 1);
  CHECK(th_result(t) == &t);
}

int main(void) {
  for (int i = 0; i < 2; i++) {
    CHECK(th_call(link_of_chain, th_pointer(CHAIN)) == th_pointer(CHAIN));
    intptr_t last = (2 << DEPTH) - 1;
    CHECK(th_call(node, th_pointer(1)) == th_pointer(last * (last + 1) / 2));
  }
  for (int i = 0; i < CHECK_TIMES(50); i++) {
    neighbours();
    orphan();
  }
  return 0;
}
