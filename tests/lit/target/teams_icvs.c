/* teams_icvs.c - each team of a league starts with the ICVs of the region around */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that what a team sets is not seen by the next one nor by the task that met the construct,
// and that OMP_TEAMS_THREAD_LIMIT holds for teams without a clause, in target regions too.
// nanogomp-only: libgomp 12 runs all teams in the encountering task's data environment.
// REQUIRES: nanogomp
// RUN: %omp_build %s -o %t
// RUN: env OMP_TEAMS_THREAD_LIMIT=4 %omp_run %t
#include "check.h"

static void set_threads(int n) { omp_set_num_threads(n); }
static void (*volatile set)(int) = set_threads; /* gcc lets nobody set ICVs right in teams */
static int (*volatile get)(void) = omp_get_max_threads;
static int (*volatile limit)(void) = omp_get_thread_limit;

static void on_host(int threads) {
  int before[3], after[3], limits[3];
#pragma omp teams num_teams(3) shared(before, after, limits)
  {
    int t = omp_get_team_num();
    before[t] = get();
    set(40 + t);
    after[t] = get();
    limits[t] = limit();
  }
  for (int t = 0; t < 3; t++) {
    CHECK_EQ(before[t], threads);
    CHECK_EQ(after[t], 40 + t);
    CHECK_EQ(limits[t], 4);
  }
  CHECK_EQ(omp_get_max_threads(), threads);
}

static void in_target(int clause, int wanted) {
  int before[3], after[3], limits[3], threads = 0;
#pragma omp target map(tofrom : threads)
  threads = get();
#pragma omp target teams num_teams(3) thread_limit(clause) map(before, after, limits)
  {
    int t = omp_get_team_num();
    before[t] = get();
    set(40 + t);
    after[t] = get();
    limits[t] = limit();
  }
  for (int t = 0; t < 3; t++) {
    CHECK_EQ(before[t], threads);
    CHECK_EQ(after[t], 40 + t);
    CHECK_EQ(limits[t], wanted);
  }
  int none = 0;
#pragma omp target teams num_teams(2) map(none)
  none = limit();
  CHECK_EQ(none, 4);
  CHECK_EQ(omp_get_thread_limit(), INT32_MAX);
}

int main(void) {
  omp_set_num_threads(9);
  on_host(9);
  in_target(3, 3);
  in_target(7, 7);
#pragma omp parallel num_threads(3)
  in_target(2, 2);
  return 0;
}
