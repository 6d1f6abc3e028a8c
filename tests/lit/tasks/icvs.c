/* icvs.c - tasks inherit ICVs and keep their own */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that a task starts with its creator's ICVs at creation, that omp_set_* inside it changes
// neither creator nor siblings, that grandchildren inherit from it, and regions opened in it obey.
// RUN: %omp_test
#include "check.h"

static void expect_schedule(omp_sched_t kind, int chunk) {
  omp_sched_t k;
  int c;
  omp_get_schedule(&k, &c);
  CHECK_EQ(k & ~(unsigned)omp_sched_monotonic, kind);
  CHECK_EQ(c, chunk);
}

static void one(int i) {
  omp_set_num_threads(2 + i % 3);
  omp_set_schedule(omp_sched_guided, 1 + i);
#pragma omp task firstprivate(i)
  {
    CHECK_EQ(omp_get_max_threads(), 2 + i % 3);
    expect_schedule(omp_sched_guided, 1 + i);
    omp_set_num_threads(7);
    omp_set_schedule(omp_sched_dynamic, 3);
#pragma omp task if (i % 2)
    {
      CHECK_EQ(omp_get_max_threads(), 7);
      expect_schedule(omp_sched_dynamic, 3);
      omp_set_num_threads(9);
    }
#pragma omp taskwait
    CHECK_EQ(omp_get_max_threads(), 7);
    expect_schedule(omp_sched_dynamic, 3);
  }
  CHECK_EQ(omp_get_max_threads(), 2 + i % 3);
  expect_schedule(omp_sched_guided, 1 + i);
}

int main(void) {
  int initial = omp_get_max_threads();
  for (int round = 0; round < 20; round++) {
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 50; i++)
      one(i);
    CHECK_EQ(omp_get_max_threads(), initial);
  }
  omp_set_max_active_levels(2);
  int members = 0;
#pragma omp parallel num_threads(2) shared(members)
#pragma omp single
  for (int i = 0; i < 10; i++) {
#pragma omp task shared(members)
    {
      omp_set_num_threads(3);
#pragma omp parallel reduction(+ : members)
      {
        CHECK_EQ(omp_get_num_threads(), 3);
        members++;
      }
    }
#pragma omp taskwait
  }
  CHECK_EQ(members, 30);
  return 0;
}
