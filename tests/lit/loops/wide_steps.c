/* wide_steps.c - loops whose step times chunk overflows */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks dynamic, guided and static entries with steps of a quarter of the range and chunks that
// reach past the end: each iteration once, and never one beyond the end.
// nanogomp-only: libgomp multiplies step by chunk in long and adds the step to the end; its loops
// then run for ever or not at all.
// REQUIRES: nanogomp
// RUN: %omp_test
// RUN: env NTH_RANGES=on %omp_run %t
#include "check.h"
#include "gomp_loops.h"
#include <limits.h>

static unsigned ran[32];

static void finish(int trips) {
  GOMP_loop_end();
#pragma omp single
  {
    for (int k = 0; k < 32; k++)
      CHECK_EQ(ran[k], k < trips);
    memset(ran, 0, sizeof ran);
  }
}

static void over_long(gomp_start *start, gomp_next *next, long first, long end, long step,
                      long chunk, int trips) {
  long a, b;
  /* As compiled code does, but the last step of a piece is not taken: it may not fit in a long. */
  for (bool more = start(first, end, step, chunk, &a, &b); more; more = next(&a, &b))
    for (__int128 i = a; step > 0 ? i < b : i > b; i += step) {
      __int128 k = (i - first) / step;
      CHECK(k >= 0 && k < trips);
      ran[(int)k]++;
    }
  finish(trips);
}

static void over_ull(gomp_ull_start *start, gomp_ull_next *next, bool up, gomp_ull first,
                     gomp_ull end, gomp_ull stride, gomp_ull chunk, int trips) {
  gomp_ull a, b;
  for (bool more = start(up, first, end, up ? stride : -stride, chunk, &a, &b); more;
       more = next(&a, &b)) {
    __int128 step = up ? (__int128)stride : -(__int128)stride;
    for (__int128 i = a; up ? i < b : i > b; i += step) {
      __int128 k = (i - first) / step;
      CHECK(k >= 0 && k < trips);
      ran[(int)k]++;
    }
  }
  finish(trips);
}

int main(void) {
  static gomp_start *const starts[] = {GOMP_loop_static_start, GOMP_loop_dynamic_start,
                                       GOMP_loop_guided_start, GOMP_loop_nonmonotonic_dynamic_start,
                                       GOMP_loop_nonmonotonic_guided_start};
  static gomp_next *const nexts[] = {GOMP_loop_static_next, GOMP_loop_dynamic_next,
                                     GOMP_loop_guided_next, GOMP_loop_nonmonotonic_dynamic_next,
                                     GOMP_loop_nonmonotonic_guided_next};
  static gomp_ull_start *const ull_starts[] = {
      GOMP_loop_ull_static_start, GOMP_loop_ull_dynamic_start, GOMP_loop_ull_guided_start,
      GOMP_loop_ull_nonmonotonic_dynamic_start, GOMP_loop_ull_nonmonotonic_guided_start};
  static gomp_ull_next *const ull_nexts[] = {
      GOMP_loop_ull_static_next, GOMP_loop_ull_dynamic_next, GOMP_loop_ull_guided_next,
      GOMP_loop_ull_nonmonotonic_dynamic_next, GOMP_loop_ull_nonmonotonic_guided_next};
  static const long chunks[] = {1, 2, 3, 100, LONG_MAX};
  long wide = LONG_MAX / 4;
  gomp_ull uwide = ULLONG_MAX / 16;
#pragma omp parallel
  for (int f = 0; f < 5; f++)
    for (int c = 0; c < 5; c++) {
      over_long(starts[f], nexts[f], 0, LONG_MAX, wide, chunks[c], 5);
      over_long(starts[f], nexts[f], 0, LONG_MIN, -wide, chunks[c], 5);
      over_long(starts[f], nexts[f], LONG_MIN, LONG_MAX, wide, chunks[c], 9);
      over_long(starts[f], nexts[f], LONG_MIN, LONG_MAX, LONG_MAX, chunks[c], 3);
      over_long(starts[f], nexts[f], LONG_MAX, LONG_MIN, LONG_MIN, chunks[c], 2);
      over_ull(ull_starts[f], ull_nexts[f], true, 0, ULLONG_MAX, uwide, (gomp_ull)chunks[c], 17);
      over_ull(ull_starts[f], ull_nexts[f], false, ULLONG_MAX, 0, uwide, (gomp_ull)chunks[c], 17);
      over_ull(ull_starts[f], ull_nexts[f], true, 5, ULLONG_MAX, 1ull << 60, ULLONG_MAX, 16);
    }
  return 0;
}
