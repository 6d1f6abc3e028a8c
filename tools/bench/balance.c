/* balance.c - rows of how even dynamic loops end: by how much the last member is behind the mean.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Bodies differ: up to 20 us each, or empty ones with a heap of such bodies among them. A runtime
 * that hands out too many chunks at once leaves one member with work while the others have none.
 * The ideal is half of the last body. Each loop is checked to run each iteration once.
 */
#include <omp.h>

#include "bench.h"

enum { MOST = 64, BODY_US = 20 };

static long done;           /* w: members, atomic, at the end of their part */
static int64_t ended[MOST]; /* w: each member its own */
static uint32_t state = 1;  /* costs of `random`, by the master before a region */

static long turns_triangle(long i, long n) { return bench_turns(BODY_US * (double)i / (double)n); }

/* One of 16 bodies is long; the others take up to 300 ns. */
static long turns_random(long i, long n) {
  uint32_t x = (uint32_t)i * 2654435761u + state;
  (void)n;
  x ^= x >> 15;
  x *= 2246822519u;
  x ^= x >> 13;
  return x % 16 == 0 ? bench_turns(BODY_US) : bench_turns(0.3 * (double)(x >> 8 & 255) / 256);
}

/* 64 long bodies in a row, the others empty. */
static long turns_heap(long i, long n) {
  long first = n / 3;
  return i >= first && i < first + 64 ? bench_turns(BODY_US) : 0;
}

/* Runs one loop, and returns by how many ns the last member ended after the mean. */
static double behind(const struct bench_row *row, long n, long (*turns)(long, long),
                     int monotonic) {
  int members = 1;
  done = 0;
#pragma omp parallel
  {
    long mine = 0;
    int me = omp_get_thread_num();
#pragma omp barrier
    if (monotonic) {
#pragma omp for schedule(monotonic : dynamic, 1) nowait
      for (long i = 0; i < n; i++) {
        bench_work(turns(i, n));
        mine += i + 1;
      }
    } else {
#pragma omp for schedule(nonmonotonic : dynamic, 1) nowait
      for (long i = 0; i < n; i++) {
        bench_work(turns(i, n));
        mine += i + 1;
      }
    }
    if (me < MOST)
      ended[me] = bench_now();
#pragma omp atomic
    done += mine;
#pragma omp masked
    members = omp_get_num_threads();
  }
  bench_check(done == n * (n + 1) / 2, row->name, "each iteration once");
  members = members < MOST ? members : MOST;
  double sum = 0, last = 0;
  for (int i = 0; i < members; i++) {
    double at = (double)(ended[i] - ended[0]);
    sum += at;
    last = at > last ? at : last;
  }
  return last - sum / members;
}

/* The median of n loops, n times: members lose their CPUs now and then. */
static double many(const struct bench_row *row, long n, long trips, long (*turns)(long, long),
                   int monotonic) {
  double all[256];
  int loops = n < 256 ? (int)n : 256;
  for (int i = 0; i < loops; i++) {
    state += 12345;
    all[i] = behind(row, trips, turns, monotonic);
  }
  return bench_median(all, loops) * (double)n;
}

static double run_triangle(const struct bench_row *row, long n) {
  return many(row, n, 400, turns_triangle, 0);
}

static double run_triangle_monotonic(const struct bench_row *row, long n) {
  return many(row, n, 400, turns_triangle, 1);
}

static double run_random(const struct bench_row *row, long n) {
  return many(row, n, 2000, turns_random, 0);
}

static double run_random_monotonic(const struct bench_row *row, long n) {
  return many(row, n, 2000, turns_random, 1);
}

static double run_heap(const struct bench_row *row, long n) {
  return many(row, n, 20000, turns_heap, 0);
}

static double run_heap_monotonic(const struct bench_row *row, long n) {
  return many(row, n, 20000, turns_heap, 1);
}

#define HOW .pick = PICK_MIDDLE, .fixed = 15, .batches = 7

const struct bench_row bench_balance_rows[] = {
    {"balance-triangle", run_triangle, "last member behind: dynamic,1, bodies grow to 20 us", HOW},
    {"balance-triangle-monotonic", run_triangle_monotonic, "the same, monotonic:dynamic,1", HOW},
    {"balance-random", run_random, "last member behind: dynamic,1, one of 16 has 20 us", HOW},
    {"balance-random-monotonic", run_random_monotonic, "the same, monotonic:dynamic,1", HOW},
    {"balance-heap", run_heap, "last member behind: dynamic,1, 64 of 20 us among empty ones", HOW},
    {"balance-heap-monotonic", run_heap_monotonic, "the same, monotonic:dynamic,1", HOW},
    {.name = NULL},
};
