/* taskloop_own.c - what each task of a taskloop has for itself */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that each task starts with the ICVs of the task that met the construct, whatever the
// others set, that it owns the nestable locks that it takes, no other task does, that it is
// explicit, and final where the clause says so; that threadprivate and thread number do not change
// in it.
// RUN: %omp_test
#include "check.h"

enum { N = 300 };
static int mine;
#pragma omp threadprivate(mine)

static void icvs(int own, int tasks) {
  int before = omp_get_max_threads();
  if (own)
    omp_set_num_threads(own);
  int expected = omp_get_max_threads();
#pragma omp taskloop grainsize(1) firstprivate(expected)
  for (int i = 0; i < tasks; i++) {
    omp_sched_t kind;
    int chunk;
    CHECK_EQ(omp_get_max_threads(), expected);
    omp_get_schedule(&kind, &chunk);
    CHECK(chunk != 33);
    if (i % 5 == 1)
      omp_set_num_threads(expected + 1 + i % 3);
    if (i % 7 == 1)
      omp_set_schedule(omp_sched_dynamic, 33);
    if (i % 5 == 1) {
      int set = omp_get_max_threads();
#pragma omp task firstprivate(set)
      CHECK_EQ(omp_get_max_threads(), set);
    }
    if (i % 11 == 0) {
#pragma omp taskwait
      CHECK_EQ(omp_get_max_threads(), i % 5 == 1 ? expected + 1 + i % 3 : expected);
    }
  }
  CHECK_EQ(omp_get_max_threads(), expected);
  omp_set_num_threads(before);
}

static void locks(int tasks) {
  omp_nest_lock_t lock;
  long holders = 0, taken = 0;
  omp_init_nest_lock(&lock);
#pragma omp taskloop grainsize(1) shared(lock, holders, taken)
  for (int i = 0; i < tasks; i++) {
    omp_set_nest_lock(&lock);
    CHECK_EQ(omp_test_nest_lock(&lock), 2);
    CHECK_EQ(++holders, 1);
    check_busy(20);
    if (i % 10 == 0) {
#pragma omp task if (0) shared(lock)
      CHECK_EQ(omp_test_nest_lock(&lock), 0); /* another task */
    }
    holders--;
    taken++;
    omp_unset_nest_lock(&lock);
    omp_unset_nest_lock(&lock);
  }
  CHECK_EQ(taken, tasks);
  omp_destroy_nest_lock(&lock);
}

static void kind(int tasks) {
  int expected = omp_get_num_threads(), level = omp_get_level();
#pragma omp taskloop grainsize(1) final(tasks % 2)
  for (int i = 0; i < tasks; i++) {
    int *place = &mine, number = omp_get_thread_num();
    CHECK_EQ(omp_in_final(), tasks % 2);
    CHECK_EQ(omp_get_level(), level);
    CHECK_EQ(omp_get_num_threads(), expected);
    mine = i;
#pragma omp task
    check_busy(10);
#pragma omp taskwait
    CHECK(place == &mine && number == omp_get_thread_num());
    CHECK_EQ(mine, i);
  }
}

int main(void) {
  for (int round = 0; round < CHECK_TIMES(30) + 2; round++) {
#pragma omp parallel
#pragma omp single
    {
      icvs(0, N);
      icvs(3 + round, N);
      locks(N);
      kind(N + round % 2);
    }
  }
  icvs(0, N);
  icvs(5, N);
  locks(N);
  return 0;
}
