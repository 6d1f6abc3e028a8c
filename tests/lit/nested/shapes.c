/* shapes.c - nested parallel: shapes that alternate make no more and more threads */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that each shape gets the members it asks for, in whatever order they come, and that the
// threads are bounded by what each outer member had inside at most.
// nanogomp-only: libgomp makes and ends threads in every inner region.
// REQUIRES: nanogomp
// RUN: %omp_test
#include "threads.h"

static const int shape[][2] = {{2, 8}, {8, 2}, {4, 4}, {16, 1}, {1, 16}, {3, 5}, {5, 3}};
enum { SHAPES = sizeof shape / sizeof *shape };

static void open_shape(const int *s) {
  int members = 0, outer = s[0], inner = s[1];
#pragma omp parallel num_threads(outer) reduction(+ : members)
  {
    CHECK_EQ(omp_get_num_threads(), outer);
    int mine = 0;
#pragma omp parallel num_threads(inner) reduction(+ : mine)
    {
      CHECK_EQ(omp_get_num_threads(), inner);
      CHECK_EQ(omp_get_team_size(1), outer);
      mine++;
    }
    members += mine;
  }
  CHECK_EQ(members, outer * inner);
}

/* Outer member k has the largest inner team of those shapes that have a member k. */
static int bound(void) {
  int sum = 0;
  for (int k = 0; k < 16; k++) {
    int most = 0;
    for (int i = 0; i < SHAPES; i++)
      if (shape[i][0] > k && shape[i][1] > most)
        most = shape[i][1];
    sum += most;
  }
  return sum;
}

int main(void) {
  int besides = threads_besides();
  omp_set_max_active_levels(2);
  omp_set_dynamic(0);
  for (int i = 0; i < SHAPES; i++)
    open_shape(shape[i]);
  CHECK_WAIT_UNTIL(threads_now() - besides <= bound()); /* some may just be ending */
  double end = check_seconds() + 4;
  for (int round = 0; round < CHECK_TIMES(100) && check_seconds() < end; round++) {
    for (int i = 0; i < SHAPES; i++)
      open_shape(shape[(i * (1 + round % 5) + round) % SHAPES]);
    CHECK_WAIT_UNTIL(threads_now() - besides <= bound());
  }
  return 0;
}
