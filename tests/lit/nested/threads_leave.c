/* threads_leave.c - threads that teams had use for once, and have no longer, end */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that after large and nested teams the threads of the last outermost team are the only ones
// left, though the program goes on with regions and never comes back to the large ones; the members
// left are the same threads as before, with their threadprivate values; when the program is at rest
// likewise. nanogomp-only: libgomp ends threads at once, and with them what they keep.
// Under OMP_WAIT_POLICY=active idle threads do not sleep, so they do not leave either.
// REQUIRES: nanogomp
// RUN: %omp_build %s -o %t && env -u OMP_WAIT_POLICY %omp_run %t
#include "threads.h"

enum { SMALL = 3, LARGE = 12 };

static int mine;
#pragma omp threadprivate(mine)

static int id[SMALL];

static void large(void) {
  int members = 0;
#pragma omp parallel num_threads(LARGE) reduction(+ : members)
  members++;
  CHECK_EQ(members, LARGE);
  members = 0;
#pragma omp parallel num_threads(2) reduction(+ : members)
  {
    int inside = 0;
#pragma omp parallel num_threads(4) reduction(+ : inside)
    {
      int deepest = 0;
#pragma omp parallel num_threads(2) reduction(+ : deepest)
      deepest++;
      inside += deepest;
    }
    members += inside;
  }
  CHECK_EQ(members, 16);
}

static void small(void) {
#pragma omp parallel num_threads(SMALL)
  {
    int me = omp_get_thread_num();
    CHECK_EQ(omp_get_num_threads(), SMALL);
    if (id[me] == 0) {
      id[me] = threads_id();
      mine = 100 + me;
    }
    CHECK_EQ(threads_id(), id[me]);
    CHECK_EQ(mine, 100 + me);
  }
}

int main(void) {
  int besides = threads_besides();
  omp_set_max_active_levels(3);
  omp_set_dynamic(0);
  large();
  CHECK(threads_now() - besides >= LARGE);
  small();
  CHECK_WAIT_UNTIL((small(), threads_now() - besides <= SMALL)); /* at work */
  large();
  small();
  CHECK_WAIT_UNTIL(threads_now() - besides <= SMALL); /* at rest */
  for (int round = 0; round < 2; round++) {
#pragma omp parallel if (round < 0)
    check_sleep_ms(2000); /* a serialised region is no smaller team */
    CHECK_EQ(threads_now() - besides, SMALL);
    small();
  }
  CHECK_EQ(threads_now() - besides, SMALL);
  return 0;
}
