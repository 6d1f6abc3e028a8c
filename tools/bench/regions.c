/* regions.c - rows of parallel regions: back to back, after serial work, with bodies, of sizes.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include <math.h>
#include <omp.h>
#include <sched.h>
#include <stdatomic.h>

#include "bench.h"

static volatile int never; /* 0; volatile, so that the compiler keeps if(never) as a question */

static double run_region(const struct bench_row *row, long n) {
  bench_check_team(row->name);
  int64_t start = bench_now();
  for (long i = 0; i < n; i++) {
#pragma omp parallel
    bench_nothing();
  }
  double took = (double)(bench_now() - start);
  bench_check_team(row->name);
  return took;
}

static double run_if0(const struct bench_row *row, long n) {
  (void)row;
  int64_t start = bench_now();
  for (long i = 0; i < n; i++) {
#pragma omp parallel if (never)
    bench_nothing();
  }
  return (double)(bench_now() - start);
}

static double run_one(const struct bench_row *row, long n) {
  (void)row;
  int64_t start = bench_now();
  for (long i = 0; i < n; i++) {
#pragma omp parallel num_threads(1)
    bench_nothing();
  }
  return (double)(bench_now() - start);
}

/* The sizes come in turn; calls take up the turn where the last one left it. */
static double run_sizes(const struct bench_row *row, long n) {
  static const int three[] = {2, 3, 4}, two[] = {2, 4}, small[] = {1, 2};
  static unsigned long turn;
  const int *sizes = row->outer == 3 ? three : row->inner == 1 ? small : two;
  unsigned long count = (unsigned long)row->outer;
  int wrong = 0;
  int64_t start = bench_now();
  for (long i = 0; i < n; i++) {
    int size = sizes[turn++ % count];
#pragma omp parallel num_threads(size)
    bench_check_size(size, &wrong);
  }
  double took = (double)(bench_now() - start);
  bench_check(!wrong, row->name, "a team was not as large as asked");
  return took;
}

static double run_bodies(const struct bench_row *row, long n) {
  long turns = bench_body_turns(row);
  int size = bench_members(), wrong = 0;
  bench_check_team(row->name);
  int64_t start = bench_now();
  for (long i = 0; i < n; i++) {
#pragma omp parallel
    {
      bench_check_size(size, &wrong);
      bench_work(turns);
    }
  }
  double took = (double)(bench_now() - start);
  bench_check(!wrong, row->name, "size of a team");
  return took;
}

enum { MEET_MOST = 256 };

/* Members meet by flags that they await with sched_yield(), as those of a BLAS library do inside a
 * product. now: the number of the meeting. */
static void meet(long now) {
  static struct {
    _Alignas(128) _Atomic(long) come;
  } flag[MEET_MOST];
  atomic_store_explicit(&flag[omp_get_thread_num()].come, now, memory_order_release);
  for (int m = 0; m < omp_get_num_threads(); m++)
    while (atomic_load_explicit(&flag[m].come, memory_order_acquire) < now)
      sched_yield();
}

/* A region with work of all members, or of one in a single, and a meeting; then as much serial
 * work. */
static double run_meet(const struct bench_row *row, long n) {
  static long meetings;
  long turns = bench_body_turns(row);
  bench_check_team(row->name);
  bench_check(bench_members() <= MEET_MOST, row->name, "members");
  int64_t start = bench_now();
  for (long i = 0; i < n; i++) {
    long now = ++meetings;
#pragma omp parallel
    {
      if (row->inner == 1) {
#pragma omp single
        bench_work(turns);
      } else {
        bench_work(turns);
      }
      meet(now);
    }
    bench_work(turns);
  }
  return (double)(bench_now() - start);
}

/* dyn-var is true, so the runtime may use fewer members than asked for. body_us of work are shared
 * by those that it uses. */
static double run_dynamic(const struct bench_row *row, long n) {
  enum { PIECES = 8 };
  long turns = bench_body_turns(row) / PIECES;
  omp_set_dynamic(1);
  int64_t start = bench_now();
  for (long i = 0; i < n; i++) {
#pragma omp parallel for
    for (int piece = 0; piece < PIECES; piece++)
      bench_work(turns);
  }
  double took = (double)(bench_now() - start);
  omp_set_dynamic(0);
  return took;
}

/* Only the region is timed: the median of the batch's regions, less the clock's own cost. The
 * mean would be ruled by one lost slice, the least by one region that met an awake team. */
#define MAX_SAMPLES 512
#define MIN_SAMPLES 5
#define SAMPLES_NS 500000000 /* then fewer samples do: a team may lose 8 ms at each region */
static double run_spaced(const struct bench_row *row, long n) {
  static double sample[MAX_SAMPLES];
  double clock_cost = bench_clock_cost();
  long gap = bench_turns(row->gap_us), turns = bench_body_turns(row);
  bench_check_team(row->name);
  int wanted = n > MAX_SAMPLES ? MAX_SAMPLES : (int)n, count = 0;
  int64_t begin = bench_now();
  while (count < wanted && (count < MIN_SAMPLES || bench_now() - begin < SAMPLES_NS)) {
    bench_work(gap);
    int64_t start = bench_now();
#pragma omp parallel
    bench_work(turns);
    sample[count++] = (double)(bench_now() - start) - clock_cost;
  }
  bench_check_team(row->name);
  return bench_median(sample, count) * (double)n;
}

/* The same with gaps that nobody can foresee: exponential, always the same ones. The mean counts,
 * since most of such gaps are short, and the long ones cost. */
static double run_random(const struct bench_row *row, long n) {
  uint64_t state = 20261126;
  double clock_cost = bench_clock_cost(), took = 0;
  bench_check_team(row->name);
  for (long i = 0; i < n; i++) {
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    double part = ((double)(state >> 11) + 1) / 9007199254740992.0; /* in (0, 1] */
    bench_work(bench_turns(-log(part) * row->gap_us));
    int64_t start = bench_now();
#pragma omp parallel
    bench_nothing();
    took += (double)(bench_now() - start) - clock_cost;
  }
  bench_check_team(row->name);
  return took;
}

/* A turn of work. The number of turns is the same in each process, so that teams of 1 and of more
 * can be compared. */
static double run_turns(const struct bench_row *row, long n) {
  enum { TURNS = 1000000 };
  bench_check_team(row->name);
  int64_t start = bench_now();
  for (long i = 0; i < n; i++) {
#pragma omp parallel
    bench_work(TURNS);
  }
  return (double)(bench_now() - start) / TURNS;
}

const struct bench_row bench_region_rows[] = {
    {"region", run_region, "empty region, back to back", .pick = PICK_BEST},
    {"region-if0", run_if0, "region with if(0)", .pick = PICK_BEST},
    {"region-1", run_one, "region with num_threads(1)", .pick = PICK_BEST},
    {"region-sizes-2-3-4", run_sizes, "region, teams of 2, 3, 4 in turn", .outer = 3},
    {"region-sizes-1-2", run_sizes, "region, teams of 1 and 2 in turn", .outer = 2, .inner = 1},
    {"region-2-4", run_sizes, "region, teams of 2 and 4 in turn", .outer = 2},
    {"region-after-10us", run_spaced, "region after 10 us of serial work", .fixed = 301,
     .batches = 9, .gap_us = 10},
    {"region-after-1ms", run_spaced, "region after 1 ms of serial work", .fixed = 21, .batches = 5,
     .gap_us = 1000},
    {"region-after-5ms", run_spaced, "region after 5 ms of serial work", .fixed = 11, .batches = 3,
     .gap_us = 5000},
    {"region-after-20ms", run_spaced, "region after 20 ms of serial work", .fixed = 9, .batches = 2,
     .gap_us = 20000},
    {"region-after-50ms", run_spaced, "region after 50 ms of serial work", .fixed = 9, .batches = 2,
     .gap_us = 50000},
    {"region-after-100ms", run_spaced, "region after 100 ms of serial work", .fixed = 9,
     .batches = 2, .gap_us = 100000},
    {"region-after-random-5ms", run_random, "region after random serial work, 5 ms on average",
     .fixed = 101, .batches = 1, .gap_us = 5000},
    {"region-after-random-20ms", run_random, "region after random serial work, 20 ms on average",
     .fixed = 51, .batches = 1, .gap_us = 20000},
    {"region-after-20ms-body-10us", run_spaced,
     "region after 20 ms of serial work, with work of each member", .fixed = 9, .batches = 2,
     .gap_us = 20000, .body_us = 10},
    {"region-after-20ms-body-100us", run_spaced,
     "region after 20 ms of serial work, with work of each member", .fixed = 9, .batches = 2,
     .gap_us = 20000, .body_us = 100},
    {"region-after-20ms-body-1ms", run_spaced,
     "region after 20 ms of serial work, with work of each member", .fixed = 9, .batches = 2,
     .gap_us = 20000, .body_us = 1000},
    {"region-body-1us", run_bodies, "region, 1 us of work of each member", .body_us = 1},
    {"region-body-10us", run_bodies, "region, 10 us of work of each member", .body_us = 10},
    {"region-body-13.5us", run_bodies, "region, 13.5 us of work of each member", .body_us = 13.5},
    {"region-body-100us", run_bodies, "region, 100 us of work of each member", .body_us = 100},
    {"region-meet-10us", run_meet, "region, 10 us of work, members meet by sched_yield",
     .body_us = 10},
    {"region-single-meet-10us", run_meet, "region, 10 us in a single, members meet by sched_yield",
     .body_us = 10, .inner = 1},
    {"region-body-1ms", run_bodies, "region, 1 ms of work of each member", .body_us = 1000},
    {"region-turns", run_turns, "region, a million turns of work of each member, per turn",
     .pick = PICK_BEST},
    {"region-dynamic-0.2us", run_dynamic, "omp_set_dynamic, 0.2 us of work in all", .body_us = 0.2},
    {"region-dynamic-3us", run_dynamic, "omp_set_dynamic, 3 us of work in all", .body_us = 3},
    {"region-dynamic-20us", run_dynamic, "omp_set_dynamic, 20 us of work in all", .body_us = 20},
    {.name = NULL},
};
