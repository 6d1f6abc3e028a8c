/* mixed_tasks.c - tasks of a region make nano-threads and wait for them */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that members and tasks of a region, beside 2 and 16 processors, make nano-threads and wait
// for them in nth_block() with never more runnable OS threads than CPUs, and that taskwait behind
// it finds all results.
// RUN: %nth_build %s -o %t && %omp_run %t 2 && %omp_run %t 16
#include "Inputs/runnable.h"

enum { TASKS = 24, EACH = 8 };

static long total;

static void add(long i) {
  check_busy(10000);
  __atomic_fetch_add(&total, i, __ATOMIC_RELAXED);
}

static void make_and_wait(long n) {
  struct nth_desc *me = nth_self();
  CHECK_EQ(nth_depadd(me, n + 1), 0);
  for (long i = 1; i <= n; i++)
    CHECK_EQ(nth_to_lrq((int)(i % nth_processors()), nth_create_ls(add, 0, me, 1, i)), 0);
  CHECK_EQ(nth_block(), 0);
}

static void a_region(int members) {
  const long sum = EACH * (EACH + 1) / 2;
  long of_tasks = 0;
  total = 0;
#pragma omp parallel num_threads(members)
  {
    make_and_wait(EACH);
#pragma omp single
    {
      for (int i = 0; i < TASKS; i++) {
#pragma omp task shared(of_tasks)
        {
          int number = omp_get_thread_num();
          make_and_wait(EACH);
          CHECK_EQ(omp_get_thread_num(), number);
          __atomic_fetch_add(&of_tasks, 1, __ATOMIC_RELAXED);
        }
      }
#pragma omp taskwait
      CHECK_EQ(of_tasks, TASKS);
    }
  }
  CHECK_EQ(total, (members + TASKS) * sum);
}

static void a_round(void) {
  a_region(4);
  a_region(nth_processors());
}

int main(int argc, char **argv) { return runnable_main(argc, argv, a_round); }
