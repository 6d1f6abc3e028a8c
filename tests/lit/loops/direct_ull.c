/* direct_ull.c - GOMP_loop_ull_*_start, _next and _end, called directly */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks static, dynamic, guided, runtime and the nonmonotonic forms over unsigned long long: both
// directions, around 0, 2^63 and the top; each iteration once.
// RUN: %omp_test
// RUN: env NTH_RANGES=on %omp_run %t
#include "check.h"
#include "gomp_loops.h"
#include <limits.h>

enum { MOST = 500 };

static int ran[MOST];

struct space {
  bool up;
  gomp_ull first, end, step;
  int trips;
};

static void run(gomp_ull_start *start, gomp_ull_start_runtime *runtime, gomp_ull_next *next,
                const struct space *s, gomp_ull chunk) {
  gomp_ull a, b;
  bool more = start ? start(s->up, s->first, s->end, s->step, chunk, &a, &b)
                    : runtime(s->up, s->first, s->end, s->step, &a, &b);
  for (; more; more = next(&a, &b)) {
    gomp_ull step = s->up ? s->step : -s->step;
    CHECK(s->up ? a < b : a > b);
    gomp_ull k = (s->up ? a - s->first : s->first - a) / step;
    gomp_ull length = ((s->up ? b - a : a - b) + step - 1) / step;
    CHECK(k + length <= MOST);
    for (gomp_ull i = k; i < k + length; i++)
      ran[i]++;
  }
  GOMP_loop_end();
#pragma omp single
  {
    for (int i = 0; i < MOST; i++)
      CHECK_EQ(ran[i], i < s->trips);
    memset(ran, 0, sizeof ran);
  }
}

int main(void) {
  static const struct space spaces[] = {
      {true, 0, 0, 1, 0},
      {true, 9, 4, 1, 0},
      {false, 4, 9, -1ull, 0},
      {true, 0, 500, 1, 500},
      {false, 500, 0, -1ull, 500},
      {true, (1ull << 63) - 100, (1ull << 63) + 100, 1, 200},
      {true, ULLONG_MAX - 301, ULLONG_MAX - 1, 3, 100},
      {false, ULLONG_MAX, ULLONG_MAX - 400, -1ull, 400},
  };
  static const gomp_ull chunks[] = {1, 3, 64, 1ull << 40};
  static const struct {
    gomp_ull_start *start;
    gomp_ull_start_runtime *runtime;
    gomp_ull_next *next;
  } forms[] = {
      {GOMP_loop_ull_static_start, NULL, GOMP_loop_ull_static_next},
      {GOMP_loop_ull_dynamic_start, NULL, GOMP_loop_ull_dynamic_next},
      {GOMP_loop_ull_guided_start, NULL, GOMP_loop_ull_guided_next},
      {GOMP_loop_ull_nonmonotonic_dynamic_start, NULL, GOMP_loop_ull_nonmonotonic_dynamic_next},
      {GOMP_loop_ull_nonmonotonic_guided_start, NULL, GOMP_loop_ull_nonmonotonic_guided_next},
      {NULL, GOMP_loop_ull_runtime_start, GOMP_loop_ull_runtime_next},
      {NULL, GOMP_loop_ull_nonmonotonic_runtime_start, GOMP_loop_ull_nonmonotonic_runtime_next},
      {NULL, GOMP_loop_ull_maybe_nonmonotonic_runtime_start,
       GOMP_loop_ull_maybe_nonmonotonic_runtime_next},
  };
#pragma omp parallel
  for (int f = 0; f < 8; f++)
    for (int s = 0; s < 8; s++)
      for (int c = 0; c < 4; c++) {
        if (forms[f].runtime)
          omp_set_schedule((omp_sched_t)(1 + c), 3);
        run(forms[f].start, forms[f].runtime, forms[f].next, &spaces[s], chunks[c]);
      }
  return 0;
}
