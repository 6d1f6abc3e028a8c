/* dynamic_short.c - omp_set_dynamic(true): how many members short and long regions get */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that every iteration is done once, whatever number of members a region gets; that a
// construct whose regions are next to nothing gets fewer members than asked after a while, and one
// that becomes long gets all of them again; and that neither happens with NTH_PRICE=off or without
// dyn-var.
// libgomp asks the load of the machine instead.
// REQUIRES: nanogomp
// RUN: %omp_build %s -o %t && %omp_run %t on | %FileCheck %s
// RUN: env NTH_PRICE=off %omp_run %t off | %FileCheck %s
// RUN: %omp_run %t not-dynamic | %FileCheck %s
// CHECK: ok
#include "check.h"

enum { N = 64, LONG_US = 500 };
static int done[N];

static void spin(double us) {
  for (double end = check_seconds() + us / 1e6; check_seconds() < end;)
    ;
}

/* Returns the number of members. */
static int region(double us) {
  int members = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp for
    for (int i = 0; i < N; i++)
      done[i]++;
#pragma omp single
    members = omp_get_num_threads();
    if (us > 0)
      spin(us);
  }
  return members;
}

static bool got_fewer(double seconds) {
  bool fewer = false;
  double end = check_seconds() + seconds;
  long rounds = 0;
  while (check_seconds() < end && !fewer) {
    memset(done, 0, sizeof done);
    for (int i = 0; i < 100; i++)
      fewer |= region(0) == 1;
    for (int i = 0; i < N; i++)
      CHECK_EQ(done[i], 100);
    rounds++;
  }
  return fewer;
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  if (omp_get_num_procs() < 2) {
    puts("ok, one CPU gives one member");
    return 0;
  }
  bool on = strcmp(argv[1], "on") == 0;
  omp_set_dynamic(strcmp(argv[1], "not-dynamic") != 0);
  CHECK_EQ(got_fewer(on ? 3600 : 0.5), on);
  region(LONG_US);
  CHECK_EQ(region(LONG_US), 2);
  CHECK_EQ(region(LONG_US), 2);
  puts("ok");
  return 0;
}
