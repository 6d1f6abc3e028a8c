/* fork_member.c - fork by members other than 0, by all at once, and from nested regions */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that the child of any member keeps its level, is number 0 of 1, uses the runtime and ends
// by exit status, while the other members of the parent hold locks and run loops.
// nanogomp-only: libgomp's child hangs.
// REQUIRES: nanogomp
// The sanitizers of gcc 12 do not unlock their allocators in a forked child, and others allocate
// here.
// UNSUPPORTED: sanitizer, emulated
// RUN: %omp_test
#include "children.h"

static void fork_here(int level, int round) {
  int me = omp_get_thread_num();
  pid_t child = fork();
  if (child == 0) {
    child_limit(30);
    CHECK_EQ(omp_get_level(), level);
    CHECK_EQ(omp_get_thread_num(), 0);
    CHECK_EQ(omp_get_num_threads(), 1);
#pragma omp barrier
    use_runtime(1 + round % 4);
    _exit(30 + me);
  }
  expect_child(child, 30 + me);
}

int main(void) {
  omp_lock_t lock;
  omp_init_lock(&lock);
  omp_set_max_active_levels(2);
  for (int round = 0; round < 6; round++) {
#pragma omp parallel num_threads(4)
    {
      if (omp_get_thread_num() == 1 + round % 3)
        fork_here(1, round);
      else
        for (int i = 0; i < 100; i++) {
          omp_set_lock(&lock);
          check_busy(100);
          omp_unset_lock(&lock);
        }
#pragma omp barrier
      fork_here(1, round); /* all at once */
#pragma omp barrier
    }
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
    {
      if (omp_get_thread_num() == 1)
        fork_here(2, round);
#pragma omp barrier
    }
    use_runtime(4);
  }
  return 0;
}
