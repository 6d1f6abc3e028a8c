/* runtime_env.c - schedule(runtime) under values of OMP_SCHEDULE */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that omp_get_schedule tells what OMP_SCHEDULE said, and that schedule(runtime) loops deal
// accordingly: exact owners for static, chunk boundaries for dynamic, all iterations once.
// RUN: %omp_build %s -o %t
// RUN: env OMP_SCHEDULE=static %omp_run %t 1 0
// RUN: env OMP_SCHEDULE=static,4 %omp_run %t 1 4
// RUN: env OMP_SCHEDULE=STATIC,1 %omp_run %t 1 1
// RUN: env OMP_SCHEDULE=dynamic %omp_run %t 2 1
// RUN: env "OMP_SCHEDULE= Dynamic , 5 " %omp_run %t 2 5
// RUN: env OMP_SCHEDULE=dynamic,2147483647 %omp_run %t 2 2147483647
// RUN: env OMP_SCHEDULE=guided %omp_run %t 3 1
// RUN: env OMP_SCHEDULE=guided,9 %omp_run %t 3 9
// RUN: env OMP_SCHEDULE=auto %omp_run %t 4 -
// RUN: env OMP_SCHEDULE=monotonic:dynamic,3 %omp_run %t 2 3
// RUN: env OMP_SCHEDULE=nonmonotonic:guided,3 %omp_run %t 3 3
// RUN: %omp_run %t 2 1
#include "check.h"

enum { TRIPS = 300 };

static int owner[TRIPS], count[TRIPS];

int main(int argc, char **argv) {
  CHECK_EQ(argc, 3);
  int kind = atoi(argv[1]), n = omp_get_max_threads();
  long chunk = atol(argv[2]);
  omp_sched_t has;
  int has_chunk;
  omp_get_schedule(&has, &has_chunk);
  CHECK_EQ(has & ~(unsigned)omp_sched_monotonic, kind);
  if (*argv[2] != '-')
    CHECK_EQ(has_chunk, chunk);
  for (int round = 0; round < 10; round++) {
#pragma omp parallel for schedule(runtime)
    for (int i = 0; i < TRIPS; i++) {
      count[i]++;
      owner[i] = omp_get_thread_num();
    }
    for (int i = 0; i < TRIPS; i++) {
      CHECK_EQ(count[i], round + 1);
      if (kind == 1 && chunk > 0)
        CHECK_EQ(owner[i], i / chunk % n);
      if (kind == 1 && chunk == 0 && i > 0)
        CHECK(owner[i] >= owner[i - 1]);
      if (kind == 2 && i % chunk != 0)
        CHECK_EQ(owner[i], owner[i - 1]);
    }
  }
  return 0;
}
