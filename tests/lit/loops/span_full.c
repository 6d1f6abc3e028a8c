/* span_full.c - loops over long with more trips than LONG_MAX */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks direct loop entries over long with 2^63 and 2^64-1 trips and huge chunks: pieces are in
// order and their lengths add up to the trip count.
// nanogomp-only: libgomp counts trips in long; it divides LONG_MIN by -1 and stops with SIGFPE.
// REQUIRES: nanogomp
// RUN: %omp_test
#include "check.h"
#include "gomp_loops.h"
#include <limits.h>

static unsigned long long total;

static void drain(bool more, gomp_next *next, long a, long b, unsigned long long want) {
  for (; more; more = next(&a, &b)) {
    unsigned long long trips = a < b ? (unsigned long long)b - (unsigned long long)a
                                     : (unsigned long long)a - (unsigned long long)b;
#pragma omp atomic
    total += trips;
  }
  GOMP_loop_end();
#pragma omp single
  {
    CHECK(total == want);
    total = 0;
  }
}

int main(void) {
  long huge = LONG_MAX / 3;
#pragma omp parallel
  {
    long a = 0, b = 0;
    bool more = GOMP_loop_dynamic_start(LONG_MIN, LONG_MAX, 1, huge, &a, &b);
    drain(more, GOMP_loop_dynamic_next, a, b, ULLONG_MAX);
    more = GOMP_loop_guided_start(LONG_MIN, LONG_MAX, 1, huge, &a, &b);
    drain(more, GOMP_loop_guided_next, a, b, ULLONG_MAX);
    more = GOMP_loop_static_start(LONG_MIN, LONG_MAX, 1, huge, &a, &b);
    drain(more, GOMP_loop_static_next, a, b, ULLONG_MAX);
    more = GOMP_loop_dynamic_start(LONG_MAX, -1, -1, huge, &a, &b);
    drain(more, GOMP_loop_dynamic_next, a, b, 1ull << 63);
    more = GOMP_loop_guided_start(LONG_MAX, -1, -1, huge, &a, &b);
    drain(more, GOMP_loop_guided_next, a, b, 1ull << 63);
    more = GOMP_loop_nonmonotonic_dynamic_start(LONG_MAX, LONG_MIN, -1, huge, &a, &b);
    drain(more, GOMP_loop_nonmonotonic_dynamic_next, a, b, ULLONG_MAX);
    more = GOMP_loop_nonmonotonic_guided_start(LONG_MAX, LONG_MIN, -1, huge, &a, &b);
    drain(more, GOMP_loop_nonmonotonic_guided_next, a, b, ULLONG_MAX);
  }
  return 0;
}
