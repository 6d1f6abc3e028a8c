/* parallel_for.c - a cancelled parallel for or parallel sections is over at its end */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that the next construct of the same team, which has the same count of barriers behind it,
// runs all its iterations or sections, with cancellation points and cancel if(false) in it: after
// loops of every schedule and sections, with 1 to 4 members.
// RUN: %omp_build %s -o %t -w
// (gcc takes the combined constructs for nowait ones and warns about the cancellation, by no
// option)
// RUN: env OMP_CANCELLATION=true %omp_run %t
#include "check.h"

enum { N = 500 };

static volatile bool never;
static int size;
static _Atomic(int) before, ran;

/* Each schedule: a loop that everyone cancels at once, and one that is not cancelled. */
#define PRAGMA(...) _Pragma(#__VA_ARGS__)
#define LOOPS(name, ...)                                                                           \
  static void cancelled_##name(void) {                                                             \
    PRAGMA(omp parallel for num_threads(size) schedule(__VA_ARGS__))                               \
    for (int i = 0; i < N; i++) {                                                                  \
      before++;                                                                                    \
      PRAGMA(omp cancel for)                                                                       \
    }                                                                                              \
  }                                                                                                \
  static void whole_##name(void) {                                                                 \
    PRAGMA(omp parallel for num_threads(size) schedule(__VA_ARGS__))                               \
    for (int i = 0; i < N; i++) {                                                                  \
      PRAGMA(omp cancel for if (never))                                                            \
      ran++;                                                                                       \
    }                                                                                              \
    CHECK_EQ(ran, N);                                                                              \
  }
LOOPS(static, static)
LOOPS(cyclic, static, 3)
LOOPS(dynamic, dynamic, 2)
LOOPS(guided, guided)
LOOPS(runtime, runtime)

static void whole_point(void) {
#pragma omp parallel for num_threads(size) schedule(monotonic : dynamic)
  for (int i = 0; i < N; i++) {
#pragma omp cancellation point for
    ran++;
  }
  CHECK_EQ(ran, N);
}

static void cancelled_sections(void) {
#pragma omp parallel sections num_threads(size)
  {
#pragma omp section
    {
      before++;
#pragma omp cancel sections
      before += 100;
    }
#pragma omp section
    {
#pragma omp cancel sections
      before += 100;
    }
  }
}

static void whole_sections(void) {
#pragma omp parallel sections num_threads(size)
  {
#pragma omp section
    {
#pragma omp cancel sections if (never)
      ran++;
    }
#pragma omp section
    {
#pragma omp cancellation point sections
      ran++;
    }
#pragma omp section
    ran++;
  }
  CHECK_EQ(ran, 3);
}

/* The loop is the last construct, but not the first one, of a region. */
static void cancelled_last(void) {
#pragma omp parallel num_threads(size)
  {
#pragma omp barrier
#pragma omp for
    for (int i = 0; i < N; i++) {
      before++;
#pragma omp cancel for
    }
  }
}

static void whole_second(void) {
#pragma omp parallel num_threads(size)
  {
#pragma omp for
    for (int i = 0; i < N; i++) {
#pragma omp cancel for if (never)
      ran++;
    }
#pragma omp for
    for (int i = 0; i < N; i++) {
#pragma omp cancel for if (never)
      ran++;
    }
  }
  CHECK_EQ(ran, 2 * N);
}

int main(void) {
  static void (*const cancelled[])(void) = {cancelled_static, cancelled_cyclic,  cancelled_dynamic,
                                            cancelled_guided, cancelled_runtime, cancelled_sections,
                                            cancelled_last};
  static void (*const whole[])(void) = {whole_static,  whole_cyclic, whole_dynamic,  whole_guided,
                                        whole_runtime, whole_point,  whole_sections, whole_second};
  for (size = 1; size < 5; size++)
    for (unsigned c = 0; c < sizeof cancelled / sizeof *cancelled; c++)
      for (unsigned w = 0; w < sizeof whole / sizeof *whole; w++) {
        before = ran = 0;
        cancelled[c]();
        CHECK(before <= size);
        whole[w]();
      }
  return 0;
}
