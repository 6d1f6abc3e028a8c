/* sync.c - rows of barrier, single, reduction, critical, locks and the atomic entry.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A contended row counts the acquisitions of all members.
 */
#include <omp.h>

#include "bench.h"

/* gcc calls these for atomic updates that the hardware cannot do in one operation. */
extern void GOMP_atomic_start(void);
extern void GOMP_atomic_end(void);

static long count; /* w, r: holder of the row's lock, or the one member of a single */
static double sum; /* w: for-reduction */
static omp_lock_t the_lock;

static void barriers(long n, void *unused) {
  (void)unused;
  for (long i = 0; i < n; i++) {
#pragma omp barrier
  }
}

static void barriers_after_work(long n, void *arg) {
  long turns = *(long *)arg;
  for (long i = 0; i < n; i++) {
    bench_work(turns);
#pragma omp barrier
  }
}

static double run_barrier(const struct bench_row *row, long n) {
  long turns = bench_body_turns(row);
  bench_check_team(row->name);
  struct bench_span span = bench_by_all(turns ? barriers_after_work : barriers, n, &turns);
  bench_check(span.members == bench_members(), row->name, "size of the team");
  return span.ns;
}

static void singles(long n, void *unused) {
  (void)unused;
  for (long i = 0; i < n; i++) {
#pragma omp single
    count++;
  }
}

static double run_single(const struct bench_row *row, long n) {
  count = 0;
  double ns = bench_by_all(singles, n, NULL).ns;
  bench_check(count == n, row->name, "not once each");
  return ns;
}

static void singles_nowait(long n, void *unused) {
  (void)unused;
  long mine = 0; /* two members may be in different constructs at once */
  for (long i = 0; i < n; i++) {
#pragma omp single nowait
    mine++;
  }
#pragma omp atomic
  count += mine;
}

static double run_single_nowait(const struct bench_row *row, long n) {
  count = 0;
  double ns = bench_by_all(singles_nowait, n, NULL).ns;
  bench_check(count == n, row->name, "not once each");
  return ns;
}

static void reductions(long n, void *unused) {
  (void)unused;
  for (long i = 0; i < n; i++) {
#pragma omp for reduction(+ : sum)
    for (int j = 0; j < 16; j++)
      sum += 1;
  }
}

static double run_for_reduction(const struct bench_row *row, long n) {
  sum = 0;
  double ns = bench_by_all(reductions, n, NULL).ns;
  bench_check(sum == 16.0 * (double)n, row->name, "sum");
  return ns;
}

static void with_critical(long n, void *unused) {
  (void)unused;
  for (long i = 0; i < n; i++) {
#pragma omp critical
    {
      count++;
      bench_nothing();
    }
  }
}

/* Turns of work inside the construct and after it. */
struct share {
  long inside, after;
};

static void with_critical_work(long n, void *arg) {
  const struct share *work = arg;
  for (long i = 0; i < n; i++) {
#pragma omp critical
    {
      count++;
      bench_work(work->inside);
    }
    bench_work(work->after);
  }
}

static void with_lock(long n, void *unused) {
  (void)unused;
  for (long i = 0; i < n; i++) {
    omp_set_lock(&the_lock);
    count++;
    bench_nothing();
    omp_unset_lock(&the_lock);
  }
}

static void with_atomic_entry(long n, void *unused) {
  (void)unused;
  for (long i = 0; i < n; i++) {
    GOMP_atomic_start();
    count++;
    bench_nothing();
    GOMP_atomic_end();
  }
}

static double contended(const char *name, void (*body)(long, void *), long n, void *arg) {
  count = 0;
  omp_init_lock(&the_lock);
  struct bench_span span = bench_by_all(body, n, arg);
  omp_destroy_lock(&the_lock);
  bench_check(count == n * span.members, name, "count under the lock");
  return span.ns / span.members;
}

static double alone(const char *name, void (*body)(long, void *), long n, void *arg) {
  count = 0;
  omp_init_lock(&the_lock);
  int64_t start = bench_now();
  body(n, arg);
  int64_t end = bench_now();
  omp_destroy_lock(&the_lock);
  bench_check(count == n, name, "count under the lock");
  return (double)(end - start);
}

static double run_critical(const struct bench_row *row, long n) {
  struct share work = {bench_turns(row->task_us), 0};
  return contended(row->name, row->task_us > 0 ? with_critical_work : with_critical, n, &work);
}

static double run_critical_apart(const struct bench_row *row, long n) {
  struct share work = {bench_turns(row->task_us), bench_turns(row->task_us)};
  return contended(row->name, with_critical_work, n, &work);
}

static double run_critical_alone(const struct bench_row *row, long n) {
  struct share work = {bench_turns(row->task_us), 0};
  return alone(row->name, row->task_us > 0 ? with_critical_work : with_critical, n, &work);
}

static double run_lock(const struct bench_row *row, long n) {
  return contended(row->name, with_lock, n, NULL);
}

static double run_lock_alone(const struct bench_row *row, long n) {
  return alone(row->name, with_lock, n, NULL);
}

static double run_atomic_entry(const struct bench_row *row, long n) {
  return contended(row->name, with_atomic_entry, n, NULL);
}

static double run_atomic_entry_alone(const struct bench_row *row, long n) {
  return alone(row->name, with_atomic_entry, n, NULL);
}

const struct bench_row bench_sync_rows[] = {
    {"barrier", run_barrier, "barrier", .pick = PICK_BEST},
    {"barrier-body-10us", run_barrier, "10 us of work of each member, barrier", .body_us = 10},
    {"barrier-body-100us", run_barrier, "100 us of work of each member, barrier", .body_us = 100},
    {"barrier-body-1ms", run_barrier, "1 ms of work of each member, barrier", .body_us = 1000},
    {"single", run_single, "single with its barrier", .pick = PICK_BEST},
    {"single-nowait", run_single_nowait, "single nowait", .pick = PICK_MIDDLE},
    {"for-reduction", run_for_reduction, "for reduction(+) of 16 iterations inside a region",
     .pick = PICK_BEST},
    {"critical", run_critical, "critical, all members at once, per entry", .pick = PICK_MIDDLE},
    {"critical-1us", run_critical, "critical with 1 us of work, all members at once, per entry",
     .task_us = 1},
    {"critical-apart-1us", run_critical_apart,
     "critical with 1 us of work and 1 us after it, all members at once, per entry", .task_us = 1},
    {"critical-alone", run_critical_alone, "critical, one thread", .pick = PICK_BEST},
    {"critical-alone-1us", run_critical_alone, "critical with 1 us of work, one thread",
     .task_us = 1},
    {"lock", run_lock, "omp_set_lock/unset, all members at once, per pair", .pick = PICK_MIDDLE},
    {"lock-alone", run_lock_alone, "omp_set_lock/unset, one thread", .pick = PICK_BEST},
    {"atomic-entry", run_atomic_entry, "GOMP_atomic_start/end, all members at once, per pair",
     .pick = PICK_MIDDLE},
    {"atomic-entry-alone", run_atomic_entry_alone, "GOMP_atomic_start/end, one thread",
     .pick = PICK_BEST},
    {.name = NULL},
};
