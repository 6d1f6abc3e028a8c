/* own_sizes.c - which chunks trapezoid, affinity and gss hand out; set and get */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks by direct calls: trapezoid begins with N/2P and shrinks linearly; gss takes the even share
// of what is left; with affinity each member begins with 1/k of its own block, and the owner runs
// nearly all of it unless another one is idle. Loops with up to 2^64-1 iterations add up.
// nanogomp-only: the numbers of the schedules are ours; libgomp does not take them.
// REQUIRES: nanogomp
// RUN: %omp_test
#include "check.h"
#include "gomp_loops.h"
#include "pieces.h"
#include <limits.h>

enum { TRAPEZOID = 0x101, AFFINITY = 0x102, GSS = 0x103, TRIPS = 10000 };

/* Notes the pieces of one loop; each member has its first piece before any has its second. */
static void collect(int n, unsigned kind, int chunk, bool monotonic) {
  omp_set_schedule((omp_sched_t)kind, chunk);
  pieces = 0;
#pragma omp parallel num_threads(n)
  {
    long a, b, last = -1;
    bool more = monotonic ? GOMP_loop_runtime_start(0, TRIPS, 1, &a, &b)
                          : GOMP_loop_maybe_nonmonotonic_runtime_start(0, TRIPS, 1, &a, &b);
    CHECK_EQ(omp_get_num_threads(), n);
    if (kind == AFFINITY && !monotonic && n > 1) {
      long own = (TRIPS - 1) / n, extra = (TRIPS - 1) % n, me = omp_get_thread_num();
      long size = own + (me < extra), k = chunk ? chunk : n;
      CHECK(more);
      CHECK_EQ(a, own * me + (me < extra ? me : extra));
      CHECK_EQ(b - a, (size + k - 1) / k);
    }
#pragma omp barrier
    for (; more; more = GOMP_loop_runtime_next(&a, &b)) {
      if (monotonic || (kind & 0xfff) != AFFINITY)
        CHECK(a > last);
      last = a;
      piece_note(a, b);
    }
    GOMP_loop_end();
  }
  pieces_cover(TRIPS);
}

static void sizes(int n) {
  if (n == 1) { /* the whole loop */
    collect(n, TRAPEZOID, 0, false);
    CHECK_EQ(pieces, 1);
    return;
  }
  for (int last = 1; last < 3000; last = last * 5 + 2) {
    collect(n, TRAPEZOID, last, false);
    long first = TRIPS / (2 * n) > last ? TRIPS / (2 * n) : last, most = first;
    CHECK_EQ(piece[0].b, first);
    CHECK(pieces <= 4 * n + 1);
    for (int p = 0; p < pieces; p++) {
      long size = piece[p].b - piece[p].a;
      CHECK(size <= most + 1); /* rounding */
      CHECK(p == pieces - 1 || size >= last);
      most = size;
    }
  }
  for (int least = 1; least < 3000; least = least * 5 + 2) {
    collect(n, GSS, least, true);
    for (int p = 0; p < pieces; p++) {
      long left = TRIPS - piece[p].a, size = (left + n - 1) / n;
      CHECK_EQ(piece[p].b - piece[p].a, size >= least ? size : least < left ? least : left);
    }
  }
  for (int k = 0; k < 9; k++)
    collect(n, AFFINITY, k, false);
  collect(n, AFFINITY, 0, true); /* static */
  CHECK_EQ(pieces, n);
  collect(n, AFFINITY | omp_sched_monotonic, 4, true);
  CHECK_EQ(pieces, n);
}

static void round_trip(void) {
  static const unsigned kinds[] = {TRAPEZOID, AFFINITY, GSS};
  for (int k = 0; k < 3; k++)
    for (int chunk = -1; chunk < 9; chunk++)
      for (int monotonic = 0; monotonic < 2; monotonic++) {
        unsigned want = kinds[k] | (monotonic ? (unsigned)omp_sched_monotonic : 0);
        omp_sched_t kind;
        int has;
        omp_set_schedule((omp_sched_t)want, chunk);
        omp_get_schedule(&kind, &has);
        CHECK_EQ((unsigned)kind, want);
        CHECK_EQ(has, chunk > 0 ? chunk : kinds[k] == AFFINITY ? 0 : 1);
        omp_set_schedule((omp_sched_t)0x100, 7); /* unknown kinds change nothing */
        omp_set_schedule((omp_sched_t)0x104, 7);
        omp_set_schedule((omp_sched_t)5, 7);
        omp_get_schedule(&kind, &has);
        CHECK_EQ((unsigned)kind, want);
      }
}

static unsigned long long total;

static void drain(bool more, long a, long b, unsigned long long want) {
  for (; more; more = GOMP_loop_runtime_next(&a, &b)) {
    unsigned long long from = (unsigned long long)a, to = (unsigned long long)b;
#pragma omp atomic
    total += a < b ? to - from : from - to;
  }
  GOMP_loop_end();
#pragma omp single
  {
    CHECK(total == want);
    total = 0;
  }
}

/* 2^63 and 2^64-1 iterations, up and down. */
static void spans(unsigned kind, int chunk) {
  omp_set_schedule((omp_sched_t)kind, chunk);
#pragma omp parallel
  {
    long a = 0, b = 0;
    bool more = GOMP_loop_maybe_nonmonotonic_runtime_start(LONG_MIN, LONG_MAX, 1, &a, &b);
    drain(more, a, b, ULLONG_MAX);
    more = GOMP_loop_maybe_nonmonotonic_runtime_start(LONG_MAX, -1, -1, &a, &b);
    drain(more, a, b, 1ull << 63);
    more = GOMP_loop_maybe_nonmonotonic_runtime_start(LONG_MAX, LONG_MIN, -1, &a, &b);
    drain(more, a, b, ULLONG_MAX);
    gomp_ull from = 0, to = 0, sum = 0;
    for (more = GOMP_loop_ull_maybe_nonmonotonic_runtime_start(true, 0, ULLONG_MAX, 1, &from, &to);
         more; more = GOMP_loop_ull_runtime_next(&from, &to))
      sum += to - from;
    GOMP_loop_end();
#pragma omp atomic
    total += sum;
#pragma omp barrier
#pragma omp single
    {
      CHECK(total == ULLONG_MAX);
      total = 0;
    }
  }
}

int main(void) {
  for (int n = 1; n <= 16; n++)
    sizes(n);
  sizes(64);
  round_trip();
  spans(TRAPEZOID, 0);
  spans(TRAPEZOID, INT_MAX);
  spans(AFFINITY, 1);
  spans(AFFINITY, 2);
  spans(GSS, INT_MAX);
  return 0;
}
