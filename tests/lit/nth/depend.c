/* depend.c - nano-threads that wait for others: diamonds, chains, random graphs */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a nano-thread created with dependencies starts when the last of them has ended and
// not before, that all its successors are told, and that nth_depadd() before their creation counts.
// RUN: %nth_test
#include "check.h"
#include <nanogomp/nth.h>

enum { NODES = 400 };
static struct nth_desc *node[NODES + 1], *me;
static int done[NODES], needs[NODES][3], count[NODES];

static void run(long i) {
  for (int j = 0; j < count[i]; j++)
    CHECK(__atomic_load_n(&done[needs[i][j]], __ATOMIC_RELAXED));
  CHECK(!done[i]);
  __atomic_store_n(&done[i], 1, __ATOMIC_RELAXED);
}

/* Node i needs up to three of those before it. Made from the last to the first, since a
 * nano-thread's successors have to be there. */
static void graph(uint64_t seed, int processors) {
  int successors[NODES][3], nsucc[NODES] = {0};
  memset(done, 0, sizeof done);
  memset(count, 0, sizeof count);
  for (int i = 1; i < NODES; i++)
    for (int j = 0; j < 3; j++) {
      int before = (int)(check_random(&seed) % (uint32_t)i);
      if (nsucc[before] < 3) {
        successors[before][nsucc[before]++] = i;
        needs[i][count[i]++] = before;
      }
    }
  CHECK_EQ(nth_depadd(me, NODES + 1), 0);
  for (int i = NODES; i-- > 0;) {
    struct nth_desc *s[3];
    for (int j = 0; j < nsucc[i]; j++)
      s[j] = node[successors[i][j]];
    int late = count[i] > 1 ? 1 : 0; /* told by nth_depadd */
    int ndep = count[i] - late;
    switch (nsucc[i]) {
    case 0: node[i] = nth_create(run, ndep, 1, 1, me, (long)i); break;
    case 1: node[i] = nth_create(run, ndep, 2, 1, s[0], me, (long)i); break;
    case 2: node[i] = nth_create(run, ndep, 3, 1, me, s[0], s[1], (long)i); break;
    case 3: node[i] = nth_create(run, ndep, 4, 1, s[0], s[1], me, s[2], (long)i); break;
    }
    CHECK_EQ(nth_depadd(node[i], late), 0);
  }
  for (int i = 0; i < NODES; i++)
    if (count[i] == 0)
      CHECK_EQ(nth_to_lrq(i % processors, node[i]), 0);
  CHECK_EQ(nth_block(), 0);
  for (int i = 0; i < NODES; i++)
    CHECK(done[i]);
}

/* Each starts the next one, over and over the same two descriptors' memory. */
static long links;
static void step(long i) { CHECK_EQ(links++, i); }

static void chain(long n) {
  struct nth_desc *next = me, *d = NULL;
  links = 0;
  CHECK_EQ(nth_depadd(me, 2), 0);
  for (long i = n; i-- > 0; next = d)
    d = nth_create_ls(step, i > 0, next, 1, i);
  CHECK_EQ(nth_to_lrq_end(nth_processors() - 1, d), 0);
  CHECK_EQ(nth_block(), 0);
  CHECK_EQ(links, n);
}

static void sum(long *to, long a, long b, long c, long d, long e, long f, long g) {
  *to = a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g;
}

static void arguments(void) {
  long to = 0;
  CHECK_EQ(nth_depadd(me, 4), 0);
  CHECK_EQ(nth_to_lrq(0, nth_create(sum, 0, 3, 8, me, me, me, &to, 1L, 2L, 3L, 4L, 5L, 6L, 7L)), 0);
  CHECK_EQ(nth_block(), 0);
  CHECK_EQ(to, 140);
}

static _Atomic(long) narg_seen;
static void arg0(void) { narg_seen |= 1; }
static void arg1(long a) { narg_seen |= a; }
static void arg2(long a, long b) { narg_seen |= a + b; }
static void arg3(long a, long b, long c) { narg_seen |= a + b + c; }
static void arg4(long a, long b, long c, long d) { narg_seen |= a + b + c + d; }
static void arg5(long a, long b, long c, long d, long e) { narg_seen |= a + b + c + d + e; }
static void arg6(long a, long b, long c, long d, long e, long f) {
  narg_seen |= a + b + c + d + e + f;
}
static void arg7(long a, long b, long c, long d, long e, long f, long g) {
  narg_seen |= a + b + c + d + e + f + g;
}

static void each_count(void) {
  CHECK_EQ(nth_depadd(me, 9), 0);
  struct nth_desc *d[8] = {
      nth_create_ls(arg0, 0, me, 0),
      nth_create_ls(arg1, 0, me, 1, 2L),
      nth_create_ls(arg2, 0, me, 2, 2L, 2L),
      nth_create_ls(arg3, 0, me, 3, 2L, 2L, 4L),
      nth_create_ls(arg4, 0, me, 4, 2L, 2L, 4L, 8L),
      nth_create_ls(arg5, 0, me, 5, 2L, 2L, 4L, 8L, 16L),
      nth_create_ls(arg6, 0, me, 6, 2L, 2L, 4L, 8L, 16L, 32L),
      nth_create_ls(arg7, 0, me, 7, 2L, 2L, 4L, 8L, 16L, 32L, 64L),
  };
  for (int i = 0; i < 8; i++)
    CHECK_EQ(nth_to_lrq(0, d[i]), 0);
  CHECK_EQ(nth_block(), 0);
  CHECK_EQ(narg_seen, 255);
}

int main(void) {
  CHECK_EQ(nth_init(0), 0);
  me = nth_self();
  arguments();
  each_count();
  chain(1);
  chain(CHECK_TIMES(100000));
  for (uint64_t seed = 1; seed <= CHECK_TIMES(200); seed++)
    graph(seed, nth_processors());
  CHECK_EQ(nth_exit(), 0);
  return 0;
}
