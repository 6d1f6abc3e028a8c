/* lists.c - nested parallel: sizes by OMP_NUM_THREADS as a list, levels by OMP_MAX_ACTIVE_LEVELS */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that each level takes its item of the list and deeper ones the last, that what one member
// sets with omp_set_num_threads holds for its own inner teams only, and that levels beyond the
// limit have one member and pass the items on.
// RUN: %omp_build %s -o %t
// RUN: env OMP_NUM_THREADS=3,2,4 %omp_run %t 9 3 2 4 4
// RUN: env OMP_NUM_THREADS=2,5 %omp_run %t 9 2 5 5 5
// RUN: env OMP_NUM_THREADS=3,2,4 OMP_MAX_ACTIVE_LEVELS=2 %omp_run %t 2 3 2 4 4
// RUN: env OMP_NUM_THREADS=3,2,4 OMP_MAX_ACTIVE_LEVELS=1 %omp_run %t 1 3 2 4 4
// RUN: env OMP_NUM_THREADS=1,4,2 %omp_run %t 9 1 4 2 2
// RUN: env OMP_NUM_THREADS=2,1,3 OMP_MAX_ACTIVE_LEVELS=2 %omp_run %t 2 2 1 3 3
// RUN: env OMP_NUM_THREADS=6 OMP_MAX_ACTIVE_LEVELS=2 %omp_run %t 2 6 6 6 6
#include "check.h"

enum { DEPTH = 3 };

static int limit, item[DEPTH + 1];

/* own: what this member, or one around it, has set; 0: nothing. */
static void descend(int level, int active, int own) {
  int next = own ? own : item[level];
  CHECK_EQ(omp_get_max_threads(), next);
  CHECK_EQ(omp_get_active_level(), active);
  if (level == DEPTH)
    return;
  int want = active < limit ? next : 1, members = 0;
#pragma omp parallel reduction(+ : members)
  {
    CHECK_EQ(omp_get_num_threads(), want);
    CHECK_EQ(omp_get_team_size(level + 1), want);
    members++;
    int inside = active + (want > 1);
    descend(level + 1, inside, 0);
    if (level + 1 < DEPTH && omp_get_thread_num() == want - 1) {
      omp_set_num_threads(2);
      CHECK_EQ(omp_get_max_threads(), 2);
      int size = 0;
#pragma omp parallel
#pragma omp single
      size = omp_get_num_threads();
      CHECK_EQ(size, inside < limit ? 2 : 1);
    }
#pragma omp barrier
    if (level + 1 < DEPTH && want > 1 && omp_get_thread_num() == 0)
      CHECK_EQ(omp_get_max_threads(), item[level + 1]);
  }
  CHECK_EQ(members, want);
}

int main(int argc, char **argv) {
  CHECK_EQ(argc, 3 + DEPTH);
  limit = atoi(argv[1]);
  for (int i = 0; i <= DEPTH; i++)
    item[i] = atoi(argv[2 + i]);
  for (int round = 0; round < 3; round++)
    descend(0, 0, 0);
  return 0;
}
