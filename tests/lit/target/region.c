/* region.c - target regions: where they run and what surrounds them */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a target region is an initial task of its own (level 0, thread 0 of 1, ICVs from the
// start, its own thread limit), regions inside work, and that the team around is as it was
// afterwards: numbers, ICVs, barriers, loops; from every member and from tasks, nested too.
// RUN: %omp_test
#include "check.h"

static int start_threads, start_dynamic, start_levels; /* the initial ICVs */

static void check_initial(int limit) {
  CHECK_EQ(omp_get_level(), 0);
  CHECK_EQ(omp_get_active_level(), 0);
  CHECK_EQ(omp_in_parallel(), 0);
  CHECK_EQ(omp_get_thread_num(), 0);
  CHECK_EQ(omp_get_num_threads(), 1);
  CHECK_EQ(omp_get_ancestor_thread_num(0), 0);
  CHECK_EQ(omp_get_ancestor_thread_num(1), -1);
  CHECK_EQ(omp_get_team_num(), 0);
  CHECK_EQ(omp_get_num_teams(), 1);
  CHECK_EQ(omp_get_max_threads(), start_threads);
  CHECK_EQ(omp_get_dynamic(), start_dynamic);
  CHECK_EQ(omp_get_max_active_levels(), start_levels);
  CHECK_EQ(omp_get_thread_limit(), limit);
  CHECK_EQ(omp_in_final(), 0);
  CHECK_EQ(omp_is_initial_device(), 1);
  CHECK_EQ(omp_get_device_num(), omp_get_initial_device());
}

static long work(int n) {
  long sum = 0;
#pragma omp parallel for num_threads(n) reduction(+ : sum) schedule(dynamic, 3)
  for (int i = 0; i < 100; i++) {
    CHECK_EQ(omp_get_level(), 1);
    sum += i;
  }
  return sum;
}

/* Called from a target region: one in the other. */
static void limited(long *sum) {
#pragma omp target map(tofrom : sum[0 : 1]) thread_limit(2)
  {
    check_initial(2);
    int members = 0;
#pragma omp parallel num_threads(5) reduction(+ : members)
    members++;
    CHECK(members >= 1 && members <= 2);
    *sum += members > 0;
  }
}

static void region(int n) {
  long sum = 0;
#pragma omp target map(tofrom : sum)
  {
    check_initial(INT32_MAX);
    omp_set_num_threads(7);
    omp_set_dynamic(!start_dynamic);
    CHECK_EQ(omp_get_max_threads(), 7);
    omp_set_dynamic(0);
    sum = work(n);
    limited(&sum);
    CHECK_EQ(omp_get_max_threads(), 7);
#pragma omp barrier
#pragma omp single
    sum++;
#pragma omp task shared(sum)
    sum++;
#pragma omp taskwait
  }
  CHECK_EQ(sum, 4950 + 3);
}

/* The constructs around a target region keep their place. */
static void inside_loop(void) {
  static int hits[64];
#pragma omp for schedule(dynamic, 1)
  for (int i = 0; i < 64; i++) {
    long here = 0;
#pragma omp target map(tofrom : here)
    {
#pragma omp for schedule(dynamic, 2)
      for (int k = 0; k < 10; k++)
        here += k;
    }
    CHECK_EQ(here, 45);
#pragma omp atomic
    hits[i]++;
  }
#pragma omp single
  for (int i = 0; i < 64; i++) {
    CHECK_EQ(hits[i], 1);
    hits[i] = 0;
  }
}

static void member(int n) {
  int num = omp_get_thread_num();
  omp_set_num_threads(3 + num);
  for (int times = 0; times < CHECK_TIMES(6); times++) {
    region(1 + num % 3);
    CHECK_EQ(omp_get_thread_num(), num);
    CHECK_EQ(omp_get_num_threads(), n);
    CHECK_EQ(omp_get_level(), 1);
    CHECK_EQ(omp_get_max_threads(), 3 + num);
#pragma omp barrier
  }
  inside_loop();
  for (int i = 0; i < 4; i++) {
#pragma omp task
    region(2);
  }
#pragma omp taskwait
#pragma omp taskgroup
  {
#pragma omp task final(1)
    region(1);
  }
}

int main(void) {
  start_threads = omp_get_max_threads();
  start_dynamic = omp_get_dynamic();
  start_levels = omp_get_max_active_levels();
  omp_set_max_active_levels(4);
  omp_set_num_threads(5);
  region(2);
  inside_loop();
  int sizes[] = {0, 1, 3, 16};
  for (int i = 0; i < 4; i++) {
    int n = sizes[i] ? sizes[i] : start_threads;
#pragma omp parallel num_threads(n)
    member(omp_get_num_threads());
  }
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
  region(2);
  CHECK_EQ(omp_get_max_threads(), 5);
  CHECK_EQ(omp_get_max_active_levels(), 4);
  CHECK_EQ(omp_get_level(), 0);
  return 0;
}
