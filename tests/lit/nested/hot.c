/* hot.c - nested parallel: one hot team a parent member and level */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks in nests of three levels with inner sizes in turn that member k of the inner team of one
// parent is the same OS thread each time, that no thread is in two teams at once, and that the
// numbers of single and barrier of neighbouring inner teams never mix.
// nanogomp-only: libgomp makes new threads for each inner region.
// REQUIRES: nanogomp
// RUN: %omp_test
#include "threads.h"

enum { OUTER = 3, MIDDLE = 3, INNER = 4, PAUSE = 8 };

static int id[OUTER][MIDDLE][INNER];

static _Atomic(int) others; /* members that were other threads than before */

static void inner(int o, int m, int size) {
  int singles = 0, seen[INNER] = {0};
#pragma omp parallel num_threads(size)
  {
    int me = omp_get_thread_num();
    CHECK_EQ(omp_get_ancestor_thread_num(1), o);
    CHECK_EQ(omp_get_ancestor_thread_num(2), m);
    CHECK_EQ(omp_get_num_threads(), size);
    seen[me] = threads_id();
#pragma omp barrier
    for (int i = 0; i < size; i++)
      CHECK(i == me || seen[i] != seen[me]);
#pragma omp single
    singles++;
    CHECK_EQ(singles, 1);
    if (id[o][m][me] && id[o][m][me] != threads_id())
      others++;
    id[o][m][me] = threads_id();
  }
}

static void nest(int turn) {
#pragma omp parallel num_threads(OUTER)
  {
    int o = omp_get_thread_num();
#pragma omp parallel num_threads(MIDDLE)
    {
      int m = omp_get_thread_num();
      for (int k = 0; k < 3; k++)
        inner(o, m, 2 + (turn + o + m + k) % 3);
    }
  }
}

int main(void) {
  omp_set_max_active_levels(3);
  omp_set_dynamic(0);
  double end = check_seconds() + 5, last = check_seconds();
  for (int turn = 0; turn < CHECK_TIMES(200) && check_seconds() < end; turn++) {
    if (turn % PAUSE == PAUSE - 1)
      check_sleep_ms(10);
    others = 0;
    nest(turn);
    double now = check_seconds();
    if (now - last < 0.5) /* else idle threads may have gone */
      CHECK_EQ(others, 0);
    last = now;
  }
  return 0;
}
