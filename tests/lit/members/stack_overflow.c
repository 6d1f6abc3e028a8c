/* stack_overflow.c - a member whose stack is too small is told what would help */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that endless recursion in one of eight members, on whatever OS thread, ends with SIGSEGV
// and a line that names OMP_STACKSIZE; that other faults end without that line; and that a
// program's own handler is left alone.
// REQUIRES: members-nano
// UNSUPPORTED: sanitizer
// RUN: %omp_build %s -o %t
// RUN: env OMP_STACKSIZE=1M %nano --status SIGSEGV %t deep 1 2> %t.1
// RUN: %FileCheck %s < %t.1
// RUN: env OMP_STACKSIZE=1M %nano --status SIGSEGV %t deep 6 2> %t.6
// RUN: %FileCheck %s < %t.6
// RUN: %nano --status SIGSEGV %t null 5 2> %t.null
// RUN: %FileCheck %s --check-prefix=NULL --allow-empty < %t.null
// RUN: %nano --status SIGSEGV %t sent 5 2> %t.sent
// RUN: %FileCheck %s --check-prefix=NULL --allow-empty < %t.sent
// RUN: %nano --status 7 %t handled 5
// CHECK: stack of an OpenMP thread, 1{{[0-9]+}}K, has overflowed; OMP_STACKSIZE sets a larger one
// NULL-NOT: OMP_STACKSIZE
#include "check.h"
#include <signal.h>
#include <string.h>
#include <unistd.h>

static volatile int most = 1 << 30;
static volatile int *volatile nothing;

static int deep(volatile char *above, int depth) {
  volatile char here[512];
  here[0] = above ? above[0] : 1;
#pragma omp critical
  here[1] = (char)depth;
  if (depth == most)
    return 0;
  return deep(here, depth + 1) + here[1];
}

static void own(int number) {
  (void)number;
  _exit(7);
}

int main(int argc, char **argv) {
  CHECK_EQ(argc, 3);
  int who = atoi(argv[2]);
  if (!strcmp(argv[1], "handled"))
    signal(SIGSEGV, own);
#pragma omp parallel num_threads(8)
  {
    for (int i = 0; i < 100; i++) {
#pragma omp barrier
    }
    if (omp_get_thread_num() == who) {
      if (!strcmp(argv[1], "deep"))
        CHECK_EQ(deep(NULL, 0), 0);
      else if (!strcmp(argv[1], "sent"))
        raise(SIGSEGV);
      else
        *nothing = 1;
    }
#pragma omp barrier
  }
  return 0;
}
