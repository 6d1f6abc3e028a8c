/* teams.c - regions and tasks on machines that are not here: nested, bound, of sizes that change */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that each region has its members and each task runs once, whatever tree a team is laid
// along: with nested teams in groups, members bound to places in an order that is not the tree's,
// more members than processors, and a tree that comes into force while teams are laid along one
// domain.
// RUN: %omp_build %s -o %t
// RUN: env HWLOC_SYNTHETIC="pack:2 core:16 pu:1" OMP_NUM_THREADS=2,3,2 %omp_run %t
// RUN: env HWLOC_SYNTHETIC="numa:4 core:2 pu:2" %omp_run %t
// RUN: env HWLOC_XMLFILE=%S/Inputs/hybrid.xml OMP_MAX_ACTIVE_LEVELS=3 %omp_run %t
// RUN: env HWLOC_SYNTHETIC="pack:2 core:2 pu:1(indexes=0,2,1,3)" OMP_PLACES={0},{1} \
// RUN:   OMP_PROC_BIND=close,spread %omp_run %t
// RUN: env HWLOC_SYNTHETIC="pack:2 core:2 pu:1(indexes=0,2,1,3)" OMP_PLACES={1},{0} \
// RUN:   OMP_PROC_BIND=spread OMP_MAX_ACTIVE_LEVELS=2 %omp_run %t
#include "check.h"

#include <omp.h>

enum { TASKS = 200 };

static void tasks(int *ran) {
  for (int i = 0; i < TASKS; i++) {
#pragma omp task
    {
#pragma omp task
      {
#pragma omp atomic
        ++*ran;
      }
#pragma omp taskwait
    }
  }
}

/* A team of n, nested or not; every member makes tasks. */
static void region(int n) {
  int ran = 0, members = 0, size = 0;
#pragma omp parallel num_threads(n)
  {
#pragma omp atomic
    members++;
#pragma omp single nowait
    size = omp_get_num_threads();
    tasks(&ran);
#pragma omp barrier
#pragma omp single nowait
    tasks(&ran);
  }
  CHECK_EQ(members, size);
  CHECK_EQ(ran, TASKS * (size + 1));
}

static void nested(int outer, int inner) {
#pragma omp parallel num_threads(outer)
  {
    region(inner);
    region(inner + 1);
  }
}

int main(void) {
  for (int n = 1; n <= 9; n++)
    region(n);
  nested(2, 2);
  nested(4, 3);
  nested(3, 4);
  region(33);
  omp_set_max_active_levels(3);
  nested(2, 4);
#pragma omp parallel num_threads(2)
  nested(2, 2);
  region(5);
  return 0;
}
