/* nested.c - OMP_PROC_BIND by level: inner teams stay in the partition of their master */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that inner teams under spread,close divide the outer member's subpartition among
// themselves, that the outer members are unmoved after the inner region, and that a third level
// inherits.
// REQUIRES: cpus-0-1
// RUN: %omp_build %s -o %t
// RUN: env OMP_PROC_BIND=spread,close "OMP_PLACES={0},{1},{0},{1},{0,1},{1},{0},{1}" %omp_run %t
// RUN: env OMP_PROC_BIND=spread,spread "OMP_PLACES={0},{1},{0},{1},{0,1},{1},{0},{1}" %omp_run %t
// RUN: env OMP_PROC_BIND=spread,primary,close "OMP_PLACES={0}:2,{0}:2,{0}:2" %omp_run %t
#include "bound.h"

static void inner(struct bound_partition outer, int master) {
  int policy = omp_get_proc_bind(), level = omp_get_level(), n = outer.count > 1 ? 2 : 3;
#pragma omp parallel num_threads(n)
  {
    int place = bound_check(), i = omp_get_thread_num();
    struct bound_partition mine = bound_partition();
    CHECK_EQ(omp_get_num_threads(), n);
    CHECK(outer.first <= place && place < outer.first + outer.count);
    CHECK(mine.first >= outer.first && mine.first + mine.count <= outer.first + outer.count);
    if (i == 0 || policy == omp_proc_bind_master)
      CHECK_EQ(place, master);
    else if (policy == omp_proc_bind_close && outer.count > 1)
      CHECK_EQ(place, outer.first + (master - outer.first + i) % outer.count);
    if (policy == omp_proc_bind_spread && outer.count > 1)
      CHECK(mine.count <= (outer.count + 1) / 2);
    if (level < 3)
      inner(mine, place);
    CHECK_EQ(bound_check(), place);
  }
}

int main(void) {
  int places = omp_get_num_places();
  CHECK(places >= 4);
  omp_set_max_active_levels(5);
  for (int round = 0; round < 5; round++) {
    int n = 2 + round % 3;
    char taken[64] = {0};
#pragma omp parallel num_threads(n)
    {
      int place = bound_check();
      struct bound_partition mine = bound_partition();
      CHECK(mine.count == places / n || mine.count == places / n + 1);
      for (int p = 0; p < mine.count; p++)
#pragma omp atomic
        taken[mine.first + p]++;
      inner(mine, place);
      inner(mine, place);
      CHECK_EQ(bound_check(), place);
      CHECK_EQ(bound_partition().count, mine.count);
    }
    for (int p = 0; p < places; p++)
      CHECK_EQ(taken[p], 1);
    CHECK_EQ(bound_check(), 0);
    CHECK_EQ(bound_partition().count, places);
  }
  return 0;
}
