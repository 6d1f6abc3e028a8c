/* limits.c - parallel: dyn-var and thread-limit-var bound the team */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that OMP_THREAD_LIMIT is never exceeded by a flat or nested team, and that with dyn-var
// set a team has between 1 and the requested number of members.
// RUN: %omp_build %s -o %t
// RUN: env OMP_THREAD_LIMIT=3 %omp_run %t 3
// RUN: env OMP_THREAD_LIMIT=1 %omp_run %t 1
// RUN: env OMP_DYNAMIC=true OMP_THREAD_LIMIT=4 %omp_run %t 4
// RUN: env OMP_DYNAMIC=true %omp_run %t 2147483647
#include "check.h"

int main(int argc, char **argv) {
  int limit = argc > 1 ? atoi(argv[1]) : 0;
  CHECK_EQ(omp_get_thread_limit(), limit);
  for (int n = 1; n < 9; n++) {
    int size = 0, members = 0;
#pragma omp parallel num_threads(n) reduction(+ : members)
    {
      members++;
#pragma omp single
      size = omp_get_num_threads();
    }
    CHECK_EQ(members, size);
    CHECK(size >= 1 && size <= n && size <= limit);
    if (!omp_get_dynamic())
      CHECK_EQ(size, n < limit ? n : limit);
  }
  omp_set_max_active_levels(2);
  int running = 0;
#pragma omp parallel num_threads(3)
  {
    CHECK(omp_get_num_threads() <= 3);
#pragma omp parallel num_threads(3)
    {
      int now;
#pragma omp atomic capture
      now = ++running;
      CHECK(now <= limit);
      check_busy(1000);
#pragma omp atomic
      running--;
    }
  }
  return 0;
}
