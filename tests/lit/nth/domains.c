/* domains.c - ready queues of domains: the global one, and those on the way to it */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks which domains a processor is in, that what is aimed at one is taken by its own processors
// first, in order, and by others when these have no time; that batches go through it whole, and
// half of what is put in front of a busy processor goes to a domain in which another one is idle;
// errors; counters.
// RUN: %nth_build %s -o %t
// RUN: env OMP_NUM_THREADS=4 NTH_DOMAINS=1 %omp_run %t 1
// RUN: env OMP_NUM_THREADS=4 NTH_DOMAINS=2x2 %omp_run %t 2
// RUN: env OMP_NUM_THREADS=8 NTH_DOMAINS=2x2x2 NTH_MEMBERS=os %omp_run %t 3
// RUN: env OMP_NUM_THREADS=1 NTH_DOMAINS=2x2 %omp_run %t 2
// RUN: env OMP_NUM_THREADS=2 NTH_DOMAINS=2x1 %omp_run %t 2
#include "check.h"
#include <errno.h>
#include <nanogomp/nth.h>
#include <nanogomp/report.h>

enum { MOST = 3000 };
static struct nth_desc *me;
static long ran[MOST], seen[MOST], count;
static int where[MOST], held, go;

static void run(long i) {
  __atomic_fetch_add(&ran[i], 1, __ATOMIC_RELAXED);
  where[i] = nth_processor();
  seen[__atomic_fetch_add(&count, 1, __ATOMIC_RELAXED)] = i;
}

/* Keeps its processor until it is told to go on. */
static void hold(void) {
  __atomic_fetch_add(&held, 1, __ATOMIC_ACQ_REL);
  CHECK_WAIT_UNTIL(__atomic_load_n(&go, __ATOMIC_ACQUIRE));
}

static void begin(long n) {
  count = 0;
  memset(ran, 0, sizeof ran);
  CHECK_EQ(nth_depadd(me, n + 1), 0);
}

static void end(long n) {
  CHECK_EQ(nth_block(), 0);
  CHECK_EQ(count, n);
  for (long i = 0; i < n; i++)
    CHECK_EQ(ran[i], 1);
}

static struct nth_desc *make(long i) { return nth_create_ls(run, 0, me, 1, i); }

static struct nth_desc *batch(long from, long to, struct nth_desc **last) {
  struct nth_desc *first = nth_batch_get_desc(last, to - from);
  for (struct nth_desc *d = first; d; d = nth_batch_get_next(d))
    CHECK_EQ(nth_batch_create_ls(d, run, 0, me, 1, from++), 0);
  return first;
}

static void levels(int most) {
  int all = nth_processors();
  CHECK_EQ(nth_levels(-1), 0);
  CHECK_EQ(nth_levels(all), 0);
  for (int p = 0; p < all; p++) {
    CHECK_EQ(nth_levels(p), most);
    CHECK_EQ(nth_domain_processors(p, most - 1), all);
    CHECK_EQ(nth_domain_processors(p, most), 0);
    CHECK_EQ(nth_domain_processors(p, -1), 0);
    for (int l = 1; l < most; l++)
      CHECK(nth_domain_processors(p, l) >= nth_domain_processors(p, l - 1));
  }
}

/* All queues of all levels, one by one and in batches, in front and at the end. */
static void all_queues(int most) {
  long n = 0;
  struct nth_desc *last, *first;
  int all = nth_processors();
  begin(MOST);
  for (int l = 0; l < most; l++)
    for (int p = 0; p < all; p++) {
      CHECK_EQ(nth_to_domain(p, l, make(n++)), 0);
      CHECK_EQ(nth_to_domain_end(p, l, make(n++)), 0);
      first = batch(n, n + 20, &last);
      CHECK_EQ(nth_batch_to_domain(p, l, first, last), 0);
      first = batch(n + 20, n + 23, &last);
      CHECK_EQ(nth_batch_to_domain_end(p, l, first, last), 0);
      n += 23;
    }
  CHECK_EQ(nth_to_grq(make(n++)), 0);
  CHECK_EQ(nth_to_grq_end(make(n++)), 0);
  first = batch(n, n + 1, &last);
  CHECK_EQ(nth_batch_to_grq(first, last), 0);
  first = batch(n + 1, MOST, &last);
  CHECK_EQ(nth_batch_to_grq_end(first, last), 0);
  end(MOST);
}

/* One processor: what is nearer comes first, then in order. */
static void in_order(int most) {
  struct nth_desc *last, *first;
  long n = 20L * most + 1;
  begin(n);
  for (int l = most; l-- > 0;) {
    first = batch(20L * l + 6, 20L * l + 21, &last);
    CHECK_EQ(nth_batch_to_domain_end(0, l, first, last), 0);
    first = batch(20L * l + 2, 20L * l + 6, &last);
    CHECK_EQ(nth_batch_to_domain(0, l, first, last), 0);
    CHECK_EQ(nth_to_domain(0, l, make(20L * l + 1)), 0);
  }
  CHECK_EQ(nth_to_lrq(0, make(0)), 0);
  end(n);
  for (long i = 0; i < n; i++)
    CHECK_EQ(seen[i], i);
}

/* The processors of the other half are the only ones that have time: they take what is aimed at the
 * first one's domain, too. */
static void nobody_there(void) {
  int all = nth_processors(), holders = nth_domain_processors(0, 0) - 1;
  begin(holders + 4);
  for (int i = 1; i <= holders; i++)
    CHECK_EQ(nth_to_lrq(i, nth_create_ls(hold, 0, me, 0)), 0);
  for (long i = 0; i < 4; i++)
    CHECK_EQ(nth_to_domain(0, 0, make(i)), 0);
  if (all > holders + 1)
    CHECK_WAIT_UNTIL(__atomic_load_n(&count, __ATOMIC_RELAXED) == 4);
  __atomic_store_n(&go, 1, __ATOMIC_RELEASE);
  CHECK_EQ(nth_block(), 0);
  CHECK_EQ(count, 4);
}

static void errors(int most) {
  struct nth_desc *d = make(0), *waits = nth_create_ls(run, 1, me, 1, 0L);
  begin(1);
  CHECK_EQ(nth_to_domain(-1, 0, d), EINVAL);
  CHECK_EQ(nth_to_domain(nth_processors(), 0, d), EINVAL);
  CHECK_EQ(nth_to_domain(0, -1, d), EINVAL);
  CHECK_EQ(nth_to_domain(0, most, d), EINVAL);
  CHECK_EQ(nth_to_grq(0), EINVAL);
  CHECK_EQ(nth_to_grq(waits), EBUSY);
  CHECK_EQ(nth_batch_to_grq(d, waits), EINVAL);
  CHECK_EQ(nth_to_grq(d), 0);
  end(1);
}

/* What went through the queues at a depth. */
static unsigned long put_at(int depth) {
  static char text[65536];
  char key[32];
  unsigned long put = 0, taken = 0;
  CHECK(nth_report(text, sizeof text) < (int)sizeof text);
  snprintf(key, sizeof key, "\nready: %d ", depth);
  const char *line = strstr(text, key);
  CHECK(!line || sscanf(line + strlen(key), "%lu %lu", &put, &taken) == 2);
  CHECK_EQ(put, taken);
  return put;
}

/* The smallest domains are the deepest. One that has one processor uses that one's queue. */
static bool own_queue(int depth, int most) {
  return depth == most - 1 && nth_domain_processors(0, 0) == 1;
}

static unsigned long put_in_all(int most) {
  unsigned long sum = 0;
  for (int depth = 0; depth < most; depth++)
    sum += put_at(depth);
  return sum;
}

static void slow(long i) {
  check_sleep_ms(1);
  run(i);
}

/* A batch for one processor while others are idle: these get half of it by the queue of a
 * domain. */
static void packs(int most) {
  unsigned long before = put_in_all(most);
  for (int r = 0; r < 200 && put_in_all(most) == before; r++) {
    struct nth_desc *last, *first = nth_batch_get_desc(&last, 8);
    long i = 0;
    begin(8);
    for (struct nth_desc *d = first; d; d = nth_batch_get_next(d))
      CHECK_EQ(nth_batch_create_ls(d, slow, 0, me, 1, i++), 0);
    check_sleep_ms(2);
    CHECK_EQ(nth_batch_to_lrq(0, first, last), 0);
    end(8);
  }
  CHECK(put_in_all(most) > before);
}

int main(int argc, char **argv) {
  int most = argc > 1 ? atoi(argv[1]) : 1;
  CHECK_EQ(nth_to_grq(0), ENXIO);
  CHECK_EQ(nth_levels(0), 0);
  CHECK_EQ(nth_init(0), 0);
  me = nth_self();
  levels(most);
  errors(most);
  for (int r = 0; r < 50; r++)
    all_queues(most);
  if (nth_processors() == 1)
    in_order(most);
  else
    nobody_there();
  for (int depth = 0; depth < most; depth++)
    CHECK(own_queue(depth, most) ? put_at(depth) == 0 : put_at(depth) >= 25);
  if (nth_processors() > 1 && most > 1)
    packs(most);
  CHECK_EQ(nth_exit(), 0);
  return 0;
}
