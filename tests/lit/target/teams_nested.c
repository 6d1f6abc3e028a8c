/* teams_nested.c - the number of the team of a league, in regions inside regions */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %omp_build %s -o %t
// RUN: %omp_run %t
#include "check.h"

/* Regions inside the caller's, which is of that team of the league; the inner ones have one member
 * or two. */
static void look(int team, int teams) {
#pragma omp parallel num_threads(2)
  for (int members = 1; members <= 2; members++) {
#pragma omp parallel num_threads(members)
    {
      CHECK(omp_get_team_num() == team && omp_get_num_teams() == teams);
#pragma omp parallel num_threads(2)
      CHECK(omp_get_team_num() == team && omp_get_num_teams() == teams);
    }
  }
}

/* A league inside a target region inside a region. */
static void look_from_inside(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp target
#pragma omp teams num_teams(2)
    look(omp_get_team_num(), omp_get_num_teams());
    CHECK(omp_get_team_num() == 0 && omp_get_num_teams() == 1);
  }
}

int main(void) {
  omp_set_max_active_levels(3);
  for (int round = 0; round < 2; round++) {
#pragma omp teams num_teams(3)
    look(omp_get_team_num(), omp_get_num_teams());
    look(0, 1);
    look_from_inside();
  }
  return 0;
}
