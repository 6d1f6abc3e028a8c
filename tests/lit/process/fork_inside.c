/* fork_inside.c - fork by member 0 inside a region */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that the child of member 0 is at the same level and thread number, passes barriers, loops,
// singles and the join of the region it left, and then opens new regions, inside and after it.
// nanogomp-only: libgomp's child hangs at the first barrier.
// REQUIRES: nanogomp
// The address sanitizer of gcc 12 does not unlock its allocator in a forked child.
// UNSUPPORTED: asan, emulated
// RUN: %omp_test
#include "children.h"

int main(void) {
  for (int round = 0; round < 8; round++) {
    pid_t child = -1;
    long parent = getpid();
    int size = 2 + round % 4;
#pragma omp parallel num_threads(size)
    {
#pragma omp barrier
      if (omp_get_thread_num() == 0) {
        child = fork();
        if (child == 0)
          child_limit(30);
      }
      /* The parent's members and the child's only one go on from here. */
      if (getpid() != parent) {
        CHECK_EQ(omp_get_level(), 1);
        CHECK_EQ(omp_get_thread_num(), 0);
      }
#pragma omp barrier
      long ran = 0;
#pragma omp for schedule(dynamic)
      for (int i = 0; i < 50; i++)
        ran++;
      CHECK(ran <= 50);
#pragma omp single
      ran = 0;
#pragma omp task
      check_busy(10);
#pragma omp taskwait
      if (getpid() != parent && round % 2)
        use_runtime(3);
    }
    if (getpid() != parent) {
      CHECK_EQ(omp_get_level(), 0);
      for (int i = 1; i < 5; i++)
        use_runtime(i);
      exit(20 + round);
    }
    use_runtime(3);
    expect_child(child, 20 + round);
  }
  return 0;
}
