/* bound.c - members that are bound to places take turns on their place's CPUs */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that each member is on its place, by what the runtime and the kernel say, at any time and
// over all waits; that members of one place share an OS thread, and those of two places do not;
// that a member which gets another place is there; and that one which blocks elsewhere holds up
// nobody.
// nanogomp-only: libgomp has no such members.
// REQUIRES: members-nano, cpus-0-1
// RUN: %omp_build %s -o %t
// RUN: env NTH_MEMBERS=nano OMP_PLACES={0},{1} OMP_PROC_BIND=close %omp_run %t
// RUN: env NTH_MEMBERS=auto OMP_PLACES={0},{1} OMP_PROC_BIND=spread %omp_run %t
// RUN: env NTH_MEMBERS=nano OMP_PLACES={0},{1} OMP_PROC_BIND=primary %omp_run %t
// RUN: env NTH_MEMBERS=auto OMP_PLACES={0},{1} OMP_PROC_BIND=spread,close OMP_NUM_THREADS=2,4 \
// RUN:   %omp_run %t
#include "../affinity/bound.h"
#include <sys/syscall.h>
#include <unistd.h>

enum { MEMBERS = 16 };

static long id[MEMBERS];
static int place_of[MEMBERS];

static int flat(void) {
  int same = 0;
#pragma omp parallel num_threads(MEMBERS)
  {
    int me = omp_get_thread_num();
    CHECK_EQ(omp_get_num_threads(), MEMBERS);
    for (int k = 0; k < 3; k++) {
      place_of[me] = bound_check();
      id[me] = syscall(SYS_gettid);
#pragma omp barrier
      CHECK_EQ(bound_check(), place_of[me]);
#pragma omp single
      for (int i = 0; i < MEMBERS; i++)
        for (int j = 0; j < i; j++)
          if (id[i] == id[j]) {
            same++;
            CHECK_EQ(place_of[i], place_of[j]);
          }
#pragma omp critical
      CHECK_EQ(bound_check(), place_of[me]);
    }
  }
  return same;
}

static void nest(void) {
#pragma omp parallel num_threads(2)
  {
    bound_check();
#pragma omp parallel num_threads(4)
    {
      int place = bound_check();
#pragma omp barrier
      CHECK_EQ(bound_check(), place);
    }
    bound_check();
  }
}

static void other_places(void) {
#pragma omp parallel num_threads(MEMBERS) proc_bind(primary)
  {
    CHECK_EQ(bound_check(), 0);
#pragma omp barrier
    CHECK_EQ(bound_check(), 0);
  }
}

static void block(void) {
#pragma omp parallel num_threads(MEMBERS)
  {
    if (omp_get_thread_num() % 5 == 1)
      check_sleep_ms(20);
#pragma omp barrier
    bound_check();
  }
}

int main(void) {
  int same = 0;
  omp_set_max_active_levels(2);
  for (int round = 0; round < CHECK_TIMES(50); round++)
    same += flat();
  CHECK(same > 0);
  block();
  flat();
  for (int round = 0; round < CHECK_TIMES(10); round++) {
    nest();
    flat();
    other_places();
  }
  nest();
  return 0;
}
