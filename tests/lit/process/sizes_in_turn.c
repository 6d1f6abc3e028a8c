/* sizes_in_turn.c - regions of one member and larger ones in turn */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that regions of one between larger ones leave the larger team's members and threadprivate
// copies alone, with tasks, dependences, constructs, and inner regions in both; after
// omp_pause_resource_all(), at the end of threads, and in forked children, also of a region of one.
// nanogomp-only: libgomp gives a member another thread after inner regions
// REQUIRES: nanogomp
// RUN: %omp_test
// RUN: %omp_build %s -o %t.one -O0
// RUN: env OMP_MAX_ACTIVE_LEVELS=1 %omp_run %t.one
// RUN: env OMP_PROC_BIND=true %omp_run %t.one
#include "children.h"

#include <pthread.h>

static long mine;
#pragma omp threadprivate(mine)

/* Every member's copy has counted the larger regions. */
static void region(int size, long *larger) {
  long sum = 0, tasks = 0, chain = 0, singles = 0;
  int level = omp_get_level() + 1;
  if (size > 1)
    ++*larger;
#pragma omp parallel num_threads(4) if (size > 1) reduction(+ : sum)
  {
    CHECK_EQ(omp_get_num_threads(), size);
    CHECK_EQ(omp_in_parallel(), size > 1);
    CHECK_EQ(omp_get_level(), level);
    if (size > 1)
      CHECK_EQ(++mine, *larger);
#pragma omp single
    {
      singles++;
      for (int i = 0; i < 10; i++) {
#pragma omp task shared(tasks)
#pragma omp atomic
        tasks++;
#pragma omp task shared(chain) depend(inout : chain)
        chain++;
      }
    }
    CHECK_EQ(tasks, 10);
    CHECK_EQ(chain, 10);
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 20; i++)
      sum += i;
#pragma omp barrier
  }
  CHECK_EQ(sum, 190);
  CHECK_EQ(singles, 1);
}

static void inner_regions(int size) {
  long sum = 0;
#pragma omp parallel num_threads(2) if (size > 1) reduction(+ : sum)
  for (int i = 0; i < 4; i++) {
#pragma omp parallel num_threads(1 + i % 2) reduction(+ : sum)
    sum += omp_get_thread_num() + 1;
  }
  int inner = size > 1 && omp_get_max_active_levels() < 2 ? 4 : 8;
  CHECK_EQ(sum, (size > 1 ? 2 : 1) * inner);
}

static void turns(int times) {
  long larger = 0;
#pragma omp parallel num_threads(4)
  mine = 0;
  for (int i = 0; i < times; i++) {
    region(i % 3 == 0 ? 4 : 1, &larger);
    if (i % 5 == 0)
      inner_regions(1 + i % 2);
  }
}

static void *root(void *times) {
  turns(*(int *)times);
  return 0;
}

static void check_child(void) {
  pid_t child = fork();
  if (child == 0) {
    child_limit(60);
    turns(6);
    use_runtime(3);
    _exit(0);
  }
  expect_child(child, 0);
}

int main(void) {
  int times = 9;
  pthread_t thread;
  turns(20);
  for (int i = 0; i < 4; i++) {
    CHECK_EQ(pthread_create(&thread, 0, root, &times), 0);
    CHECK_EQ(pthread_join(thread, 0), 0);
  }
  check_child();
#pragma omp parallel num_threads(1)
  check_child();
#pragma omp parallel if (0)
  inner_regions(4);
  turns(4);
  CHECK_EQ(omp_pause_resource_all(omp_pause_soft), 0);
#pragma omp parallel num_threads(1)
  inner_regions(2);
  turns(4);
  return 0;
}
