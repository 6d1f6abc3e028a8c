/* huge.c - loops near the ends of long and unsigned long long */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks loops whose bounds lie at LONG_MIN, LONG_MAX and ULLONG_MAX and loops with very wide
// steps, under every schedule: the right iterations, each once. (wide_steps.c goes further.)
// RUN: %omp_test
#include "check.h"
#include <limits.h>

enum { MOST = 64 };

static unsigned char ran[MOST];

static void expect(int trips, int line) {
  for (int k = 0; k < MOST; k++)
    if (ran[k] != (k < trips)) {
      fprintf(stderr, "loop at line %d: iteration %d of %d ran %d times\n", line, k, trips, ran[k]);
      CHECK(ran[k] == (k < trips));
    }
  memset(ran, 0, sizeof ran);
}

#define PRAGMA(text) _Pragma(#text)
#define LOOP(clause, type, first, condition, change, index, trips)                                 \
  PRAGMA(omp for clause)                                                                           \
  for (type i = first; condition; change) {                                                        \
    type k = index;                                                                                \
    CHECK((unsigned long long)k < MOST);                                                           \
    ran[k]++;                                                                                      \
  }                                                                                                \
  PRAGMA(omp single)                                                                               \
  expect(trips, __LINE__)

#define ALL(...)                                                                                   \
  do {                                                                                             \
    LOOP(schedule(static), __VA_ARGS__);                                                           \
    LOOP(schedule(static, 3), __VA_ARGS__);                                                        \
    LOOP(schedule(dynamic), __VA_ARGS__);                                                          \
    LOOP(schedule(dynamic, 5), __VA_ARGS__);                                                       \
    LOOP(schedule(monotonic : dynamic, 2), __VA_ARGS__);                                           \
    LOOP(schedule(guided), __VA_ARGS__);                                                           \
    LOOP(schedule(guided, 4), __VA_ARGS__);                                                        \
    LOOP(schedule(runtime), __VA_ARGS__);                                                          \
  } while (0)

int main(void) {
  long top = LONG_MAX, bottom = LONG_MIN, wide = LONG_MAX / 64;
  unsigned long long utop = ULLONG_MAX, uwide = ULLONG_MAX / 64;
  CHECK_OPAQUE(top);
  CHECK_OPAQUE(bottom);
  CHECK_OPAQUE(utop);
#pragma omp parallel
  {
    ALL(long, top - 20, i < top, i++, i - (top - 20), 20);
    ALL(long, top - 20, i <= top - 3, i += 3, (i - (top - 20)) / 3, 6);
    ALL(long, bottom + 20, i > bottom, i--, bottom + 20 - i, 20);
    ALL(long, bottom + 20, i >= bottom + 4, i -= 4, (bottom + 20 - i) / 4, 5);
    ALL(long, 0, i < 4 * wide, i += wide, i / wide, 4);
    ALL(long, 0, i > -4 * wide, i -= wide, -(i / wide), 4);
    ALL(long, -4 * wide, i < 3 * wide, i += wide, 4 + i / wide, 7);
    ALL(unsigned long long, utop - 30, i < utop, i++, i - (utop - 30), 30);
    ALL(unsigned long long, utop, i > utop - 30, i--, utop - i, 30);
    ALL(unsigned long long, 0, i < 15 * uwide, i += uwide, i / uwide, 15);
    ALL(unsigned long long, 15 * uwide, i > 0, i -= uwide, 15 - i / uwide, 15);
    ALL(unsigned long long, 1ull << 63, i < (1ull << 63) + 9, i += 2, (i - (1ull << 63)) / 2, 5);
  }
  return 0;
}
