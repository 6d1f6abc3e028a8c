/* span.c - loops over more than LONG_MAX of range, with few visits */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks direct loop entries over almost the whole range of long and unsigned long long with huge
// chunks: pieces are disjoint, in range, and their lengths add up to the trip count.
// RUN: %omp_test
#include "check.h"
#include "gomp_loops.h"
#include <limits.h>

static unsigned long long total, pieces;

static void take(unsigned long long trips) {
#pragma omp atomic
  total += trips;
#pragma omp atomic
  pieces++;
}

static void expect(unsigned long long trips) {
#pragma omp barrier
#pragma omp single
  {
    CHECK(total == trips);
    CHECK(pieces >= 1);
    total = pieces = 0;
  }
}

int main(void) {
  long huge = LONG_MAX / 3;
  omp_set_schedule(omp_sched_dynamic, INT_MAX);
#pragma omp parallel
  {
    long a, b;
    unsigned long long x, y;
    for (bool more = GOMP_loop_dynamic_start(0, LONG_MAX, 1, huge, &a, &b); more;
         more = GOMP_loop_dynamic_next(&a, &b)) {
      CHECK(a >= 0 && a < b);
      take((unsigned long long)(b - a));
    }
    GOMP_loop_end_nowait();
    expect(LONG_MAX);
    for (bool more = GOMP_loop_guided_start(LONG_MAX, 0, -1, huge, &a, &b); more;
         more = GOMP_loop_guided_next(&a, &b)) {
      CHECK(a > b && b >= 0);
      take((unsigned long long)a - (unsigned long long)b);
    }
    GOMP_loop_end_nowait();
    expect(LONG_MAX);
    for (bool more = GOMP_loop_static_start(0, LONG_MAX, 1, huge / 300, &a, &b); more;
         more = GOMP_loop_static_next(&a, &b)) {
      CHECK(a >= 0 && a < b);
      take((unsigned long long)(b - a));
    }
    GOMP_loop_end_nowait();
    expect(LONG_MAX);
    for (bool more = GOMP_loop_ull_dynamic_start(true, 0, ULLONG_MAX, 1, 1ull << 62, &x, &y); more;
         more = GOMP_loop_ull_dynamic_next(&x, &y)) {
      CHECK(x < y);
      take(y - x);
    }
    GOMP_loop_end_nowait();
    expect(ULLONG_MAX);
    for (bool more = GOMP_loop_ull_guided_start(false, ULLONG_MAX, 0, -1ull, 1ull << 61, &x, &y);
         more; more = GOMP_loop_ull_guided_next(&x, &y)) {
      CHECK(x > y);
      take(x - y);
    }
    GOMP_loop_end_nowait();
    expect(ULLONG_MAX);
    for (bool more = GOMP_loop_ull_static_start(true, 5, ULLONG_MAX - 20, 10, 1ull << 58, &x, &y);
         more; more = GOMP_loop_ull_static_next(&x, &y)) {
      CHECK(x < y && x % 10 == 5);
      take((y - x + 9) / 10);
    }
    GOMP_loop_end();
    expect((ULLONG_MAX - 20 - 5 + 9) / 10);
  }
  return 0;
}
