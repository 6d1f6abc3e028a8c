/* doacross.c - ordered(n) with depend(sink) and depend(source): every schedule, one to three
 * loops */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that an iteration sees all that those it waits for have written: recurrences over arrays
// give the sequential answer, upward and downward, with steps, chunks, collapse, nowait,
// lastprivate and sinks outside the iteration space; loops without iterations.
// RUN: %omp_test
#include "check.h"

enum { N = 40, M = 23, K = 5, LINE = 600 };

static unsigned line[LINE + 1], grid[N + 1][M + 1], box[N + 1][M + 1][K + 1];

static long last_i;
static unsigned long long last_j;

/* Differs with the order of its calls. */
static unsigned mix(unsigned a, unsigned b, unsigned c) { return a * 31 + b * 7 + c + 1; }

static unsigned grid_want[N + 1][M + 1], box_want[N + 1][M + 1][K + 1], line_want[LINE + 1];

static void make_wanted(void) {
  for (int i = 1; i <= LINE; i++)
    line_want[i] = mix(line_want[i - 1], (unsigned)i, 0);
  for (int i = 1; i <= N; i++)
    for (int j = 1; j <= M; j++)
      grid_want[i][j] = mix(grid_want[i - 1][j], grid_want[i][j - 1], grid_want[i - 1][j - 1]);
  for (int i = 1; i <= N; i++)
    for (int j = 1; j <= M; j++)
      for (int k = 1; k <= K; k++)
        box_want[i][j][k] =
            mix(box_want[i - 1][j][k], box_want[i][j - 1][k], box_want[i][j][k - 1]);
}

static void expect(const void *have, const void *want, size_t size) {
  const unsigned *h = have, *w = want;
  for (size_t i = 0; i < size / sizeof *h; i++)
    CHECK_EQ(h[i], w[i]);
}

/* A pause here and there, so that members run apart. */
static void dawdle(int i) {
  if (i % 7 == 0)
    check_busy((unsigned)(i * 37 % 400));
  if (i % 97 == 96)
    check_sleep_ms(0);
}

#define PRAGMA(text) _Pragma(#text)

/* One loop; a chain upward, and one with steps of -3 that looks two steps back. */
#define ONE(clauses)                                                                               \
  do {                                                                                             \
    PRAGMA(omp single)                                                                             \
    memset(line, 0, sizeof line);                                                                  \
    PRAGMA(omp for ordered(1) clauses)                                                             \
    for (int i = 1; i <= LINE; i++) {                                                              \
      PRAGMA(omp ordered depend(sink : i - 1))                                                     \
      line[i] = mix(line[i - 1], (unsigned)i, 0);                                                  \
      PRAGMA(omp ordered depend(source))                                                           \
      dawdle(i);                                                                                   \
    }                                                                                              \
    PRAGMA(omp single) {                                                                           \
      expect(line, line_want, sizeof line);                                                        \
      memset(line, 0, sizeof line);                                                                \
    }                                                                                              \
    PRAGMA(omp for ordered(1) clauses)                                                             \
    for (long i = LINE; i > 6; i -= 3) {                                                           \
      dawdle((int)i);                                                                              \
      PRAGMA(omp ordered depend(sink : i + 6) depend(sink : i + 300))                              \
      if (i + 6 <= LINE)                                                                           \
        CHECK_EQ(line[i + 6], (unsigned)i + 6);                                                    \
      if (i + 300 <= LINE)                                                                         \
        CHECK_EQ(line[i + 300], (unsigned)i + 300);                                                \
      line[i] = (unsigned)i;                                                                       \
      PRAGMA(omp ordered depend(source))                                                           \
    }                                                                                              \
  } while (0)

/* Two loops: a wave front; with the types and directions mixed. */
#define TWO(clauses)                                                                               \
  do {                                                                                             \
    PRAGMA(omp single)                                                                             \
    memset(grid, 0, sizeof grid);                                                                  \
    PRAGMA(omp for ordered(2) clauses)                                                             \
    for (int i = 1; i <= N; i++)                                                                   \
      for (int j = 1; j <= M; j++) {                                                               \
        PRAGMA(omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)                         \
                   depend(sink : i - 1, j - 1))                                                    \
        grid[i][j] = mix(grid[i - 1][j], grid[i][j - 1], grid[i - 1][j - 1]);                      \
        PRAGMA(omp ordered depend(source))                                                         \
        dawdle(i * M + j);                                                                         \
      }                                                                                            \
    PRAGMA(omp single) {                                                                           \
      expect(grid, grid_want, sizeof grid);                                                        \
      memset(grid, 0, sizeof grid);                                                                \
    }                                                                                              \
    PRAGMA(omp for ordered(2) clauses lastprivate(last_i, last_j))                                 \
    for (long i = 2 * N; i >= 2; i -= 2)                                                           \
      for (unsigned long long j = 1; j <= M; j++) {                                                \
        PRAGMA(omp ordered depend(sink : i + 2, j) depend(sink : i, j - 1)                         \
                   depend(sink : i + 2, j - 1))                                                    \
        long r = N + 1 - i / 2;                                                                    \
        grid[r][j] = mix(grid[r - 1][j], grid[r][j - 1], grid[r - 1][j - 1]);                      \
        last_i = i, last_j = j;                                                                    \
        PRAGMA(omp ordered depend(source))                                                         \
      }                                                                                            \
    PRAGMA(omp single) {                                                                           \
      CHECK_EQ(last_i, 2);                                                                         \
      CHECK_EQ(last_j, M);                                                                         \
      expect(grid, grid_want, sizeof grid);                                                        \
      last_i = 0, last_j = 0;                                                                      \
    }                                                                                              \
  } while (0)

/* Three loops; the first two collapsed or not; sinks forward in the inner loops. */
#define THREE(collapsed, clauses)                                                                  \
  do {                                                                                             \
    PRAGMA(omp single)                                                                             \
    memset(box, 0, sizeof box);                                                                    \
    PRAGMA(omp for collapse(collapsed) ordered(3) clauses)                                         \
    for (int i = 1; i <= N; i++)                                                                   \
      for (long j = 1; j <= M; j++)                                                                \
        for (int k = 1; k <= K; k++) {                                                             \
          PRAGMA(omp ordered depend(sink : i - 1, j, k) depend(sink : i, j - 1, k)                 \
                     depend(sink : i, j, k - 1) depend(sink : i - 1, j + 1, k + 1))                \
          if (i > 1 && j < M && k < K)                                                             \
            CHECK_EQ(box[i - 1][j + 1][k + 1], box_want[i - 1][j + 1][k + 1]);                     \
          box[i][j][k] = mix(box[i - 1][j][k], box[i][j - 1][k], box[i][j][k - 1]);                \
          PRAGMA(omp ordered depend(source))                                                       \
          dawdle(i * M + k);                                                                       \
        }                                                                                          \
    PRAGMA(omp single)                                                                             \
    expect(box, box_want, sizeof box);                                                             \
  } while (0)

#define ALL(clauses)                                                                               \
  do {                                                                                             \
    ONE(clauses);                                                                                  \
    TWO(clauses);                                                                                  \
    THREE(1, clauses);                                                                             \
    THREE(2, clauses);                                                                             \
  } while (0)

/* Loops without iterations, and nowait loops after one another that wait for nothing of others. */
static void corners(int none) {
  long count = 0;
#pragma omp for ordered(2) schedule(dynamic) nowait
  for (int i = 0; i < none; i++)
    for (int j = 0; j < 5; j++) {
#pragma omp ordered depend(sink : i - 1, j)
      count++;
#pragma omp ordered depend(source)
    }
#pragma omp for ordered(2) schedule(static, 2) nowait
  for (int i = 0; i < 20; i++)
    for (int j = 10; j < 10 - none; j--) {
#pragma omp ordered depend(sink : i - 1, j)
      count++;
#pragma omp ordered depend(source)
    }
  CHECK_EQ(count, 0);
  static long sums[30];
  for (int loop = 0; loop < 30; loop++) {
#pragma omp for ordered(1) schedule(dynamic, 2) nowait
    for (int i = 0; i < 9; i++) {
#pragma omp ordered depend(sink : i - 1)
      sums[loop] = sums[loop] * 3 + i;
#pragma omp ordered depend(source)
    }
  }
#pragma omp barrier
  for (int loop = 0; loop < 30; loop++)
    CHECK_EQ(sums[loop], 4916);
}

int main(void) {
  make_wanted();
#pragma omp parallel
  {
    ALL(schedule(static));
    ALL(schedule(static, 1));
    ALL(schedule(static, 7));
    ALL(schedule(dynamic));
    ALL(schedule(dynamic, 5));
    ALL(schedule(monotonic : dynamic, 1000));
    ALL(schedule(guided));
    ALL(schedule(guided, 4));
    ALL(schedule(auto));
    corners(0);
  }
  for (int kind = omp_sched_static; kind <= (int)omp_sched_auto; kind++) {
    omp_set_schedule((omp_sched_t)kind, kind == omp_sched_guided ? 3 : 1);
#pragma omp parallel
    ALL(schedule(runtime));
  }
  return 0;
}
