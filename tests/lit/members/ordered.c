/* ordered.c - ordered and doacross loops of more members than CPUs, with critical */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the order of ordered regions under several schedules, a doacross recurrence in one and two
// dimensions against the sequential answer, and counts in critical regions among them.
// RUN: %members_test
#include "members.h"

enum { N = 120, M = 12 };

static int turn;
static long counted;
static unsigned line[N + 1], grid[M + 1][M + 1];

static unsigned mix(unsigned a, unsigned b) { return a * 31 + b * 7 + 1; }

static void one(int i) {
  struct identity who;
  identity_take(&who, i);
  if (i % 3 == 0)
    pass_alone((unsigned)i);
#pragma omp critical(ordered_count)
  check_count_alone(&counted, i + 1);
  errno = 1000 + i;
#pragma omp ordered
  {
    CHECK_EQ(turn, i);
    if (i % 8 == 0)
      pass_alone((unsigned)i / 8);
    turn = i + 1;
  }
  identity_check(&who);
}

static void ordered_loops(void) {
#pragma omp for ordered schedule(static, 1)
  for (int i = 0; i < N; i++)
    one(i);
#pragma omp single
  turn = 0;
#pragma omp for ordered schedule(dynamic, 2)
  for (int i = 0; i < N; i++)
    one(i);
#pragma omp single
  turn = 0;
#pragma omp for ordered schedule(guided)
  for (int i = 0; i < N; i++)
    one(i);
#pragma omp single
  turn = 0;
}

static void doacross_loops(void) {
#pragma omp for ordered(1) schedule(static, 1)
  for (int i = 1; i <= N; i++) {
#pragma omp critical(ordered_count)
    counted++;
#pragma omp ordered depend(sink : i - 1)
    line[i] = mix(line[i - 1], (unsigned)i);
    if (i % 5 == 0)
      pass_alone((unsigned)i);
#pragma omp ordered depend(source)
    if (i % 4 == 0)
      pass_alone((unsigned)i);
  }
#pragma omp for ordered(2) schedule(static, 1)
  for (int i = 1; i <= M; i++)
    for (int j = 1; j <= M; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
      grid[i][j] = mix(grid[i - 1][j], grid[i][j - 1]);
      if ((i + j) % 5 == 0)
        pass_alone((unsigned)i);
#pragma omp ordered depend(source)
#pragma omp critical(ordered_count)
      counted++;
    }
}

static void expect_answers(void) {
  unsigned value = 0, want[M + 1][M + 1] = {{0}};
  for (int i = 1; i <= N; i++)
    CHECK_EQ(line[i], value = mix(value, (unsigned)i));
  for (int i = 1; i <= M; i++)
    for (int j = 1; j <= M; j++)
      CHECK_EQ(grid[i][j], want[i][j] = mix(want[i - 1][j], want[i][j - 1]));
}

int main(void) {
  long regions = 0;
  double end = check_seconds() + 1;
  for (; regions < 10 && (regions == 0 || check_seconds() < end); regions++) {
#pragma omp parallel num_threads(MEMBERS)
    {
      ordered_loops();
      doacross_loops();
    }
    expect_answers();
    memset(line, 0, sizeof line);
    memset(grid, 0, sizeof grid);
  }
  CHECK_EQ(counted, (4 * N + M * M) * regions);
  members_end();
  return 0;
}
