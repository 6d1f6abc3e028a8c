/* shadow_stack.c - what changes stacks is refused where shadow stacks are in force */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that nth_init() says ENOTSUP and that members are OS threads, also when asked to be
// nano-threads; that both are there otherwise. The library says of itself that it may run with such
// stacks (.note.gnu.property).
// REQUIRES: x86_64
// UNSUPPORTED: sanitizer
// RUN: %nth_build %s -o %t && %omp_build %S/Inputs/with_shadow.c -o %t-shadow
// RUN: env NTH_MEMBERS=nano %omp_run %t 0
// RUN: env NTH_MEMBERS=nano NTH_VERBOSE=1 %omp_run %t-shadow %t 1 2> %t.nano
// RUN: %FileCheck %s < %t.nano
// RUN: env NTH_MEMBERS=auto NTH_VERBOSE=1 %omp_run %t-shadow %t 1 2> %t.auto
// RUN: %FileCheck %s < %t.auto
// CHECK: members are OS threads: shadow stacks are in force
#include "check.h"
#include <errno.h>
#include <nanogomp/nth.h>
#include <stdlib.h>
#include <sys/syscall.h>

enum { MEMBERS = 8 };

int main(int argc, char **argv) {
  CHECK_EQ(argc, 2);
  int shadow = atoi(argv[1]), same = 0;
  long id[MEMBERS];
  for (int round = 0; round < 50; round++) {
#pragma omp parallel num_threads(MEMBERS)
    id[omp_get_thread_num()] = syscall(SYS_gettid);
    for (int i = 0; i < MEMBERS; i++)
      for (int j = 0; j < i; j++)
        same += id[i] == id[j];
  }
  if (shadow)
    CHECK_EQ(same, 0);
  CHECK_EQ(nth_init(0), shadow ? ENOTSUP : 0);
  if (!shadow)
    CHECK_EQ(nth_exit(), 0);
  return 0;
}
