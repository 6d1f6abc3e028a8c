/* direct_ull_start.c - GOMP_loop_ull_start and GOMP_loop_ull_ordered_start */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the unsigned long long entries that take the schedule as a number: both directions,
// iterations once, order kept, *mem zeroed and shared.
// RUN: %omp_test
#include "check.h"
#include "gomp_loops.h"

enum { TRIPS = 150, WORDS = 9 };

static int turn, ran[TRIPS];

static gomp_ull_next *next_of(long kind, bool ordered) {
  switch (kind & 7) {
  case GOMP_STATIC: return ordered ? GOMP_loop_ull_ordered_static_next : GOMP_loop_ull_static_next;
  case GOMP_DYNAMIC:
    return ordered ? GOMP_loop_ull_ordered_dynamic_next : GOMP_loop_ull_dynamic_next;
  case GOMP_GUIDED: return ordered ? GOMP_loop_ull_ordered_guided_next : GOMP_loop_ull_guided_next;
  default: return ordered ? GOMP_loop_ull_ordered_runtime_next : GOMP_loop_ull_runtime_next;
  }
}

static void visit(long *memory, int k, bool ordered) {
  ran[k]++;
#pragma omp atomic
  memory[k % WORDS]++;
  if (!ordered)
    return;
  GOMP_ordered_start();
  CHECK_EQ(turn, k);
  turn++;
  GOMP_ordered_end();
}

static void loop(long kind, gomp_ull chunk, bool ordered, bool up) {
  gomp_ull first = up ? 1ull << 62 : -1ull, step = up ? 11 : -11ull, end = first + TRIPS * step;
  gomp_ull a, b;
  void *memory = (void *)(WORDS * sizeof(long));
  bool more = (ordered ? GOMP_loop_ull_ordered_start : GOMP_loop_ull_start)(
      up, first, end, step, kind, chunk, &a, &b, NULL, &memory);
  gomp_ull_next *next = next_of(kind, ordered);
  for (; more; more = next(&a, &b))
    for (gomp_ull i = a; up ? i < b : i > b; i += step)
      visit(memory, (int)((up ? i - first : first - i) / 11), ordered);
#pragma omp barrier
#pragma omp single
  {
    long sum = 0;
    for (int w = 0; w < WORDS; w++)
      sum += ((long *)memory)[w];
    CHECK_EQ(sum, TRIPS);
    CHECK_EQ(turn, ordered ? TRIPS : 0);
    turn = 0;
    for (int k = 0; k < TRIPS; k++)
      CHECK_EQ(ran[k], 1);
    memset(ran, 0, sizeof ran);
  }
  GOMP_loop_end();
}

int main(void) {
  static const long kinds[] = {GOMP_RUNTIME,
                               GOMP_STATIC,
                               GOMP_DYNAMIC,
                               GOMP_GUIDED,
                               GOMP_DYNAMIC | GOMP_MONOTONIC,
                               GOMP_GUIDED | GOMP_MONOTONIC};
  static const gomp_ull chunks[] = {1, 6, 200};
#pragma omp parallel
  for (int k = 0; k < 6; k++)
    for (int c = 0; c < 3; c++)
      for (int way = 0; way < 4; way++)
        loop(kinds[k], chunks[c], way & 1, way & 2);
  return 0;
}
