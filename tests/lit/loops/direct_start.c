/* direct_start.c - GOMP_loop_start and its kind: schedule by number, shared memory */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the entries over long that take the schedule as a number, plain and ordered: iterations
// once, and *mem turned into zeroed memory shared by the team; also the set-up-only call.
// RUN: %omp_test
#include "check.h"
#include "gomp_loops.h"

enum { TRIPS = 200, WORDS = 70 };

static const long kinds[] = {GOMP_RUNTIME,
                             GOMP_STATIC,
                             GOMP_DYNAMIC,
                             GOMP_GUIDED,
                             GOMP_RUNTIME_NONMONOTONIC,
                             GOMP_STATIC | GOMP_MONOTONIC,
                             GOMP_DYNAMIC | GOMP_MONOTONIC,
                             GOMP_GUIDED | GOMP_MONOTONIC};
static int turn;
static long *shared_by_first;

/* Every member adds its iterations to the construct's memory; the sum is checked at the end. */
static void share(void *memory, int i) {
  long *words = memory;
#pragma omp atomic
  words[i % WORDS] += i + 1;
}

static void finish(void *memory, bool ordered) {
  GOMP_loop_end_nowait();
#pragma omp single
  shared_by_first = memory;
  CHECK(shared_by_first == memory);
#pragma omp barrier
#pragma omp single
  {
    long sum = 0;
    for (int w = 0; w < WORDS; w++)
      sum += ((long *)memory)[w];
    CHECK_EQ(sum, TRIPS * (TRIPS + 1) / 2);
    CHECK_EQ(turn, ordered ? TRIPS : 0);
    turn = 0;
  }
}

static void visit(void *memory, int i, bool ordered) {
  share(memory, i);
  if (!ordered)
    return;
  GOMP_ordered_start();
  CHECK_EQ(turn, i);
  turn++;
  GOMP_ordered_end();
}

/* The loop's memory lives until the construct's end: barrier before each loop's end entry. */
static void over_long(long kind, long chunk, bool ordered) {
  long a, b;
  void *memory = (void *)(WORDS * sizeof(long));
  bool more = (ordered ? GOMP_loop_ordered_start : GOMP_loop_start)(0, TRIPS, 1, kind, chunk, &a,
                                                                    &b, NULL, &memory);
  gomp_next *next = ordered ? GOMP_loop_ordered_runtime_next : GOMP_loop_runtime_next;
  if ((kind & 7) == GOMP_STATIC)
    next = ordered ? GOMP_loop_ordered_static_next : GOMP_loop_static_next;
  if ((kind & 7) == GOMP_DYNAMIC)
    next = ordered ? GOMP_loop_ordered_dynamic_next : GOMP_loop_dynamic_next;
  if ((kind & 7) == GOMP_GUIDED)
    next = ordered ? GOMP_loop_ordered_guided_next : GOMP_loop_guided_next;
  for (; more; more = next(&a, &b))
    for (long i = a; i < b; i++)
      visit(memory, (int)i, ordered);
#pragma omp barrier
  finish(memory, ordered);
}

/* As compiled code does for open-coded static loops that need memory: no istart, no chunk. */
static void set_up_only(long kind) {
  void *memory = (void *)(WORDS * sizeof(long));
  CHECK(GOMP_loop_start(0, TRIPS, 1, kind, 1, NULL, NULL, NULL, &memory));
#pragma omp for nowait
  for (int i = 0; i < TRIPS; i++)
    share(memory, i);
#pragma omp barrier
  finish(memory, false);
}

int main(void) {
  static const long chunks[] = {0, 1, 6, 300};
#pragma omp parallel
  for (int k = 0; k < 8; k++)
    for (int c = 0; c < 4; c++)
      for (int ordered = 0; ordered < 2; ordered++)
        /* Chunk 0, no chunk given, is a form of static only. */
        if (chunks[c] > 0 || (kinds[k] & 7) == GOMP_STATIC)
          over_long(kinds[k], chunks[c], ordered);
#pragma omp parallel
  for (int k = 0; k < 4; k++)
    set_up_only(kinds[k]);
  return 0;
}
