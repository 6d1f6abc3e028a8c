/* fork_before.c - fork before the first region */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that parent and children each use the runtime when the process forked before it was used,
// also grandchildren, and that the environment's ICVs hold in the child.
// The address sanitizer of gcc 12 does not unlock its allocator in a forked child.
// UNSUPPORTED: asan
// RUN: %omp_build %s -o %t && %omp_run %t %threads
#include "children.h"

int main(int argc, char **argv) {
  CHECK_EQ(argc, 2);
  pid_t child = fork();
  if (child == 0) {
    child_limit(30);
    pid_t grandchild = fork();
    if (grandchild == 0) {
      use_runtime(5);
      _exit(4);
    }
    CHECK_EQ(omp_get_max_threads(), atoi(argv[1]));
    for (int i = 0; i < 10; i++)
      use_runtime(1 + i % 4);
    expect_child(grandchild, 4);
    exit(3);
  }
  for (int i = 0; i < 10; i++)
    use_runtime(1 + i % 4);
  expect_child(child, 3);
  return 0;
}
