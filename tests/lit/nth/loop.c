/* loop.c - loops on the processors, by all schedules */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that each iteration runs once, with bounds near the type's limits, in chunks as the
// schedule says; loops in loops, in nano-threads, in regions and in threads of the program's own; a
// caller that waits for other nano-threads too; bodies that block; NTH_RUNTIME; what is refused.
// RUN: %nth_test
// RUN: %nth_build %s -o %t && env OMP_SCHEDULE=trapezoid,3 %omp_run %t
#include "check.h"
#include <errno.h>
#include <limits.h>
#include <nanogomp/nth.h>
#include <pthread.h>

enum { MOST = 5000 };
static const int schedules[] = {NTH_RUNTIME, NTH_STATIC,    NTH_DYNAMIC,  NTH_GUIDED,
                                NTH_AUTO,    NTH_TRAPEZOID, NTH_AFFINITY, NTH_GSS};
enum { SCHEDULES = sizeof schedules / sizeof *schedules };

struct seen {
  long first;
  int count[MOST];
  long chunks;
};

static void note(long from, long to, void *data) {
  struct seen *s = data;
  CHECK(from < to && nth_processor() >= 0);
  for (long i = from; i != to; i++)
    __atomic_fetch_add(&s->count[i - s->first], 1, __ATOMIC_RELAXED);
  __atomic_fetch_add(&s->chunks, 1, __ATOMIC_RELAXED);
}

static void one(long first, long trips, int schedule, long chunk) {
  struct seen *s = calloc(1, sizeof *s);
  s->first = first;
  CHECK_EQ(nth_loop_run(first, first + trips, schedule, chunk, note, s), 0);
  for (long i = 0; i < MOST; i++)
    CHECK_EQ(s->count[i], i < trips);
  if (chunk > 0 && (schedule == NTH_STATIC || schedule == NTH_DYNAMIC))
    CHECK_EQ(s->chunks, trips / chunk + (trips % chunk > 0));
  if (schedule == NTH_STATIC && chunk == 0)
    CHECK(s->chunks == (trips < nth_processors() ? trips : nth_processors()));
  free(s);
}

static void sizes(void) {
  static const long trips[] = {0, 1, 2, 3, 7, 16, 97, 1000, MOST};
  static const long chunks[] = {0, 1, 3, 50, MOST, LONG_MAX};
  for (int s = 0; s < SCHEDULES; s++)
    for (unsigned t = 0; t < sizeof trips / sizeof *trips; t++)
      for (unsigned c = 0; c < sizeof chunks / sizeof *chunks; c++) {
        one(-20, trips[t], schedules[s], chunks[c]);
        one(LONG_MIN, trips[t], schedules[s], chunks[c]);
        one(LONG_MAX - trips[t], trips[t], schedules[s], chunks[c]);
      }
}

/* --- in each other --- */

static long sum;

static void add(long from, long to, void *unused) {
  (void)unused;
  __atomic_fetch_add(&sum, to - from, __ATOMIC_RELAXED);
}

static void outer(long from, long to, void *data) {
  for (long i = from; i < to; i++)
    CHECK_EQ(nth_loop_run(0, 100, *(int *)data, 0, add, NULL), 0);
}

static void nested(void) {
  for (int s = 0; s < SCHEDULES; s++) {
    int schedule = schedules[s];
    sum = 0;
    CHECK_EQ(nth_loop_run(0, 40, schedule, 0, outer, &schedule), 0);
    CHECK_EQ(sum, 4000);
  }
}

/* --- beside other nano-threads --- */

static void nano(void) { CHECK_EQ(nth_loop_run(0, 100, NTH_GSS, 0, add, NULL), 0); }

static void beside(void) {
  struct nth_desc *me = nth_self();
  sum = 0;
  CHECK_EQ(nth_depadd(me, 10 + 1), 0);
  for (int i = 0; i < 10; i++)
    CHECK_EQ(nth_to_lrq(i % nth_processors(), nth_create_ls(nano, 0, me, 0)), 0);
  CHECK_EQ(nth_loop_run(0, 100, NTH_DYNAMIC, 7, add, NULL), 0);
  CHECK(nth_self() == me);
  CHECK_EQ(nth_block(), 0);
  CHECK_EQ(sum, 1100);
}

/* Bodies that wait for a nano-thread. */
static void nothing(void) {}

static void blocks(long from, long to, void *data) {
  struct nth_desc *me = nth_self();
  int at = nth_processor();
  CHECK_EQ(nth_depadd(me, 2), 0);
  CHECK_EQ(nth_to_lrq((int)(from % nth_processors()), nth_create_ls(nothing, 0, me, 0)), 0);
  CHECK_EQ(nth_block(), 0);
  CHECK_EQ(nth_processor(), at);
  add(from, to, data);
}

static void blocking(void) {
  sum = 0;
  CHECK_EQ(nth_loop_run(0, 500, NTH_DYNAMIC, 1, blocks, NULL), 0);
  CHECK_EQ(sum, 500);
}

/* --- by others than the master --- */

static void *by_thread(void *unused) {
  for (int i = 0; i < 20; i++)
    CHECK_EQ(nth_loop_run(0, 100, NTH_AFFINITY, 0, add, NULL), 0);
  return unused;
}

static void others(void) {
  pthread_t thread;
  sum = 0;
  CHECK_EQ(pthread_create(&thread, NULL, by_thread, NULL), 0);
  /* the master is in nth_block(): with one processor nobody else runs the loops */
  while (__atomic_load_n(&sum, __ATOMIC_RELAXED) < 2000)
    nano(); /* adds 100, too */
  CHECK_EQ(pthread_join(thread, NULL), 0);
  sum = 0;
#pragma omp parallel num_threads(3)
#pragma omp single
  if (nth_processor() == 0 || nth_processors() > 1)
    nano();
  else
    add(0, 100, NULL);
  CHECK_EQ(sum, 100);
}

static void refused(void) {
  CHECK_EQ(nth_loop_run(0, 10, NTH_STATIC, -1, add, NULL), EINVAL);
  CHECK_EQ(nth_loop_run(0, 10, NTH_STATIC, 0, NULL, NULL), EINVAL);
  CHECK_EQ(nth_loop_run(0, 10, 5, 0, add, NULL), EINVAL);
  CHECK_EQ(nth_loop_run(0, 10, -1, 0, add, NULL), EINVAL);
  CHECK_EQ(nth_loop_run(10, 0, 77, 0, add, NULL), EINVAL);
  CHECK_EQ(nth_loop_run(10, 0, NTH_STATIC, 0, add, NULL), 0);
}

int main(void) {
  CHECK_EQ(nth_loop_run(0, 10, NTH_STATIC, 0, add, NULL), ENXIO);
  CHECK_EQ(nth_init(0), 0);
  sizes();
  nested();
  beside();
  blocking();
  if (nth_processors() > 1)
    others();
  sum = 0;
  refused();
  CHECK_EQ(sum, 0);
  CHECK_EQ(nth_exit(), 0);
  return 0;
}
