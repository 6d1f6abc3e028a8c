/* direct_ordered.c - GOMP_loop_ordered_* and GOMP_loop_ull_ordered_*, called directly */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that under each schedule the ordered regions run in the loop's order, each iteration once,
// over long and unsigned long long, up and down.
// RUN: %omp_test
#include "check.h"
#include "gomp_loops.h"

enum { TRIPS = 120 };

static int turn;

static void visit(int k) {
  GOMP_ordered_start();
  CHECK_EQ(turn, k);
  turn = k + 1;
  GOMP_ordered_end();
}

static void finish(void) {
  GOMP_loop_end();
#pragma omp single
  {
    CHECK_EQ(turn, TRIPS);
    turn = 0;
  }
}

static void over_long(gomp_start *start, gomp_start_runtime *runtime, gomp_next *next, long chunk,
                      bool up) {
  long step = up ? 2 : -3, first = up ? -50 : 50, end = first + TRIPS * step, a, b;
  bool more = start ? start(first, end, step, chunk, &a, &b) : runtime(first, end, step, &a, &b);
  for (; more; more = next(&a, &b))
    for (long i = a; up ? i < b : i > b; i += step)
      visit((int)((i - first) / step));
  finish();
}

static void over_ull(gomp_ull_start *start, gomp_ull_start_runtime *runtime, gomp_ull_next *next,
                     gomp_ull chunk, bool up) {
  gomp_ull first = 1ull << 63, step = up ? 5 : -5ull, end = first + TRIPS * step, a, b;
  bool more =
      start ? start(up, first, end, step, chunk, &a, &b) : runtime(up, first, end, step, &a, &b);
  for (; more; more = next(&a, &b))
    for (gomp_ull i = a; up ? i < b : i > b; i += step)
      visit((int)((up ? i - first : first - i) / 5));
  finish();
}

int main(void) {
  static const long chunks[] = {1, 3, 40, 1000};
#pragma omp parallel
  for (int c = 0; c < 4; c++)
    for (int up = 0; up < 2; up++) {
      long k = chunks[c];
      gomp_ull u = (gomp_ull)k;
      omp_set_schedule((omp_sched_t)(1 + c), 2);
      over_long(GOMP_loop_ordered_static_start, NULL, GOMP_loop_ordered_static_next, k, up);
      over_long(GOMP_loop_ordered_dynamic_start, NULL, GOMP_loop_ordered_dynamic_next, k, up);
      over_long(GOMP_loop_ordered_guided_start, NULL, GOMP_loop_ordered_guided_next, k, up);
      over_long(NULL, GOMP_loop_ordered_runtime_start, GOMP_loop_ordered_runtime_next, 0, up);
      over_ull(GOMP_loop_ull_ordered_static_start, NULL, GOMP_loop_ull_ordered_static_next, u, up);
      over_ull(GOMP_loop_ull_ordered_dynamic_start, NULL, GOMP_loop_ull_ordered_dynamic_next, u,
               up);
      over_ull(GOMP_loop_ull_ordered_guided_start, NULL, GOMP_loop_ull_ordered_guided_next, u, up);
      over_ull(NULL, GOMP_loop_ull_ordered_runtime_start, GOMP_loop_ull_ordered_runtime_next, 0,
               up);
    }
  return 0;
}
