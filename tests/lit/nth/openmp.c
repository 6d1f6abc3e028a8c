/* openmp.c - nano-threads and OpenMP in one process */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks regions and tasks in nano-threads, nano-threads made and awaited by members of a region,
// the initial thread's wait inside a region and a task, what nano-threads see of OpenMP, and waits
// of a nano-thread inside a construct.
// RUN: %nth_test
#include "check.h"
#include <errno.h>
#include <nanogomp/nth.h>

static long total;
static void add(long i) { __atomic_fetch_add(&total, i, __ATOMIC_RELAXED); }

static void outside_of_constructs(void) {
  CHECK_EQ(omp_get_level(), 0);
  CHECK_EQ(omp_get_thread_num(), 0);
  CHECK_EQ(omp_get_num_threads(), 1);
  CHECK(!omp_in_parallel());
}

static void with_region(long i) {
  long sum = 0;
  outside_of_constructs();
#pragma omp parallel num_threads(3) reduction(+ : sum)
  {
    CHECK_EQ(omp_get_level(), 1);
#pragma omp for
    for (long j = 0; j < 30; j++)
      sum += i;
  }
  CHECK_EQ(sum, 30 * i);
  outside_of_constructs();
  add(sum);
}

static void with_tasks(long i) {
  long sum = 0;
  for (long j = 0; j < 10; j++) {
#pragma omp task shared(sum) firstprivate(j)
    __atomic_fetch_add(&sum, i * j, __ATOMIC_RELAXED);
  }
#pragma omp taskwait
  CHECK_EQ(sum, 45 * i);
  add(sum);
}

static void child(void) {}
static void waits(void) {
  struct nth_desc *self = nth_self();
  CHECK_EQ(nth_depadd(self, 2), 0);
  CHECK_EQ(nth_to_lrq(nth_processor(), nth_create_ls(child, 0, self, 0)), 0);
}

static void blocks_inside(long i) {
#pragma omp parallel num_threads(2)
  {
#pragma omp master
    {
      waits();
      CHECK_EQ(nth_block(), 0);
    }
  }
#pragma omp task if (0)
  {
    waits();
    CHECK_EQ(nth_block(), 0);
  }
#pragma omp target
  {
    waits();
    CHECK_EQ(nth_block(), 0);
  }
#pragma omp parallel num_threads(2)
  {
#pragma omp barrier
  }
  waits();
  CHECK_EQ(nth_block(), 0);
  outside_of_constructs();
  add(i);
}

static long run_all(void (*f)(long), long n) {
  struct nth_desc *me = nth_self();
  CHECK_EQ(nth_depadd(me, n + 1), 0);
  for (long i = 1; i <= n; i++)
    CHECK_EQ(nth_to_lrq((int)(i % nth_processors()), nth_create_ls(f, 0, me, 1, i)), 0);
  CHECK_EQ(nth_block(), 0);
  return n * (n + 1) / 2;
}

static void plain(long i) {
  outside_of_constructs();
  add(i);
}

int main(void) {
  const int members = 3;
  /* with one processor nobody would run what a member waits for while the initial thread is at a
   * barrier */
  CHECK_EQ(nth_init(omp_get_max_threads() > 1 ? 0 : 2), 0);
  struct nth_desc *me = nth_self();
  for (int turn = 0; turn < CHECK_TIMES(20); turn++) {
    total = 0;
    CHECK_EQ(run_all(with_region, 20) * 30, total);
    total = 0;
    CHECK_EQ(run_all(with_tasks, 20) * 45, total);
    total = 0;
    CHECK_EQ(run_all(blocks_inside, 20), total);

    total = 0;
    long each = 0;
#pragma omp parallel num_threads(members) reduction(+ : each)
    {
      int number = omp_get_thread_num();
      CHECK((omp_get_thread_num() == 0) == (nth_self() == me));
      each += run_all(plain, 50);
      CHECK_EQ(omp_get_thread_num(), number);
      CHECK_EQ(omp_get_num_threads(), members);
#pragma omp barrier
      each += run_all(with_region, 2) * 30;
      CHECK_EQ(omp_get_level(), 1);
    }
    CHECK_EQ(total, each);

    total = 0;
#pragma omp parallel num_threads(members)
#pragma omp single
    {
      for (int i = 0; i < 10; i++) {
#pragma omp task
        run_all(plain, 10);
      }
    }
    CHECK_EQ(total, 550);
    total = 0;
#pragma omp task if (0)
    run_all(blocks_inside, 10);
    CHECK_EQ(total, 55);
  }
  CHECK_EQ(nth_exit(), 0);
  total = 0;
#pragma omp parallel num_threads(members)
  add(1);
  CHECK_EQ(total, members);
  return 0;
}
