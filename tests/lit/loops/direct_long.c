/* direct_long.c - GOMP_loop_*_start, _next and _end over long, called directly */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks static, dynamic, guided, runtime and the nonmonotonic forms: up, down, steps, no trips,
// chunks on chunk borders; each iteration once; loops ended with and without barrier.
// RUN: %omp_test
// RUN: env NTH_RANGES=on %omp_run %t
#include "check.h"
#include "gomp_loops.h"

enum { MOST = 600 };

static int ran[MOST];

static void run(gomp_start *start, gomp_start_runtime *runtime, gomp_next *next, const long *space,
                long chunk) {
  long first = space[0], end = space[1], step = space[2], a, b;
  bool more = start ? start(first, end, step, chunk, &a, &b) : runtime(first, end, step, &a, &b);
  for (; more; more = next(&a, &b)) {
    CHECK(step > 0 ? a < b : a > b);
    CHECK_EQ((a - first) % step, 0);
    if (start && chunk > 1 && start != GOMP_loop_guided_start &&
        start != GOMP_loop_nonmonotonic_guided_start)
      CHECK_EQ((a - first) / step % chunk, 0);
    for (long i = a; step > 0 ? i < b : i > b; i += step) {
      CHECK((i - first) / step < MOST);
      ran[(i - first) / step]++;
    }
  }
}

static void finish(const long *space, int round) {
  if (round % 2)
    GOMP_loop_end();
  else {
    GOMP_loop_end_nowait();
#pragma omp barrier
  }
#pragma omp single
  {
    for (int k = 0; k < MOST; k++)
      CHECK_EQ(ran[k], k < space[3]);
    memset(ran, 0, sizeof ran);
  }
}

int main(void) {
  /* first, end, step, trips */
  static const long spaces[][4] = {{0, 0, 1, 0},      {5, 3, 1, 0},       {3, 5, -1, 0},
                                   {0, 1, 1, 1},      {-7, 593, 1, 600},  {100, -500, -1, 600},
                                   {0, 1000, 7, 143}, {10, -990, -9, 112}};
  static const long chunks[] = {1, 4, 50, 5000};
  static const struct {
    gomp_start *start;
    gomp_start_runtime *runtime;
    gomp_next *next;
  } forms[] = {
      {GOMP_loop_static_start, NULL, GOMP_loop_static_next},
      {GOMP_loop_dynamic_start, NULL, GOMP_loop_dynamic_next},
      {GOMP_loop_guided_start, NULL, GOMP_loop_guided_next},
      {GOMP_loop_nonmonotonic_dynamic_start, NULL, GOMP_loop_nonmonotonic_dynamic_next},
      {GOMP_loop_nonmonotonic_guided_start, NULL, GOMP_loop_nonmonotonic_guided_next},
      {NULL, GOMP_loop_runtime_start, GOMP_loop_runtime_next},
      {NULL, GOMP_loop_nonmonotonic_runtime_start, GOMP_loop_nonmonotonic_runtime_next},
      {NULL, GOMP_loop_maybe_nonmonotonic_runtime_start, GOMP_loop_maybe_nonmonotonic_runtime_next},
  };
#pragma omp parallel
  for (int f = 0; f < 8; f++)
    for (int s = 0; s < 8; s++)
      for (int c = 0; c < 4; c++) {
        if (forms[f].runtime)
          omp_set_schedule((omp_sched_t)(1 + c), 3);
        run(forms[f].start, forms[f].runtime, forms[f].next, spaces[s], chunks[c]);
        finish(spaces[s], f + s + c);
      }
  return 0;
}
