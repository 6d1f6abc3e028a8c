/* binding.c - places and proc_bind queries */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks omp_get_proc_bind, the place list and partition functions with and without places, and
// that under proc_bind each member really runs on the place that omp_get_place_num names.
// RUN: %omp_build %s -o %t
// RUN: %omp_run %t 0 0
// RUN: env OMP_PROC_BIND=false OMP_PLACES=threads %omp_run %t 0 0
// RUN: env OMP_PROC_BIND=true %omp_run %t 1 all
// RUN: env OMP_PLACES=threads %omp_run %t 1 all
// RUN: env OMP_PLACES=threads OMP_PROC_BIND=close %omp_run %t 3 all
// RUN: env OMP_PLACES=threads OMP_PROC_BIND=spread,close %omp_run %t 4 all
// RUN: env OMP_PLACES=threads(1) OMP_PROC_BIND=primary %omp_run %t 2 1
#define _GNU_SOURCE
#include "check.h"
#include <sched.h>

/* Not under OMP_PROC_BIND=true: then threads stay where they are, whatever their number. */
static void place_matches_cpu(void) {
  int place = omp_get_place_num(), ids[1024];
  CHECK(place >= 0 && place < omp_get_num_places());
  CHECK_EQ(omp_get_place_num_procs(place), 1);
  omp_get_place_proc_ids(place, ids);
  CHECK_EQ(ids[0], sched_getcpu());
}

int main(int argc, char **argv) {
  CHECK_EQ(argc, 3);
  int bind = atoi(argv[1]), procs = omp_get_num_procs();
  int places = strcmp(argv[2], "all") == 0 ? procs : atoi(argv[2]);
  cpu_set_t allowed;
  sched_getaffinity(0, sizeof allowed, &allowed);
  CHECK_EQ(omp_get_proc_bind(), bind);
  CHECK_EQ(omp_get_num_places(), places);
  CHECK_EQ(omp_get_place_num_procs(-1), 0);
  CHECK_EQ(omp_get_place_num_procs(places), 0);
  if (places == 0) {
    CHECK_EQ(omp_get_place_num(), -1);
    CHECK_EQ(omp_get_partition_num_places(), 0);
    return 0;
  }
  int partition[1024];
  CHECK_EQ(omp_get_partition_num_places(), places);
  omp_get_partition_place_nums(partition);
  for (int p = 0; p < places; p++)
    CHECK_EQ(partition[p], p);
  for (int round = 0; round < 5; round++) {
    int used[1024] = {0}, n = 0;
#pragma omp parallel num_threads(places)
    {
      if (bind == 4)
        CHECK_EQ(omp_get_proc_bind(), 3); /* the next level's */
      if (bind > 1)
        place_matches_cpu();
#pragma omp atomic
      used[omp_get_place_num()]++;
#pragma omp single
      n = omp_get_num_threads();
    }
    CHECK_EQ(n, places);
    for (int p = 0; p < places; p++)
      CHECK_EQ(used[p], 1);
#pragma omp parallel num_threads(2 * places + 1)
    if (bind > 1)
      place_matches_cpu();
#pragma omp parallel num_threads(3) proc_bind(primary)
    CHECK_EQ(omp_get_place_num(), 0);
  }
  return 0;
}
