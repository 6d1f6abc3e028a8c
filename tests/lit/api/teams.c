/* teams.c - teams on the host, and the ICVs about them */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks teams with num_teams and thread_limit: each team once, numbers 0..n-1, regions inside; and
// omp_set_num_teams, omp_set_teams_thread_limit.
// RUN: %omp_build %s -o %t
// RUN: %omp_run %t 0 0
// RUN: env OMP_NUM_TEAMS=5 OMP_TEAMS_THREAD_LIMIT=2 %omp_run %t 5 2
#include "check.h"

int main(int argc, char **argv) {
  int seen[8] = {0}, members[8] = {0};
  CHECK_EQ(argc, 3);
  CHECK_EQ(omp_get_max_teams(), atoi(argv[1]));
  CHECK_EQ(omp_get_teams_thread_limit(), atoi(argv[2]));
#pragma omp teams num_teams(4) thread_limit(3)
  {
    int team = omp_get_team_num();
    CHECK_EQ(omp_get_num_teams(), 4);
#pragma omp parallel num_threads(8) shared(members, seen)
    {
      CHECK_EQ(omp_get_team_num(), team);
      CHECK_EQ(omp_get_num_teams(), 4);
      CHECK_EQ(omp_get_level(), 1);
      CHECK(omp_get_num_threads() <= 3 && omp_get_thread_limit() <= 3);
#pragma omp atomic
      members[team]++;
#pragma omp single
      seen[team]++;
    }
  }
  for (int t = 0; t < 8; t++) {
    CHECK_EQ(seen[t], t < 4);
    CHECK(t < 4 ? members[t] >= 1 && members[t] <= 3 : members[t] == 0);
  }
  long sum = 0;
#pragma omp teams distribute parallel for num_teams(3) reduction(+ : sum)
  for (int i = 0; i < 1000; i++)
    sum += i;
  CHECK_EQ(sum, 499500);
  omp_set_num_teams(2);
  omp_set_teams_thread_limit(7);
  CHECK_EQ(omp_get_max_teams(), 2);
  CHECK_EQ(omp_get_teams_thread_limit(), 7);
  int teams = 0;
#pragma omp teams reduction(+ : teams)
  teams += omp_get_num_teams() == 2;
  CHECK_EQ(teams, 2);
  CHECK_EQ(omp_get_num_teams(), 1);
  return 0;
}
