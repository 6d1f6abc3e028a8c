/* across_depend.c - nano-threads among the dependences of OpenMP's tasks */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a nano-thread given to nth_depend() starts behind the earlier sibling tasks that
// conflict with it, and later ones behind it; that taskwait, with and without depend, taskgroup and
// the end of the region wait for it; in chains, between readers, in mutexinoutset groups and in
// random graphs, whoever makes them; and what nth_depend() refuses.
// RUN: %nth_test
#include "check.h"
#include <errno.h>
#include <nanogomp/nth.h>

static int processors;

static void depend_one(struct nth_desc *nth, void *address, int kind) {
  CHECK_EQ(nth_depend(nth, 1, &address, &kind), 0);
}

/* --- a chain: every other link is a nano-thread --- */

static void link_of(long i, long *at) {
  CHECK_EQ(*at, i);
  *at = i + 1;
}

static void chain(long n) {
  long at = 0;
  for (long i = 0; i < n; i++) {
    if (i % 2 == 0) {
      depend_one(nth_create_ls(link_of, 0, NULL, 2, i, &at), &at, NTH_INOUT);
    } else {
#pragma omp task shared(at) firstprivate(i) depend(inout : at)
      link_of(i, &at);
    }
  }
#pragma omp taskwait depend(in : at)
  CHECK_EQ(at, n);
#pragma omp taskwait
}

/* --- readers between writers --- */

static void write_to(long *x, long value) { *x = value; }
static void read_of(const long *x, long value, int *reads) {
  CHECK_EQ(*x, value);
  __atomic_fetch_add(reads, 1, __ATOMIC_RELAXED);
}

static void readers(long n) {
  long x = 0;
  int reads = 0;
  for (long i = 1; i <= n; i++) {
    if (i % 2) {
#pragma omp task shared(x) firstprivate(i) depend(out : x)
      write_to(&x, i);
    } else {
      depend_one(nth_create_ls(write_to, 0, NULL, 2, &x, i), &x, NTH_OUT);
    }
    for (int j = 0; j < 3; j++) {
      depend_one(nth_create_ls(read_of, 0, NULL, 3, &x, i, &reads), &x, NTH_IN);
#pragma omp task shared(x, reads) firstprivate(i) depend(in : x)
      read_of(&x, i, &reads);
    }
  }
#pragma omp taskwait
  CHECK_EQ(reads, 6 * n);
}

/* --- one at a time, in any order --- */

static void alone(long *count, int *inside) {
  CHECK_EQ(__atomic_fetch_add(inside, 1, __ATOMIC_RELAXED), 0);
  ++*count;
  __atomic_fetch_sub(inside, 1, __ATOMIC_RELAXED);
}

static void exclusive(long n) {
  long count = 0;
  int inside = 0;
#pragma omp taskgroup
  {
    for (long i = 0; i < n; i++) {
      depend_one(nth_create_ls(alone, 0, NULL, 2, &count, &inside), &count, NTH_MUTEXINOUTSET);
#pragma omp task shared(count, inside) depend(mutexinoutset : count)
      alone(&count, &inside);
    }
  }
  CHECK_EQ(count, 2 * n);
}

/* --- random graphs: what each has to see was written by those before it --- */

enum { OBJECTS = 6, NODES = 150 };
struct graph {
  long version[OBJECTS];              /* who wrote it last */
  long sees[NODES][2], writes[NODES]; /* objects */
  long expected[NODES][2];            /* their versions */
};

static void node(struct graph *g, long i) {
  for (int j = 0; j < 2; j++)
    if (g->sees[i][j] != g->writes[i])
      CHECK_EQ(g->version[g->sees[i][j]], g->expected[i][j]);
  g->version[g->writes[i]] = i;
}

static void graph(uint64_t seed) {
  struct graph g;
  long last[OBJECTS];
  for (int k = 0; k < OBJECTS; k++)
    g.version[k] = last[k] = -1;
  for (long i = 0; i < NODES; i++) {
    g.writes[i] = (long)(check_random(&seed) % OBJECTS);
    for (int j = 0; j < 2; j++) {
      g.sees[i][j] = (long)(check_random(&seed) % OBJECTS);
      g.expected[i][j] = last[g.sees[i][j]];
    }
    last[g.writes[i]] = i;
    long *a = &g.version[g.sees[i][0]], *b = &g.version[g.sees[i][1]], *c = &g.version[g.writes[i]];
    if (check_random(&seed) % 2) {
      void *address[] = {a, b, c};
      CHECK_EQ(nth_depend(nth_create_ls(node, 0, NULL, 2, &g, i), 3, address,
                          (int[]){NTH_IN, NTH_IN, NTH_INOUT}),
               0);
    } else {
#pragma omp task shared(g) firstprivate(i) depend(in : *a, *b) depend(inout : *c)
      node(&g, i);
    }
  }
#pragma omp taskwait
  for (int k = 0; k < OBJECTS; k++)
    CHECK_EQ(g.version[k], last[k]);
}

/* --- with others of its own kind before it --- */

static void add(long *sum, long i) { __atomic_fetch_add(sum, i, __ATOMIC_RELAXED); }
static void sums(const long *x, const long *sum) {
  CHECK_EQ(*x, 1);
  CHECK_EQ(*sum, 10);
}

static void both(void) {
  long x = 0, sum = 0;
#pragma omp task shared(x) depend(out : x)
  x = 1;
  struct nth_desc *last = nth_create_ls(sums, 4, NULL, 2, &x, &sum);
  depend_one(last, &x, NTH_IN);
  for (long i = 1; i <= 4; i++)
    CHECK_EQ(nth_to_lrq((int)(i % processors), nth_create_ls(add, 0, last, 2, &sum, i)), 0);
#pragma omp taskwait
  CHECK_EQ(sum, 10);
  x = 0; /* without an access it is a child only */
  CHECK_EQ(nth_depend(nth_create_ls(write_to, 0, NULL, 2, &x, 7L), 0, NULL, NULL), 0);
#pragma omp taskwait
  CHECK_EQ(x, 7);
}

/* --- what is refused --- */

static void full(void) {}
static void refused(void) {
  long x;
  void *address[] = {&x};
  int in[] = {NTH_IN}, unknown[] = {6};
  struct nth_desc *nth = nth_create_ls(full, 0, NULL, 0), *first, *last;
  CHECK_EQ(nth_depend(NULL, 1, address, in), EINVAL);
  CHECK_EQ(nth_depend(nth, -1, address, in), EINVAL);
  CHECK_EQ(nth_depend(nth, 1, NULL, in), EINVAL);
  CHECK_EQ(nth_depend(nth, 1, address, NULL), EINVAL);
  CHECK_EQ(nth_depend(nth, 1, address, unknown), EINVAL);
  CHECK_EQ(nth_depend(nth_self(), 1, address, in), EALREADY);
  first = nth_batch_get_desc(&last, 1);
  CHECK_EQ(nth_depend(first, 1, address, in), EINVAL);
  CHECK_EQ(nth_batch_create_ls(first, full, 0, NULL, 0), 0);
  CHECK_EQ(nth_depend(first, 1, address, in), 0);
  CHECK(nth_batch_to_lrq(0, first, last) != 0);
  struct nth_desc *me = nth_self();
  CHECK_EQ(nth_depend(nth_create(full, 0, 10, 1, me, me, me, me, me, me, me, me, me, me, 1L), 1,
                      address, in),
           E2BIG);
  CHECK_EQ(nth_depend(nth, 1, address, in), 0);
#pragma omp taskwait
}

static void all(long turn) {
  chain(101);
  readers(10);
  exclusive(20);
  graph((uint64_t)turn + 1);
  both();
}

static void in_nano_thread(long turn) {
  long at = 0; /* nobody but other processors runs what it waits for */
  depend_one(nth_create_ls(link_of, 0, NULL, 2, 0L, &at), &at, NTH_INOUT);
#pragma omp task shared(at) depend(inout : at)
  link_of(1, &at);
#pragma omp taskwait
  CHECK_EQ(at, 2);
  (void)turn;
}

int main(void) {
  CHECK_EQ(nth_depend(nth_self(), 0, NULL, NULL), ENXIO);
  /* somebody else has to run nano-threads while the initial thread is in taskwait */
  CHECK_EQ(nth_init(omp_get_max_threads() > 1 ? 0 : 2), 0);
  processors = nth_processors();
  refused();
  for (long turn = 0; turn < CHECK_TIMES(20); turn++) {
    all(turn);
#pragma omp parallel
#pragma omp single
    all(turn);
#pragma omp parallel num_threads(3)
    all(turn + omp_get_thread_num());
    long late = 0;
#pragma omp parallel num_threads(2)
#pragma omp single nowait
    depend_one(nth_create_ls(write_to, 0, NULL, 2, &late, turn), &late, NTH_OUT);
    CHECK_EQ(late, turn); /* the end of the region has waited */
    struct nth_desc *me = nth_self();
    CHECK_EQ(nth_depadd(me, 2), 0);
    CHECK_EQ(nth_to_lrq(0, nth_create_ls(in_nano_thread, 0, me, 1, turn)), 0);
    CHECK_EQ(nth_block(), 0);
  }
  /* one that waits for a task keeps the processors */
  omp_event_handle_t event;
  long x = 0;
#pragma omp task detach(event) depend(out : x)
  {}
  depend_one(nth_create_ls(write_to, 0, NULL, 2, &x, 1L), &x, NTH_INOUT);
  CHECK_EQ(nth_exit(), EBUSY);
  omp_fulfill_event(event);
#pragma omp taskwait
  CHECK_EQ(x, 1);
  CHECK_EQ(nth_exit(), 0);
  return 0;
}
