/* clauses.c - loop clauses: collapse, lastprivate, linear, firstprivate, orphaned loops */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that the last iteration's values come out, that collapsed (also non-rectangular) nests
// visit each point once, and that a loop outside any parallel region runs whole.
// RUN: %omp_test
// RUN: env NTH_RANGES=on %omp_run %t
#include "check.h"

static int grid[30][20];

static void orphan(int want) {
#pragma omp for schedule(dynamic, 2)
  for (int i = 0; i < 30; i++)
#pragma omp atomic
    grid[i][0]++;
#pragma omp single
  for (int i = 0; i < 30; i++)
    CHECK_EQ(grid[i][0], want);
}

static void points(bool triangle) {
  for (int i = 0; i < 30; i++)
    for (int j = 0; j < 20; j++)
      CHECK_EQ(grid[i][j], !triangle || (i < 20 && j <= i));
  memset(grid, 0, sizeof grid);
}

int main(void) {
  int last = -1, position = 5, conditional = -1;
  for (int round = 0; round < 20; round++) {
#pragma omp parallel for collapse(2) schedule(dynamic, 7)
    for (int i = 0; i < 30; i++)
      for (int j = 19; j >= 0; j--)
        grid[i][j]++;
    points(false);
#pragma omp parallel for collapse(2)
    for (int i = 0; i < 20; i++)
      for (int j = 0; j <= i; j++)
        grid[i][j]++;
    points(true);
#pragma omp parallel for lastprivate(last) schedule(dynamic) firstprivate(round)
    for (int i = 0; i < 101; i++)
      last = round * 1000 + i;
    CHECK_EQ(last, round * 1000 + 100);
    position = 5;
#pragma omp parallel for linear(position : 3) schedule(dynamic, 3)
    for (int i = 0; i < 50; i++) {
      CHECK_EQ(position, 5 + 3 * i);
      position += 3;
    }
    CHECK_EQ(position, 155);
#pragma omp parallel for lastprivate(conditional : conditional) schedule(dynamic, 2)
    for (int i = 0; i < 200; i++)
      if (i % 17 == round % 17)
        conditional = i;
    CHECK_EQ(conditional, (199 - round % 17) / 17 * 17 + round % 17);
    orphan(1);
#pragma omp parallel
    orphan(2);
    memset(grid, 0, sizeof grid);
  }
  return 0;
}
