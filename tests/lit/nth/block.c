/* block.c - nano-threads that block: recursion, many at once, on the OS thread that started them */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks fork and join in nano-threads to any depth, that each goes on on its own stack and OS
// thread with its locals and thread-local variables as it left them, and that stacks of finished
// ones are used again.
// RUN: %nth_test
#include "check.h"
#include <nanogomp/nth.h>
#include <sys/resource.h>

static _Thread_local int own; /* its address tells the OS thread */

/* Fibonacci, with a fork at each call. */
static void fib(long n, long *result) {
  if (n < 2) {
    *result = n;
    return;
  }
  struct nth_desc *self = nth_self();
  int *thread = &own, where = nth_processor();
  long a = -1, b = -1;
  CHECK_EQ(nth_depadd(self, 3), 0);
  CHECK_EQ(nth_to_lrq(where, nth_create_ls(fib, 0, self, 2, n - 1, &a)), 0);
  CHECK_EQ(nth_to_lrq((int)(n % nth_processors()), nth_create_ls(fib, 0, self, 2, n - 2, &b)), 0);
  CHECK_EQ(nth_block(), 0);
  CHECK(nth_self() == self);
  CHECK(thread == &own);
  CHECK_EQ(nth_processor(), where);
  *result = a + b;
}

/* Waits for `count` batches one after the other. */
static void leaf(long *sum, long i) { __atomic_fetch_add(sum, i, __ATOMIC_RELAXED); }

static void rounds(long count, long *result) {
  struct nth_desc *self = nth_self(), *last;
  long sum = 0;
  for (long i = 0; i < count; i++) {
    CHECK_EQ(nth_depadd(self, 5), 0);
    struct nth_desc *first = nth_batch_get_desc(&last, 4);
    for (struct nth_desc *d = first; d; d = nth_batch_get_next(d))
      CHECK_EQ(nth_batch_create_ls(d, leaf, 0, self, 2, &sum, i), 0);
    CHECK_EQ(nth_batch_to_lrq_end((int)(i % nth_processors()), first, last), 0);
    CHECK_EQ(nth_block(), 0);
    CHECK_EQ(sum, 4 * (i + 1) * i / 2);
  }
  __atomic_fetch_add(result, sum, __ATOMIC_RELAXED);
}

/* All block on one gate before it opens: each has a stack of its own. */
static void gate(void) {}

static long passed, ready;
static struct nth_desc *gate_nth;
static void waits_at_gate(long i) {
  struct nth_desc *self = nth_self();
  char local[2000];
  memset(local, (int)(i % 100), sizeof local);
  CHECK_EQ(nth_depadd(self, 2), 0);
  struct nth_desc *mine = nth_create_ls(gate, 1, self, 0);
  /* the gate keeper runs them all when everybody is here */
  extern struct nth_desc **keys;
  keys[i] = mine;
  __atomic_fetch_add(&ready, 1, __ATOMIC_RELEASE);
  CHECK_EQ(nth_block(), 0);
  for (unsigned j = 0; j < sizeof local; j++)
    CHECK_EQ(local[j], i % 100);
  __atomic_fetch_add(&passed, 1, __ATOMIC_RELAXED);
}

struct nth_desc **keys;
static void nothing(void) {}

static void keeper(long n) {
  /* one that others have put behind all the waiting ones */
  if (__atomic_load_n(&ready, __ATOMIC_ACQUIRE) < n) {
    struct nth_desc *again = nth_create_ls(keeper, 0, gate_nth, 1, n);
    CHECK_EQ(nth_depadd(gate_nth, 1), 0);
    CHECK_EQ(nth_to_lrq_end(nth_processor(), again), 0);
    return;
  }
  for (long i = 0; i < n; i++)
    CHECK_EQ(nth_to_lrq(nth_processor(), nth_create_ls(nothing, 0, keys[i], 0)), 0);
}

static void many_blocked(long n) {
  struct nth_desc *me = gate_nth = nth_self();
  passed = ready = 0;
  keys = malloc((size_t)n * sizeof(struct nth_desc *));
  CHECK_EQ(nth_depadd(me, n + 2), 0);
  for (long i = 0; i < n; i++)
    CHECK_EQ(nth_to_lrq((int)(i % nth_processors()), nth_create_ls(waits_at_gate, 0, me, 1, i)), 0);
  CHECK_EQ(nth_to_lrq_end(0, nth_create_ls(keeper, 0, me, 1, n)), 0);
  CHECK_EQ(nth_block(), 0);
  CHECK_EQ(passed, n);
  free(keys);
}

int main(void) {
  CHECK_EQ(nth_init(0), 0);
  struct nth_desc *me = nth_self();
  long result = 0;
  for (int i = 0; i < 3; i++) {
    fib(CHECK_SLOWER == 1 ? 20 : 14, &result);
    CHECK_EQ(result, CHECK_SLOWER == 1 ? 6765 : 377);
  }
  for (int i = 0; i < 3; i++) {
    result = 0;
    CHECK_EQ(nth_depadd(me, 21), 0);
    for (int j = 0; j < 20; j++)
      CHECK_EQ(nth_to_lrq(j % nth_processors(), nth_create_ls(rounds, 0, me, 2, 100L, &result)), 0);
    CHECK_EQ(nth_block(), 0);
    CHECK_EQ(result, 20 * 4 * 100 * 99 / 2);
  }
  for (int i = 0; i < 3; i++) {
    many_blocked(1);
    many_blocked(100);
    many_blocked(CHECK_TIMES(3000));
  }
  CHECK_EQ(nth_exit(), 0);
  return 0;
}
