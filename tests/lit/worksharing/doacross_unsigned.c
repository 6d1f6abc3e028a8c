/* doacross_unsigned.c - doacross loops over 32-bit unsigned variables wait for their sinks */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gcc 12 adds 2^32 to the number of such a sink: what comes before must be waited for nevertheless.
// Under libgomp these loops hang or crash, so this is nanogomp-only.
// REQUIRES: nanogomp
// RUN: %omp_build %s -o %t
// RUN: %omp_run %t
#include "check.h"

enum { N = 1000, M = 40, ROUNDS = 10 };

static int line[N], field[M][M];

static void one(void) {
  for (unsigned i = 1; i < N; i++)
    line[i] = 0;
  line[0] = 1;
#pragma omp parallel for ordered(1) schedule(static, 1)
  for (unsigned i = 1; i < N; i++) {
#pragma omp ordered depend(sink : i - 1)
    line[i] = line[i - 1] + 1;
#pragma omp ordered depend(source)
  }
  CHECK_EQ(line[N - 1], N);
}

/* Whole blocks of iterations. */
static void blocks(void) {
#pragma omp parallel for ordered(1) schedule(static)
  for (unsigned i = 1; i < N; i++) {
#pragma omp ordered depend(sink : i - 1)
    line[i] = line[i - 1] + 2;
#pragma omp ordered depend(source)
  }
  CHECK_EQ(line[N - 1], 2 * (N - 1) + 1);
}

static void two(void) {
  for (unsigned i = 0; i < M; i++)
    for (unsigned k = 0; k < M; k++)
      field[i][k] = i == 0 || k == 0;
#pragma omp parallel for ordered(2) schedule(dynamic, 1)
  for (unsigned i = 1; i < M; i++)
    for (unsigned k = 1; k < M; k++) {
#pragma omp ordered depend(sink : i - 1, k) depend(sink : i, k - 1)
      field[i][k] = (field[i - 1][k] + field[i][k - 1]) % 1000;
#pragma omp ordered depend(source)
    }
  int want[M][M];
  for (unsigned i = 0; i < M; i++)
    for (unsigned k = 0; k < M; k++)
      want[i][k] = i == 0 || k == 0 ? 1 : (want[i - 1][k] + want[i][k - 1]) % 1000;
  for (unsigned i = 0; i < M; i++)
    for (unsigned k = 0; k < M; k++)
      CHECK_EQ(field[i][k], want[i][k]);
}

int main(void) {
  for (int r = 0; r < ROUNDS; r++) {
    one();
    blocks();
    two();
  }
  return 0;
}
