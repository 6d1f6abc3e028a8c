/* dynamic.c - nested parallel: dynamic adjustment and thread limit at every depth */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that with dyn-var set each team has between one member and what was asked for, that all
// members agree on the size, that no more threads than OMP_THREAD_LIMIT are in regions at once, and
// that dyn-var is inherited and private to each task.
// RUN: %omp_build %s -o %t
// RUN: env OMP_DYNAMIC=true OMP_THREAD_LIMIT=8 %omp_run %t 8 1
// RUN: env OMP_DYNAMIC=false OMP_THREAD_LIMIT=8 %omp_run %t 8 0
// RUN: env OMP_DYNAMIC=true OMP_THREAD_LIMIT=2 %omp_run %t 2 1
// RUN: env OMP_DYNAMIC=true %omp_run %t 2147483647 1
#include "check.h"

enum { DEPTH = 3 };

static int limit, dynamic, at_work = 1, most = 1;

static void arrive(int n) {
  int now;
#pragma omp atomic capture
  now = at_work += n;
  CHECK(now <= limit);
#pragma omp critical
  most = now > most ? now : most;
}

static void descend(int level, int outside) {
  CHECK_EQ(omp_get_dynamic(), dynamic);
  if (level == DEPTH)
    return;
  for (int want = 1; want < 5; want++) {
    int members = 0, size = 0;
#pragma omp parallel num_threads(want) reduction(+ : members)
    {
      int me = omp_get_thread_num(), mine = omp_get_num_threads();
      if (me > 0)
        arrive(1);
#pragma omp single
      size = mine;
      CHECK_EQ(mine, size);
      CHECK(size >= 1 && size <= want && size <= limit);
      CHECK_EQ(omp_get_team_size(level + 1), size);
      if (level > 0)
        CHECK_EQ(omp_get_team_size(level), outside);
      members++;
      if (me == 0)
        descend(level + 1, size);
      omp_set_dynamic(!dynamic);
#pragma omp barrier
      if (me > 0)
        arrive(-1);
    }
    CHECK_EQ(members, size);
    CHECK_EQ(omp_get_dynamic(), dynamic);
    if (!dynamic && level == 0)
      CHECK_EQ(size, want < limit ? want : limit);
  }
}

int main(int argc, char **argv) {
  limit = argc > 1 ? atoi(argv[1]) : 0;
  dynamic = argc > 2 && atoi(argv[2]);
  CHECK_EQ(omp_get_thread_limit(), limit);
  omp_set_max_active_levels(DEPTH);
  for (int round = 0; round < CHECK_TIMES(20); round++)
    descend(0, 1);
  CHECK_EQ(at_work, 1);
  if (!dynamic)
    CHECK(most > 1);
  return 0;
}
