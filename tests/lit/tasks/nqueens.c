/* nqueens.c - task recursion with firstprivate arrays: n queens */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the number of solutions for 4 to 9 queens, one task per placed queen, board copied into
// each task; the tasks are joined by taskgroup instead of taskwait.
// RUN: %omp_test
#include "check.h"

enum { MOST = 10 };

struct board {
  signed char column[MOST];
};

static long solutions;

static bool safe(const struct board *board, int row, int column) {
  for (int r = 0; r < row; r++) {
    int d = board->column[r] - column;
    if (d == 0 || d == row - r || d == r - row)
      return false;
  }
  return true;
}

static void place(struct board board, int row, int n) {
  if (row == n) {
#pragma omp atomic
    solutions++;
    return;
  }
  for (int c = 0; c < n; c++)
    if (safe(&board, row, c)) {
      board.column[row] = (signed char)c;
#pragma omp task firstprivate(board, row, n) final(row > 4)
      place(board, row + 1, n);
    }
}

int main(void) {
  static const long want[] = {0, 1, 0, 0, 2, 10, 4, 40, 92, 352};
  for (int n = 4; n <= (CHECK_SLOWER > 1 ? 7 : 9); n++) {
    solutions = 0;
#pragma omp parallel
#pragma omp single nowait
    {
      struct board empty = {{0}};
#pragma omp taskgroup
      place(empty, 0, n);
      CHECK_EQ(solutions, want[n]);
    }
    CHECK_EQ(solutions, want[n]);
  }
  return 0;
}
