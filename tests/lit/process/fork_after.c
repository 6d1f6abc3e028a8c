/* fork_after.c - fork after regions have run */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that children (and theirs) run regions of other sizes, tasks, locks and nested regions
// after the parent has used the runtime, and that the parent goes on undisturbed.
// nanogomp-only: libgomp's child waits for ever for threads that it does not have.
// REQUIRES: nanogomp
// The address sanitizer of gcc 12 does not unlock its allocator in a forked child.
// UNSUPPORTED: asan, emulated
// RUN: %omp_test
#include "children.h"

static int own;
#pragma omp threadprivate(own)

int main(void) {
  omp_lock_t lock;
  omp_init_lock(&lock);
  omp_set_schedule(omp_sched_guided, 7);
  for (int round = 0; round < 12; round++) {
    use_runtime(1 + round % 5);
    own = round;
    omp_set_num_threads(2 + round % 3);
    pid_t child = fork();
    if (child == 0) {
      omp_sched_t kind;
      int chunk;
      child_limit(30);
      CHECK_EQ(own, round);
      CHECK_EQ(omp_get_max_threads(), 2 + round % 3);
      omp_get_schedule(&kind, &chunk);
      CHECK_EQ(chunk, 7);
      for (int i = 0; i < 5; i++)
        use_runtime(1 + (i + round) % 5);
      omp_set_lock(&lock);
      omp_unset_lock(&lock);
      if (round % 4 == 0) {
        pid_t grandchild = fork();
        if (grandchild == 0) {
          use_runtime(4);
          _exit(9);
        }
        use_runtime(3);
        expect_child(grandchild, 9);
      }
      if (round % 2)
        exit(10 + round);
      _exit(10 + round);
    }
    use_runtime(4);
    expect_child(child, 10 + round);
  }
  return 0;
}
