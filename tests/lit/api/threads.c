/* threads.c - omp_ functions about threads, outside and inside regions */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks get/set pairs of nthreads-var, dyn-var and the number, size and level queries, in serial
// parts, active and inactive regions; odd arguments are taken as libgomp takes them.
// RUN: %omp_build %s -o %t && %omp_run %t %threads
#define _GNU_SOURCE
#include "check.h"
#include <sched.h>

static void serial(void) {
  CHECK_EQ(omp_get_thread_num(), 0);
  CHECK_EQ(omp_get_num_threads(), 1);
  CHECK_EQ(omp_in_parallel(), 0);
  CHECK_EQ(omp_get_level(), 0);
  CHECK_EQ(omp_get_active_level(), 0);
  CHECK_EQ(omp_get_ancestor_thread_num(0), 0);
  CHECK_EQ(omp_get_team_size(0), 1);
  CHECK_EQ(omp_in_final(), 0);
  CHECK_EQ(omp_get_num_teams(), 1);
  CHECK_EQ(omp_get_team_num(), 0);
}

int main(int argc, char **argv) {
  int most = argc > 1 ? atoi(argv[1]) : 0;
  cpu_set_t cpus;
  serial();
  CHECK_EQ(omp_get_max_threads(), most);
  CHECK_EQ(sched_getaffinity(0, sizeof cpus, &cpus), 0);
  CHECK_EQ(omp_get_num_procs(), CPU_COUNT(&cpus));
  CHECK_EQ(omp_get_thread_limit(), 2147483647);
  for (int n = 1; n < 6; n++) {
    omp_set_num_threads(n);
    CHECK_EQ(omp_get_max_threads(), n);
    serial();
#pragma omp parallel
    {
      CHECK_EQ(omp_get_num_threads(), n);
      CHECK_EQ(omp_in_parallel(), n > 1);
      CHECK_EQ(omp_get_level(), 1);
      CHECK_EQ(omp_get_active_level(), n > 1);
      CHECK_EQ(omp_get_ancestor_thread_num(1), omp_get_thread_num());
      CHECK_EQ(omp_get_ancestor_thread_num(0), 0);
      CHECK_EQ(omp_get_team_size(1), n);
      CHECK_EQ(omp_get_team_size(0), 1);
      CHECK_EQ(omp_get_num_procs(), CPU_COUNT(&cpus));
      omp_set_num_threads(n + 2);
      CHECK_EQ(omp_get_max_threads(), n + 2);
    }
    CHECK_EQ(omp_get_max_threads(), n);
    serial();
  }
  omp_set_num_threads(0);
  CHECK_EQ(omp_get_max_threads(), 1);
  omp_set_num_threads(-3);
  CHECK_EQ(omp_get_max_threads(), 1);
  CHECK_EQ(omp_get_dynamic(), 0);
  for (int d = 3; d >= 0; d--) {
    omp_set_dynamic(d);
    CHECK_EQ(omp_get_dynamic(), d != 0);
  }
  CHECK_EQ(omp_get_cancellation(), 0);
  CHECK_EQ(omp_get_max_task_priority(), 0);
  return 0;
}
