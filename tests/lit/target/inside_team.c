/* inside_team.c - a team's master opens a target region, and in it a team larger than the CPUs */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The team inside would need nano-threads. But the master's OS thread does not change while the
// team around it, which waits in a barrier or shares a loop, is in its region.
// RUN: %omp_build %s -o %t
// RUN: %omp_run %t
#include <unistd.h>

#include "check.h"

enum { ROUNDS = 20 };

static int inside, shared;

static void count(int *n) {
#pragma omp atomic
  ++*n;
}

static void in_target(int members, int levels) {
#pragma omp target map(tofrom : inside)
  {
    if (levels)
      omp_set_max_active_levels(levels);
#pragma omp parallel num_threads(members)
    count(&inside);
  }
}

static void in_teams(int members) {
#pragma omp target teams num_teams(1) map(tofrom : inside)
  {
#pragma omp parallel num_threads(members)
    count(&inside);
  }
}

static void round_of(int how) {
  int members = omp_get_num_procs() + 1;
  inside = shared = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp master
    {
      usleep(2000); /* the other member waits already */
      if (how == 0)
        in_target(members, 0);
      else if (how == 1)
        in_target(2, 2);
      else
        in_teams(members);
    }
#pragma omp barrier
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 10; i++)
      count(&shared);
  }
  CHECK_EQ(inside, how == 1 ? 2 : members);
  CHECK_EQ(shared, 10);
}

int main(void) {
  for (int i = 0; i < ROUNDS; i++)
    round_of(i % 3);
  return 0;
}
